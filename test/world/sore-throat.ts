import { negativeAnswer } from '../../src/engine/check/run-case.ts'
import type { Answer, Step, Value } from '../../src/engine/content.ts'
import { interview } from '../../src/engine/interview.ts'
import type { Content } from '../../src/engine/load.ts'
import { answerScreen } from '../../src/engine/screens.ts'

/** What a woman of 30 with a sore throat says before the questions about it begin. */
export const INTAKE = {
  for_whom: 'self',
  age: 30,
  sex: 'female',
  issue_type: 'regular',
  matter: 'My throat hurts',
  complaints: ['sore-throat'],
} as const

/** What she answers where "no" is no answer: an ordinary cold. */
export const WELL = {
  fluid_intake: 'normal',
  pain_severity: 3,
  throat_cough: true,
  throat_duration: { amount: 4, unit: 'days' },
  course: 'same',
} as const

/** Continues with "no" wherever possible, until the interview is done or asks something that has no "no". */
export function goOn(
  content: Content,
  said: readonly Answer[],
  more: Readonly<Record<string, Value>>,
): { said: Answer[]; step: Step } {
  const all = [...said]
  for (let steps = 0; steps < 60; steps++) {
    const step = interview(content, all)
    if (step.kind === 'done') return { said: all, step }
    const told = answerScreen(step.questions, (one) => (one.id in more ? more[one.id] : negativeAnswer(one)))
    if (told.some(({ value }) => value === undefined)) return { said: all, step }
    all.push(...told.map(({ question, value }) => ({ question, value: value ?? null })))
  }
  throw new Error('The interview does not end.')
}
