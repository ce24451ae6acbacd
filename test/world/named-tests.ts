import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'

/** A test that a document relies on. `test` is its name, or its name after those of what it stands in: `describe › test`. */
export type NamedTest = { by: string; file: string; test: string; isLong: boolean }

export type Control = { does: string; file: string; test: string }
export type Hazard = { id: string; harm: string; controls: Control[] }

const HAZARDS = 'safety/hazards.yaml'
const PROMISES = 'docs/promises.md'

/** The slow sweeps are named with this mark, and run by `npm run test:long`. */
const LONG = /\s*\(long\)$/
const BETWEEN = ' › '

export const readHazards = (root: string): Hazard[] =>
  (load(readFileSync(join(root, HAZARDS), 'utf8')) as { hazards: Hazard[] }).hazards

/** Every test that the log of hazards and, where there is one, the list of promises name. */
export function namedTests(root: string): NamedTest[] {
  const controls = readHazards(root).flatMap(({ id, controls }) =>
    controls.map(({ file, test }) => namedTest(`${HAZARDS} ${id}`, file, test)),
  )
  const promises = join(root, PROMISES)
  return [...controls, ...(existsSync(promises) ? testsInTable(readFileSync(promises, 'utf8')) : [])]
}

/** The tests that the cells of a table name as `file › test name`, one after the other. */
export function testsInTable(text: string): NamedTest[] {
  return text.split('\n').flatMap((line, at) => {
    if (!line.trimStart().startsWith('|')) return []
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.replace(/\\\|/g, '|').replace(/<br\s*\/?>/g, ' '))
    return cells.flatMap((cell) => {
      const places = [...cell.matchAll(/([\w./-]+\.test\.tsx?) › /g)]
      return places.map((place, index) => {
        const name = cell.slice(place.index + place[0].length, places[index + 1]?.index)
        return namedTest(`${PROMISES}:${at + 1}`, place[1] ?? '', plain(name))
      })
    })
  })
}

/** Without the marks after a name, of code and between two. */
const plain = (name: string): string =>
  name
    .trim()
    .replace(/[,;`\s]+$/, '')
    .replace(/`?\s*\(long\)$/, ' (long)')

function namedTest(by: string, file: string, test: string): NamedTest {
  return { by, file, test: test.replace(LONG, ''), isLong: LONG.test(test) }
}

/** What came of a test, under its name and those of what it stands in, outermost first. */
export type RanTest = { file: string; names: readonly string[]; state: 'passed' | 'failed' | 'skipped' }

/** How much ran: everything, or what somebody picked by file or by name. */
export type Run = { isWhole: boolean; isPickedByName: boolean; isCi: boolean }

export type Judged = { faults: string[]; notShown: string[] }

/**
 * Whether the named tests ran and passed. One that was skipped because something is missing on this machine is not shown here,
 * which only a machine made for checking takes for a fault. Of a part only what ran is judged.
 */
export function judge(named: readonly NamedTest[], ran: readonly RanTest[], run: Run): Judged {
  const judged: Judged = { faults: [], notShown: [] }
  const isLongRun = ran.some(({ file }) => file.endsWith('.long.test.ts'))
  for (const one of named.filter(({ isLong }) => isLong === isLongRun)) {
    const isThere = ran.some(({ file }) => file === one.file)
    if (!isThere && !run.isWhole) continue
    const found = ran.filter(({ file, names }) => file === one.file && isCalled(names, one.test))
    const says = (what: string) => `${one.by}: ${one.file}${BETWEEN}${one.test}: ${what}`
    if (found.length === 0) judged.faults.push(says(isThere ? 'there is no such test' : 'the file did not run'))
    else if (found.some(({ state }) => state === 'failed')) judged.faults.push(says('failed'))
    else if (found.some(({ state }) => state === 'skipped') && !run.isPickedByName)
      judged[run.isCi ? 'faults' : 'notShown'].push(says('was skipped'))
  }
  return judged
}

const isCalled = (names: readonly string[], test: string): boolean =>
  names.some((_name, from) => names.slice(from).join(BETWEEN) === test)
