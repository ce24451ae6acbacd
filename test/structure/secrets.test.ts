import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newApiKey } from '../../src/account/key.ts'
import { newSecret } from '../../src/events/delivery/signing.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SCRIPT = join(ROOT, 'scripts/check-secrets.ts')
const folder = mkdtempSync(join(tmpdir(), 'fyr-secrets-'))
beforeAll(() => {
  spawnSync('git', ['init', '--quiet'], { cwd: folder })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function check(cwd: string): { code: number | null; words: string } {
  const { status, stderr } = spawnSync('node', [SCRIPT], { cwd, encoding: 'utf8' })
  return { code: status, words: stderr }
}

/** What the check says of a repository with this text in a file that git knows. */
function saidOf(text: string): { code: number | null; words: string } {
  writeFileSync(join(folder, 'notes.md'), `Some words.\n${text}\nMore words.\n`)
  spawnSync('git', ['add', 'notes.md'], { cwd: folder })
  return check(folder)
}

/** As varied as random bytes, and the same in every run. */
const bytes = (count: number): Buffer => createHash('sha512').update('made up').digest().subarray(0, count)
const random = (count: number): string => bytes(count).toString('base64')
const pem = (kind: string): string => `-----BEGIN ${kind}-----\n${random(48)}\n-----END ${kind}-----`

describe('A54: a secret in a repository fails its build with file and line, and is not shown', () => {
  test.each([
    ['a key of this service', `curl -H 'X-Service-API-Key: ${newApiKey()}'`],
    ['a webhook secret', `the secret is ${newSecret()}`],
    ['a private key', pem('PRIVATE KEY')],
    ['a private key', pem('RSA PRIVATE KEY')],
    ['a key of a cloud', `AKIA${'IOSFODNN7'}${'EXAMPLE'}`],
    ['a token of a forge or a registry', `ghp_${random(60).replace(/\W/g, '').slice(0, 36)}`],
    ['a value that is random, under a name that is secret', `MASTER_KEY=${random(32)}`],
    ['a value that is random, under a name that is secret', `  "password": "${bytes(32).toString('hex')}",`],
    ['a value that is random, under a name that is secret', `const secretOfMine = '${random(33)}'`],
  ])('%s', (what, text) => {
    const { code, words } = saidOf(text)
    expect({ code, words }).toEqual({
      code: 1,
      words: expect.stringMatching(new RegExp(`^notes\\.md:2: this looks like ${what} \\([0-9a-f]{16}\\)\\.\n$`)),
    })
    expect(words).not.toContain(text.slice(-20))
  })

  test('what only resembles one is left alone, and so is what git does not know', () => {
    const key = newApiKey()
    const harmless = [
      `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`, // the checksum is wrong
      `secret: ${'A'.repeat(43)}`,
      `token = theLongNameOfSomethingThatIsNotRandomAtAllButLong`,
      `whsec_${'x'.repeat(43)}=`,
      `"integrity": "sha512-${random(64)}"`,
      pem('CERTIFICATE'),
    ]
    for (const text of harmless) expect(saidOf(text), text).toEqual({ code: 0, words: '' })
    writeFileSync(join(folder, 'own.env'), `KEY=${newApiKey()}`)
    expect(check(folder)).toEqual({ code: 0, words: '' })
  })
})

test('A54: this repository holds no secret', () => {
  expect(check(ROOT)).toEqual({ code: 0, words: '' })
})
