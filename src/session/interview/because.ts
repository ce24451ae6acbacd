import type { Fact, Value } from '../../engine/content.ts'
import { answerWords, type Speech } from './speech.ts'

/** What was answered that led here, in the user's own words: a sign as its row said it, any other answer after its question. Who the patient is goes without saying, and so does what is not there. */
export function toldBecause(speech: Speech, facts: readonly Fact[]): string[] {
  const { release } = speech.content
  const chosen = new Map<string, Set<string>>()
  const lines = new Map<string, () => string>()
  for (const { question, value, option, state } of facts) {
    const kind = release.questions[question]?.kind
    if (state === 'denied' || kind === undefined || release.intake.includes(question)) continue
    const text = speech.say(`question.${question}.text`) ?? question
    const answered = (answer: Value) => `${text} ${answerWords(speech, question, answer)}`
    if (state === 'unsure') lines.set(question, () => speech.say('common.notSure', { what: text }) ?? text)
    else if (kind === 'sign') lines.set(question, () => text)
    else if (option !== undefined) {
      const options = chosen.get(question) ?? new Set()
      chosen.set(question, options.add(option))
      lines.set(question, () => answered([...options]))
    } else if (!chosen.has(question)) lines.set(question, () => answered(value))
  }
  return [...lines.values()].map((line) => line())
}
