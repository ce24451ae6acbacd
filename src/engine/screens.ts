import type { Answer, AskedQuestion, FollowUp, Value } from './content.ts'

/** Whether an answer calls for a follow-up to it. */
export function callsFor({ options }: FollowUp, value: Value | undefined): boolean {
  const chosen = Array.isArray(value) ? value : typeof value === 'string' ? [value] : []
  return chosen.some((option) => (options ? options.includes(option) : option !== 'none'))
}

/** Whether a question of a screen is to be answered, given the other answers on it: a follow-up only where one of them calls for it. */
export function isToBeAnswered(
  { followUp }: Pick<AskedQuestion, 'followUp'>,
  screen: readonly Pick<AskedQuestion, 'id'>[],
  valueOf: (question: string) => Value | undefined,
): boolean {
  return !followUp || !screen.some(({ id }) => id === followUp.of) || callsFor(followUp, valueOf(followUp.of))
}

/** Answers to a whole screen by someone who has a value for every question; undefined where there is none. */
export function answerScreen(
  screen: readonly AskedQuestion[],
  valueFor: (question: AskedQuestion) => Value | undefined,
): (Answer | { readonly question: string; readonly value: undefined })[] {
  const said = new Map<string, Value>()
  return screen.flatMap((question) => {
    if (!isToBeAnswered(question, screen, (id) => said.get(id))) return []
    const value = valueFor(question)
    if (value !== undefined) said.set(question.id, value)
    return [{ question: question.id, value }]
  })
}
