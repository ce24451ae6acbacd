import type { Step, Value } from '../../engine/content.ts'
import { kindOf } from '../../engine/kinds.ts'
import type { HistoryEntry } from '../interview/interview.ts'
import { answerWords, type Speech } from '../interview/speech.ts'
import { labelOf } from './clinical-words.ts'

/** One moment of the interview: an answer, a change of one, or going back. */
export type ChronologyEntry = {
  at: string
  kind: 'answered' | 'changed' | 'withdrawn'
  label: string
  /** The question as the patient read it, in the clinician's language. */
  asked: string
  answer: string | null
  before: string | null
  /** The patient's own words, to be shown as they are. */
  words: boolean
  /** Whether this answer is the one that counts in the end. */
  counts: boolean
  /** Where an answer comes from that was proposed and confirmed. */
  from: 'own-words' | 'integrator' | null
}

/** Everything the patient did, in order, including changes and withdrawals. */
export function chronologyOf(speech: Speech, history: readonly HistoryEntry[], step: Step): ChronologyEntry[] {
  const inUse = new Set(step.ledger.map(({ question }) => question))
  const newest = new Map(history.map(({ id, question }) => [question, id]))
  const standing = new Map<string, Value>()
  return history.map(({ id, at, question, value, withdrawn, from }) => {
    const before = standing.get(question)
    if (withdrawn) standing.delete(question)
    else standing.set(question, value)
    const words = (one: Value) => answerWords(speech, question, one)
    return {
      at: at.toISOString(),
      kind: withdrawn ? 'withdrawn' : before === undefined ? 'answered' : 'changed',
      label: labelOf(speech, question),
      asked: speech.say(`question.${question}.text`) ?? question,
      answer: withdrawn ? null : words(value),
      before:
        before === undefined || (!withdrawn && JSON.stringify(before) === JSON.stringify(value)) ? null : words(before),
      words: kindOf(speech.content, question).texts === 'own words' && value !== null,
      from: from === undefined || from === 'user' ? null : from,
      counts: !withdrawn && newest.get(question) === id && inUse.has(question),
    }
  })
}
