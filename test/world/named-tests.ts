import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'

/**
 * A test that a document relies on. `test` is its name, its name after those of its describes (`describe › test`), or
 * the name of a `describe`, which stands for everything in it. `…` in a name matches anything: one sentence about many
 * cases.
 */
export type NamedTest = { by: string; file: string; test: string; isLong: boolean }

export type Control = { does: string; file: string; test: string }
export type Hazard = { id: string; harm: string; controls: Control[] }

/** What is promised, the tests that show it by file, the bench that measures it, and what of it is not shown yet. */
export type Promised = {
  id: string
  promise: string
  tests?: Record<string, string[]>
  bench?: string
  missing?: string
}

const HAZARDS = 'safety/hazards.yaml'
const PROMISES = 'safety/promises.yaml'
const BETWEEN = ' › '

/** Needs an S3-compatible server, which even a CI machine may lack. */
const MAY_BE_LEFT_OUT = ['test/triage/objects.test.ts']

const read = (root: string, file: string): unknown => load(readFileSync(join(root, file), 'utf8'))

export const readHazards = (root: string): Hazard[] => (read(root, HAZARDS) as { hazards: Hazard[] }).hazards

export function readPromises(root: string): Promised[] {
  if (!existsSync(join(root, PROMISES))) return []
  return (read(root, PROMISES) as { promises: Promised[] }).promises
}

/** Every test named in the hazard log and in the list of promises. */
export function namedTests(root: string): NamedTest[] {
  const controls = readHazards(root).flatMap(({ id, controls }) =>
    controls.map(({ file, test }) => namedTest(`${HAZARDS} ${id}`, file, test)),
  )
  const promises = readPromises(root).flatMap(({ id, tests = {} }) =>
    Object.entries(tests).flatMap(([file, names]) => names.map((test) => namedTest(`${PROMISES} ${id}`, file, test))),
  )
  return [...controls, ...promises]
}

/** Slow sweeps are recognised by their file name, and run by `npm run test:long`. */
export const isLongFile = (file: string): boolean => file.endsWith('.long.test.ts')

const namedTest = (by: string, file: string, test: string): NamedTest => ({ by, file, test, isLong: isLongFile(file) })

/** The result of a test, with its name after those of its describes, outermost first. `elsewhere`: left to the other command. */
export type RanTest = { file: string; names: readonly string[]; state: 'passed' | 'failed' | 'skipped' | 'elsewhere' }

/** How much ran: everything, or a selection by file or by name. */
export type Run = { isWhole: boolean; isPickedByName: boolean; isCi: boolean }

export type Judged = { faults: string[]; notShown: string[] }

/**
 * Whether the named tests ran and passed. A test skipped because this machine lacks something is a fault only in CI,
 * unless CI may lack it too. In a partial run only what ran is judged.
 */
export function judge(named: readonly NamedTest[], ran: readonly RanTest[], run: Run): Judged {
  const judged: Judged = { faults: [], notShown: [] }
  const isLongRun = ran.some(({ file }) => isLongFile(file))
  for (const one of named.filter(({ isLong }) => isLong === isLongRun)) {
    const inFile = ran.filter(({ file }) => file === one.file)
    if (inFile.length === 0 && !run.isWhole) continue
    const found = inFile.filter(({ names }) => isCalled(names, one.test))
    const says = (what: string) => `${one.by}: ${one.file}${BETWEEN}${one.test}: ${what}`
    if (found.length === 0)
      judged.faults.push(says(inFile.length > 0 ? 'there is no such test' : 'the file did not run'))
    else if (found.some(({ state }) => state === 'failed')) judged.faults.push(says('failed'))
    else if (found.some(({ state }) => state === 'skipped') && !run.isPickedByName)
      judged[run.isCi && !MAY_BE_LEFT_OUT.includes(one.file) ? 'faults' : 'notShown'].push(says('was skipped'))
  }
  return judged
}

/** Whether a test, or one of its describes, has this name. */
function isCalled(names: readonly string[], test: string): boolean {
  const parts = test.split('…').map((part) => RegExp.escape(part))
  const called = new RegExp(`^${parts.join('.*')}$`, 's')
  return names.some((_name, from) =>
    names.slice(from).some((_inner, count) => called.test(names.slice(from, from + count + 1).join(BETWEEN))),
  )
}
