import { beforeAll, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { runCase } from '../check/run-case.ts'
import type { WorkedCase } from '../compile/cases.ts'
import type { Answer, Value } from '../content.ts'
import type { Content } from '../load.ts'
import { outcomeSoFar } from './conclude.ts'

let content: Content
let cases: WorkedCase[]
beforeAll(async () => {
  const real = await realContent()
  content = real.content
  cases = real.cases
})

/** What the patient of a worked case told that the level rests on; what is denied, and who they are, tells nothing. */
function toldIn(complaint: string, id: string): string[] {
  const worked = cases.find((one) => one.complaint === complaint && one.id === id)
  const run = worked && runCase(content, worked)
  if (run?.kind !== 'done') throw new Error(`${complaint}/${id} does not end.`)
  return run.outcome.reasons
    .flatMap(({ answers }) => answers)
    .filter(({ state, question }) => state !== 'denied' && !content.release.intake.includes(question))
    .map(({ question }) => question)
}

test('where no rule holds, what was ticked is what the level rests on', () => {
  expect(toldIn('urine', 'burning-with-discharge')).toContain('urine_burning_or_urge')
  expect(toldIn('general', 'sinusitis')).toContain('general_area')
})

test('who ticked nothing has told how long it has lasted', () => {
  expect(toldIn('urine', 'odd-at-64')).toEqual(['ur_duration'])
})

test('a rule that reads only the age tells what was said as well', () => {
  expect(toldIn('headache', 'toddler')).not.toEqual([])
})

/** The conditions to consider that some answers lead to, each with the signs that speak for it. */
const consideredIn = (answers: readonly Answer[]): Map<string, string[]> =>
  new Map(
    outcomeSoFar(content, answers).considerations.map((one) => [
      one.differential,
      one.for.map(({ question }) => question),
    ]),
  )

const said = (answers: Record<string, Value>): Answer[] =>
  Object.entries(answers).map(([question, value]) => ({ question, value }))

test('what the emergency check points to is considered first, where one of its rules holds', () => {
  const before = { for_whom: 'self', age: 67, sex: 'male', issue_type: 'regular', complaints: ['skin-change'] }
  expect([...consideredIn(said(before)).keys()]).not.toContain('acute-coronary-syndrome')
  const [first] = consideredIn(said({ ...before, chest_pressure_5_minutes: true }))
  expect(first).toEqual(['acute-coronary-syndrome', expect.arrayContaining(['chest_pressure_5_minutes'])])
})

test('a condition that several complaints point to is named once, with all that speaks for it', () => {
  const considered = outcomeSoFar(
    content,
    said({
      for_whom: 'self',
      age: 67,
      sex: 'male',
      issue_type: 'regular',
      complaints: ['chest-pain', 'breathlessness'],
      chest_pressure_5_minutes: true,
      chest_trouble: 'pain',
      chest_timing: 'now',
      chest_where: ['centre'],
      leg_swollen_one_side: true,
      breathless_at_rest: true,
    }),
  ).considerations.map(({ differential }) => differential)
  expect(considered).toContain('acute-coronary-syndrome')
  expect(considered).toEqual([...new Set(considered)])
})

test('a text that speaks unless something is known speaks where that was never asked', () => {
  const worked = cases.find(({ complaint, id }) => complaint === 'skin-infection' && id === 'ringworm')
  const run = worked && runCase(content, worked)
  if (run?.kind !== 'done') throw new Error('skin-infection/ringworm does not end.')
  expect(run.asked).not.toContain('creeping_line')
  expect(run.outcome.advice).toContain('advice.skin-infection.fungus')
})
