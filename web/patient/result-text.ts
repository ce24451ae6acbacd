import type { OutcomeView, SessionView } from './api.ts'
import { answerText } from './ledger.tsx'
import type { Whom } from './whom.ts'
import type { Words } from './words/words.ts'

/** A result and everything that is shown with it. */
export type Told = {
  view: SessionView
  outcome: OutcomeView
  words: Words
  name: string
  clinic: string | null
  /** Whom to call when it is no emergency. */
  whom: Whom | null
  emergency: string
}

/** The short reference, as people say it on the phone: the first eight characters of the session's id. */
export const referenceOf = (sessionId: string): string =>
  `${sessionId.slice(0, 4)} ${sessionId.slice(4, 8)}`.toUpperCase()

export const isEmergency = ({ level }: OutcomeView): boolean => level !== null && level <= 'Level3'

/** Up to level 4 the number to call is in the verdict itself. */
export const isCallingNow = ({ level }: OutcomeView): boolean => level !== null && level <= 'Level4'

/** What happens now, and who acts: one sentence each. */
export function nextSteps({ view, outcome, words: { result }, name, clinic, whom }: Told): string[] {
  const received = outcome.complete ? result.received(name) : `${result.received(name)} ${result.stopped}`
  if (isEmergency(outcome)) return [received, result.doNotWait]
  if (outcome.level === 'Level8') return [received, result.selfCare(name)]
  const notHeard = clinic && !isCallingNow(outcome) ? [result.notHeard] : []
  // A prescription or certificate is handled without a call to anyone.
  if (!view.reachable && outcome.level === null) return [received, ...notHeard]
  if (!view.reachable) return [received, result.arrange(name, whom?.number ?? null)]
  return [received, result.contact(name), ...notHeard]
}

/** The result as a plain text to keep. */
export function resultText(told: Told, at: Date): string {
  const { view, outcome, words, name, whom, emergency } = told
  const { result } = words
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : ['', title, ...items.map((item) => `- ${item}`)]
  const day = new Intl.DateTimeFormat(words.locale, { dateStyle: 'long', timeStyle: 'short' }).format(at)
  return [
    name,
    `${result.reference}: ${referenceOf(view.sessionId)} (${view.sessionId})`,
    result.saved(day),
    '',
    outcome.title,
    outcome.text,
    ...(outcome.reviewNotice ? ['', words.notReviewed] : []),
    ...list(result.because, outcome.reasons),
    ...list(result.next, nextSteps(told)),
    ...list(result.advice, outcome.advice),
    ...list(isEmergency(outcome) ? result.until : result.sooner, outcome.safetyNet),
    '',
    ...(whom ? [whom.label] : []),
    words.call(emergency),
    ...list(
      words.chat.answers,
      view.ledger.map((entry) => `${entry.text} ${answerText(entry, words)}`),
    ),
    '',
  ].join('\n')
}
