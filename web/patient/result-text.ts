import type { OutcomeView, SessionView } from './api.ts'
import { answerText } from './ledger.tsx'
import type { Words } from './words/words.ts'

/** The session as people say it on the phone: the first eight signs of its id. */
export const referenceOf = (sessionId: string): string =>
  `${sessionId.slice(0, 4)} ${sessionId.slice(4, 8)}`.toUpperCase()

/** The result as a plain text to keep. */
export function resultText(view: SessionView, outcome: OutcomeView, words: Words, name: string): string {
  const { result } = words
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : ['', title, ...items.map((item) => `- ${item}`)]
  return [
    name,
    `${result.reference}: ${referenceOf(view.sessionId)} (${view.sessionId})`,
    '',
    outcome.title,
    outcome.text,
    ...(outcome.reviewNotice ? ['', words.notReviewed] : []),
    ...list(result.because, outcome.reasons),
    ...list(result.advice, outcome.advice),
    ...list(result.sooner, outcome.safetyNet),
    ...list(
      words.chat.answers,
      view.ledger.map((entry) => `${entry.text} ${answerText(entry, words)}`),
    ),
    '',
  ].join('\n')
}
