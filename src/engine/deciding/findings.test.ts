import fc from 'fast-check'
import { expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { SWEEP } from '../../../test/world/sweep.ts'
import { play, randomPatient, valuesOf } from '../check/simulated-patients.ts'
import { findingsFrom, type InterviewFindings } from './findings.ts'

const { content } = await realContent()

/** The truth of every condition of the content and the standing of every question, on one line to compare. */
function everything(findings: InterviewFindings): string {
  const marks = Array.from({ length: content.conditions.count }, (_, test) => findings.truths.of(test))
  const standings = content.questions.map((_, slot) => findings.standing(slot))
  return `${marks.join('')} ${standings.join('')}`
}

test('an answer that is supposed does to every condition and question what the answer itself would do', () => {
  const patients = fc.record({
    seed: fc.nat(),
    complaints: fc.uniqueArray(fc.constantFrom(...content.complaints.keys()), { minLength: 1, maxLength: 3 }),
  })
  fc.assert(
    fc.property(patients, fc.infiniteStream(fc.nat()), ({ seed, complaints }, picks) => {
      const { answers } = play(content, randomPatient(content, complaints, seed))
      const findings = findingsFrom(content, answers)
      const before = everything(findings)
      for (const slot of findings.answered.filter((one) => !content.intake.includes(one))) {
        const question = content.questions[slot]?.question ?? expect.fail(`no question ${slot}`)
        const values = valuesOf(content, question)
        const value = values[(picks.next().value ?? 0) % values.length] ?? null
        const said = findings.said(slot) ?? null
        findings.suppose(slot, value)
        const meant = everything(findingsFrom(content, [...answers, { question: question.id, value }]))
        expect(everything(findings) === meant, `${question.id} ${JSON.stringify(value)}`).toBe(true)
        findings.suppose(slot, said)
      }
      expect(everything(findings) === before).toBe(true)
    }),
    { numRuns: 20 * SWEEP },
  )
})

test('a danger is told by its special case, also when its own row on the same screen stayed empty or unsure', () => {
  const pairs = [...content.slotOf].flatMap(([special, slot]) =>
    (content.relations[slot]?.implies ?? []).map((general) => [special, general] as const),
  )
  expect(pairs.length).toBeGreaterThan(50)
  const slice = SWEEP > 1 ? pairs : pairs.filter((_, at) => at % 4 === 0)
  for (const [special, general] of slice) {
    const question = content.questions[general]?.question ?? expect.fail(`no question ${general}`)
    for (const value of [false, null]) {
      const findings = findingsFrom(content, [
        { question: question.id, value },
        { question: special, value: true },
      ])
      expect(findings.value(general), `${special} with ${question.id}`).toBe(question.redFlag ? true : value)
      expect(findings.said(general)).toBe(value)
      if (!question.redFlag) continue
      expect(findings.tellersOf(question.id)).toEqual([special])
      const both = findingsFrom(
        content,
        [question.id, special].map((id) => ({ question: id, value: true })),
      )
      expect(everything(findings) === everything(both), `${special} with ${question.id}`).toBe(true)
    }
  }
})
