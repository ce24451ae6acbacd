import type { FollowUp, Value } from './content.ts'

/** The parts of a question that decide its place on a screen. */
interface OnScreen {
  readonly id: string
  readonly followUp?: FollowUp
  readonly proposal?: unknown
}

/** Whether an answer calls for a follow-up to it. */
function callsFor({ options }: FollowUp, value: Value | undefined): boolean {
  const chosen = Array.isArray(value) ? value : typeof value === 'string' ? [value] : []
  return chosen.some((option) => (options ? options.includes(option) : option !== 'none'))
}

/** Whether a question of a screen is to be answered, given the other answers on it: a follow-up only where one of them calls for it. */
export function isToBeAnswered(
  { followUp }: OnScreen,
  screen: readonly OnScreen[],
  said: (question: string) => Value | undefined,
): boolean {
  return !followUp || !screen.some(({ id }) => id === followUp.of) || callsFor(followUp, said(followUp.of))
}

/**
 * Answers to a whole screen by someone who has a value for every question, or undefined where they have none. What is only proposed they leave
 * out, to be asked about it.
 */
export function answerScreen<Question extends OnScreen, Said extends Value | undefined>(
  screen: readonly Question[],
  valueFor: (question: Question) => Said,
): { readonly question: string; readonly value: Said }[] {
  const said = new Map<string, Value | undefined>()
  return screen.flatMap((question) => {
    if (question.proposal || !isToBeAnswered(question, screen, (id) => said.get(id))) return []
    const value = valueFor(question)
    said.set(question.id, value)
    return [{ question: question.id, value }]
  })
}
