import { beforeAll, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { runCase } from '../check/run-case.ts'
import type { WorkedCase } from '../compile/cases.ts'
import type { Content } from '../load.ts'

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
