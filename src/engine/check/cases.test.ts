// @module-tag thorough
import { beforeAll, describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import type { WorkedCase } from '../compile/cases.ts'
import type { Content } from '../load.ts'
import { checkContent } from './check-content.ts'
import { isNoticed, mutantsOf } from './mutate.ts'
import { type CaseRun, differences, runCase } from './run-case.ts'

let content: Content
let cases: WorkedCase[]
let runs: { worked: WorkedCase; run: CaseRun }[]
beforeAll(async () => {
  const real = await realContent()
  content = real.content
  cases = real.cases
  runs = cases.map((worked) => ({ worked, run: runCase(content, worked) }))
})

const LEAST_CASES = 100
const LEAST_PER_COMPLAINT = 15

/** How many changed rules are tried here; all of them in `npm run test:long`. */
const MUTANTS = 20
/** Every so many complaints are walked here; all of them whenever the content's proof is written, and by `npm run check:content`. */
const EVERY = 6

describe('the content of this release', () => {
  test('every worked case comes out as it should', () => {
    const wrong = runs.flatMap(({ worked, run }) =>
      differences(worked, run).map((message) => `${worked.place.join(':')}: ${worked.id}: ${message}`),
    )
    expect(wrong).toEqual([])
    expect(cases.length).toBeGreaterThanOrEqual(LEAST_CASES)
  })

  test('every complaint has worked cases enough', () => {
    for (const { id } of content.release.complaints) {
      const own = cases.filter(({ complaint }) => complaint === id)
      expect(own.length, id).toBeGreaterThanOrEqual(LEAST_PER_COMPLAINT)
    }
  })

  test('keeps the safety rules', () => {
    const known = new Map(runs.map(({ worked, run }) => [worked, run]))
    const some = content.release.complaints.filter((_, at) => at % EVERY === 0)
    const found = some.flatMap(({ id }) =>
      checkContent(content, cases, { walks: 10, turned: 2, only: id, runs: known }),
    )
    expect(found.map(({ file, line, message }) => `${file}:${line}: ${message}`)).toEqual([])
  })

  test('a rule of Level1–4 that no worked case fires, or none comes close to, is told with its place', () => {
    const only = 'sore-throat'
    const found = checkContent(content, [], { walks: 0, only }).map(
      ({ file, line, message }) => `${file}:${line} ${message}`,
    )
    const rules = content.complaints.get(only)?.complaint.rules.filter(({ level }) => level <= 'Level4') ?? []
    expect(rules.length).toBeGreaterThan(3)
    for (const { id, place } of rules) {
      expect(found).toContainEqual(
        expect.stringMatching(new RegExp(`^${place.join(':')} Rule "${id}" .* is fired by no`)),
      )
      expect(found).toContainEqual(
        expect.stringMatching(new RegExp(`^${place.join(':')} Rule "${id}" .* has no near miss`)),
      )
    }
  })

  test('most patients have few screens: a median of 16 for each complaint, 25 at most', () => {
    for (const { id, kind } of content.release.complaints) {
      const lengths = runs
        .filter(({ worked }) => worked.complaint === id)
        .flatMap(({ run }) => (run.kind === 'done' ? [run.screens] : []))
        .sort((a, b) => a - b)
      if (kind === 'emergency') continue
      expect(lengths[lengths.length >> 1], `median of ${id}`).toBeLessThanOrEqual(16)
      expect(lengths.at(-1), `most of ${id}`).toBeLessThanOrEqual(25)
    }
  })

  test('a slice of the mutation check: changes of a rule by one step, spread over the content, are noticed by a case', () => {
    const mutants = content.release.complaints.flatMap((complaint) => [...mutantsOf(content.release, complaint)])
    const every = Math.ceil(mutants.length / MUTANTS)
    const missed = mutants.filter((mutant, at) => at % every === 0 && !isNoticed(mutant, cases))
    expect(missed.map(({ complaint, rule, what }) => `${complaint}/${rule} ${what}`)).toEqual([])
    expect(mutants.length).toBeGreaterThan(100)
  })
})
