// @module-tag thorough
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newApiKey } from '../../src/account/key.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'fyr-published-'))
const unpacked = join(folder, 'fyr')
let files: string[]

/** Packs the service as it is published, and unpacks it. In a copy: packing builds the pages anew, and other tests visit those here. */
beforeAll(() => {
  const copy = join(folder, 'copy')
  const isOfMachine = (path: string) =>
    /^(node_modules|data|dist|coverage|\.bundled.*|\.git)$/.test(relative(ROOT, path))
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !isOfMachine(path) })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const packed = JSON.parse(run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], copy))
  const { filename } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0]
  mkdirSync(unpacked)
  run('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', unpacked], folder)
  files = run('tar', ['-tzf', join(folder, filename)], folder)
    .trim()
    .split('\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(command: string, args: string[], cwd: string): string {
  // The project's own Node comes first, so that the compiler and npm's scripts run on it.
  const PATH = `${dirname(process.execPath)}:${join(ROOT, 'node_modules', '.bin')}:${process.env.PATH}`
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

test('what is published holds no TypeScript source, no test and no setting of this machine', () => {
  expect(files).toEqual(expect.arrayContaining(['package/bin/fyr.mjs', 'package/dist/cli/main.js']))
  expect(files.filter((file) => /(?<!\.d)\.ts$|\.test\.|\/data\/|\.env/.test(file))).toEqual([])
})

test('there is one way to the client, its own package: the service publishes none beside it', () => {
  expect(files.filter((file) => file.startsWith('package/dist/client/') || file.endsWith('.tgz'))).toEqual([])
  const { exports } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
  expect(Object.keys(exports)).toEqual(['./package.json'])
})

test('A54: what is published holds no secret', () => {
  const scan = () =>
    spawnSync('node', [join(ROOT, 'scripts/check-secrets.ts'), unpacked], {
      encoding: 'utf8',
    })
  expect(scan()).toMatchObject({ status: 0, stderr: '' })
  const planted = join(unpacked, 'dist', 'planted.js')
  writeFileSync(planted, `export const key = '${newApiKey()}'`)
  expect(scan()).toMatchObject({ status: 1, stderr: expect.stringContaining('planted.js:1: this looks like a key') })
  rmSync(planted)
})
