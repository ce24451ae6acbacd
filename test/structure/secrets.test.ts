import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { newApiKey } from '../../src/account/key.ts'
import { newSecret } from '../../src/events/delivery/signing.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SCRIPT = join(ROOT, 'scripts/check-secrets.ts')
const folder = mkdtempSync(join(tmpdir(), 'fyr-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function check(cwd: string): { code: number | null; said: string[] } {
  const { status, stderr } = spawnSync('node', [SCRIPT], { cwd, encoding: 'utf8' })
  return { code: status, said: stderr.split('\n').filter(Boolean) }
}

/** What the check says of a repository with each of these texts in a file that git knows: 0.md, 1.md and so on. */
function saidOf(texts: readonly string[]): { code: number | null; said: string[] } {
  const repository = mkdtempSync(join(folder, 'repository-'))
  spawnSync('git', ['init', '--quiet'], { cwd: repository })
  for (const [at, text] of texts.entries())
    writeFileSync(join(repository, `${at}.md`), `Some words.\n${text}\nMore words.\n`)
  spawnSync('git', ['add', '.'], { cwd: repository })
  writeFileSync(join(repository, 'own.env'), `KEY=${newApiKey()}`) // git does not know it
  return check(repository)
}

/** As varied as random bytes, and the same in every run. */
const bytes = (count: number): Buffer => createHash('sha512').update('made up').digest().subarray(0, count)
const random = (count: number): string => bytes(count).toString('base64')
const pem = (kind: string): string => `-----BEGIN ${kind}-----\n${random(48)}\n-----END ${kind}-----`

const UNDER_A_NAME = 'a value that is random, under a name that is secret'
const SECRETS: [what: string, text: string][] = [
  ['a key of this service', `curl -H 'X-Service-API-Key: ${newApiKey()}'`],
  ['a webhook secret', `the secret is ${newSecret()}`],
  ['a private key', pem('PRIVATE KEY')],
  ['a private key', pem('RSA PRIVATE KEY')],
  ['a key of a cloud', `AKIA${'IOSFODNN7'}${'EXAMPLE'}`],
  ['a token of a forge or a registry', `ghp_${random(60).replace(/\W/g, '').slice(0, 36)}`],
  [UNDER_A_NAME, `MASTER_KEY=${random(32)}`],
  [UNDER_A_NAME, `  "password": "${bytes(32).toString('hex')}",`],
  [UNDER_A_NAME, `const secretOfMine = '${random(33)}'`],
]

describe('A54: a secret in a repository fails its build with file and line, and is not shown', () => {
  test('each kind of them', () => {
    const { code, said } = saidOf(SECRETS.map(([, text]) => text))
    expect(code).toBe(1)
    expect(said.map((line) => line.replace(/[0-9a-f]{16}/, 'hash'))).toEqual(
      SECRETS.map(([what], at) => `${at}.md:2: this looks like ${what} (hash).`),
    )
    for (const [, text] of SECRETS) expect(said.join()).not.toContain(text.slice(-20))
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
    expect(saidOf(harmless)).toEqual({ code: 0, said: [] })
  })
})

test('A54: this repository holds no secret', () => {
  expect(check(ROOT)).toEqual({ code: 0, said: [] })
})
