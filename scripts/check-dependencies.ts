// Checks package.json, those of its workspaces and package-lock.json, here or in the given folder, against
// safety/dependencies.yaml. Reads nothing else, so it needs no network.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { differences } from '../src/engine/text/differences.ts'

type Rules = {
  licences: string[]
  unusual: { packages: string[]; licences: string[]; reason: string }[]
  installScripts: { packages: string[]; reason: string }[]
  popular: string[]
  alike: [string, string][]
}
type Manifest = { [part in Part]?: Record<string, string> } & { workspaces?: string[] }
type Locked = Manifest & {
  name?: string
  version?: string
  resolved?: string
  integrity?: string
  license?: string
  hasInstallScript?: boolean
  link?: boolean
  /** It lies in the archive of the package it is in, so it has that one's hash. */
  inBundle?: boolean
}

const PARTS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
type Part = (typeof PARTS)[number]

const EXACT = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/
const STATED_NOWHERE = 'none stated'

/** Shorter names are similar by chance. */
const SHORTEST_TO_COMPARE = 4

const folder = process.argv[2] ?? '.'
const read = (path: string): string => readFileSync(path, 'utf8')
const rules = load(read(join(import.meta.dirname, '../safety/dependencies.yaml'))) as Rules
const manifestIn = (place: string): Manifest => JSON.parse(read(join(folder, place, 'package.json')))
const { packages }: { packages: Record<string, Locked> } = JSON.parse(read(join(folder, 'package-lock.json')))
/** Where our own manifests are: at the root, and in the workspaces. */
const own = ['', ...(manifestIn('').workspaces ?? [])]
const locked = Object.fromEntries(Object.entries(packages).filter(([place, entry]) => !isOurs(place, entry)))

function isOurs(place: string, { link, resolved }: Locked): boolean {
  return own.includes(link ? (resolved ?? '') : place)
}

/** Our direct dependencies are pinned to exact versions and match the lock file. */
function* manifestFaults(place: string): Generator<string> {
  const manifest = manifestIn(place)
  const path = join(place, 'package.json')
  for (const part of PARTS) {
    for (const [name, version] of Object.entries(manifest[part] ?? {})) {
      if (!EXACT.test(version)) yield `${path}: ${name} is "${version}", which is no exact version.`
      if (packages[place]?.[part]?.[name] !== version)
        yield `package-lock.json is not of this ${path}: it has another version of ${name}. Run npm install.`
    }
  }
}

function* faultsOf([place, entry]: [string, Locked]): Generator<string> {
  const name = nameOf(place)
  const called = `${name}@${entry.version}`
  if (entry.name && entry.name !== name) yield `${called} is another package in disguise: ${entry.name}.`
  if (entry.resolved || entry.link || !EXACT.test(entry.version ?? ''))
    yield `${called} comes from ${entry.resolved ?? 'somewhere else'}, not from the registry.`
  if (!isHashed(entry) && !(entry.inBundle && isHashed(locked[hostOf(place)])))
    yield `${called} has no sha512 hash to be recognised by.`
  const licence = entry.license ?? STATED_NOWHERE
  if (!isAllowed(name, licence)) yield `${called} has a licence that nobody agreed to: ${licence}.`
  if (entry.hasInstallScript && !rules.installScripts.some((one) => one.packages.includes(called)))
    yield `${called} runs a script when it is installed, and nobody agreed to that.`
}

const isHashed = (entry: Locked | undefined): boolean => entry?.integrity?.startsWith('sha512-') === true

/** The package that a bundled one came in: node_modules/a for node_modules/a/node_modules/@b/c. */
const hostOf = (place: string): string => place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/')))

/** The package name at the end of a lock file path: node_modules/a/node_modules/@b/c is @b/c. */
function nameOf(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function isAllowed(name: string, expression: string): boolean {
  const unusual = rules.unusual.filter((one) => one.packages.some((pattern) => matches(pattern, name)))
  const known = new Set([...rules.licences, ...unusual.flatMap(({ licences }) => licences)])
  const plain = expression.replace(/[()]/g, '')
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((one) => known.has(one)))
}

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern

/** A name one letter away from one in use, or from a well-known one, may be typosquatting. */
function* nameFaults(): Generator<string> {
  const names = [...new Set(Object.keys(locked).map(nameOf))].filter((name) => name.length >= SHORTEST_TO_COMPARE)
  for (const [at, name] of names.entries())
    for (const other of new Set([...rules.popular, ...names.slice(0, at)])) {
      if (name === other || rules.popular.includes(name)) continue
      if (rules.alike.some((pair) => pair.includes(name) && pair.includes(other))) continue
      if (differences(name, other, 1) <= 1)
        yield `${name} is one letter away from ${other}, and nobody said that it is meant.`
    }
}

const faults = [
  ...own.flatMap((place) => [...manifestFaults(place)]),
  ...Object.entries(locked).flatMap((one) => [...faultsOf(one)]),
  ...nameFaults(),
]
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
