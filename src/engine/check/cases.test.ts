import { beforeAll, describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import type { WorkedCase } from '../compile/cases.ts'
import type { Content } from '../load.ts'
import { checkContent } from './check-content.ts'
import { isNoticed, mutantsOf } from './mutate.ts'
import { differences, runCase } from './run-case.ts'

let content: Content
let cases: WorkedCase[]
beforeAll(async () => {
  const real = await realContent()
  content = real.content
  cases = real.cases
})

const LEAST_CASES = 100
const LEAST_PER_COMPLAINT = 15

describe('the content of this release', () => {
  test('every worked case comes out as it should', () => {
    const wrong = cases.flatMap((worked) =>
      differences(worked, runCase(content, worked)).map(
        (message) => `${worked.place.join(':')}: ${worked.id}: ${message}`,
      ),
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
    const found = checkContent(content, cases, { walks: 20, turned: 4 })
    expect(found.map(({ file, line, message }) => `${file}:${line}: ${message}`)).toEqual([])
  })

  test('most patients have few questions: a median of 15 for each complaint, 25 at most', () => {
    for (const { id, kind } of content.release.complaints) {
      const lengths = cases
        .filter(({ complaint }) => complaint === id)
        .flatMap((worked) => {
          const run = runCase(content, worked)
          const own = new Set(content.complaints.get(id)?.complaint.questions.map((question) => question.id))
          return run.kind === 'done' ? [run.asked.filter((question) => own.has(question)).length] : []
        })
        .sort((a, b) => a - b)
      if (kind === 'emergency') continue
      expect(lengths[lengths.length >> 1], `median of ${id}`).toBeLessThanOrEqual(15)
      expect(lengths.at(-1), `most of ${id}`).toBeLessThanOrEqual(25)
    }
  })

  test('a slice of the mutation check: every seventh rule changed by one step is noticed by a case', () => {
    const mutants = content.release.complaints.flatMap((complaint) => [...mutantsOf(content.release, complaint)])
    const missed = mutants.filter((mutant, at) => at % 7 === 0 && !isNoticed(mutant, cases))
    expect(missed.map(({ complaint, rule, what }) => `${complaint}/${rule} ${what}`)).toEqual([])
    expect(mutants.length).toBeGreaterThan(100)
  })
})
