import fc from 'fast-check'
import { expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
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
        const said = findings.value(slot)
        findings.suppose(slot, value)
        const meant = everything(findingsFrom(content, [...answers, { question: question.id, value }]))
        expect(everything(findings) === meant, `${question.id} ${JSON.stringify(value)}`).toBe(true)
        findings.suppose(slot, said)
      }
      expect(everything(findings) === before).toBe(true)
    }),
    { numRuns: 60 },
  )
})
