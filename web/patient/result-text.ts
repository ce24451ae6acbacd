import type { OutcomeView, SessionView } from './api.ts'
import type { Whom } from './whom.ts'
import type { Words } from './words/words.ts'

/** A result and everything that is shown with it. */
export type Told = {
  view: SessionView
  outcome: OutcomeView
  words: Words
  name: string
  /** Whom to call for what is no emergency. */
  whom: Whom | null
  emergency: string
}

/** The short reference, as people say it on the phone: the first eight characters of the session's id. */
export const referenceOf = (sessionId: string): string =>
  `${sessionId.slice(0, 4)} ${sessionId.slice(4, 8)}`.toUpperCase()

export const isEmergency = ({ level }: OutcomeView): boolean => level !== null && level <= 'Level3'

/** Up to level 4 the number to call is in the verdict itself. */
export const isCallingNow = ({ level }: OutcomeView): boolean => level !== null && level <= 'Level4'

/** Danger matters; what is mild is explained. */
export const meaningTitle = (outcome: OutcomeView, { alarm, result }: Words): string =>
  isCallingNow(outcome) ? alarm.meaning : result.why

/** The result as a plain text to share: what the page shows, and nothing else. */
export function resultText({ view, outcome, words, name, whom, emergency }: Told): string {
  const { result, alarm } = words
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : ['', title, ...items.map((item) => `- ${item}`)]
  return [
    name,
    '',
    outcome.title,
    outcome.text,
    ...(isEmergency(outcome) ? [words.call(emergency)] : whom ? [whom.label] : []),
    ...list(alarm.say, outcome.say ? [outcome.say] : []),
    ...list(alarm.first, outcome.firstActions),
    ...list(result.because, outcome.because),
    ...list(meaningTitle(outcome, words), outcome.reasons),
    ...list(result.next, outcome.next),
    ...list(result.advice, outcome.advice),
    ...list(isEmergency(outcome) ? result.until : result.sooner, outcome.safetyNet),
    '',
    `${result.reference}: ${referenceOf(view.sessionId)}`,
    ...(outcome.reviewNotice ? ['', words.notReviewed] : []),
    '',
  ].join('\n')
}
