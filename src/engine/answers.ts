import type { Answer, Step, Value } from './content.ts'
import { findingsFrom } from './deciding/findings.ts'
import { interview } from './interview.ts'
import { normalised, refuseValue } from './kinds.ts'
import type { Content } from './load.ts'

export type Checked =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false
      readonly code: 'unknown-question' | 'unexpected-question' | 'invalid-answer'
      readonly message: string
    }

/**
 * Whether this answer may be added: to the question that is asked now, or to one that was answered before and still applies.
 * The value comes back in its one canonical form. Nothing is changed by asking. Who has the step of these answers already may give it.
 */
export function checkAnswer(
  content: Content,
  answers: readonly Answer[],
  { question: id, value }: Answer,
  known?: Step,
): Checked {
  const slot = content.slotOf.get(id)
  const loaded = slot === undefined ? undefined : content.questions[slot]
  if (slot === undefined || !loaded)
    return { ok: false, code: 'unknown-question', message: `There is no question "${id}".` }
  const step = known ?? interview(content, answers)
  const isAsked = step.kind === 'ask' && step.question.id === id
  const isEdit = !isAsked && step.ledger.some(({ question }) => question === id)
  if (!isAsked && !isEdit)
    return { ok: false, code: 'unexpected-question', message: `The question "${id}" is not asked now.` }
  // What is asked now comes with its options; only for an earlier question they have to be found out.
  const offered = isAsked ? (step.question.offered ?? []) : findingsFrom(content, answers).offered(slot)
  const refusal = refuseValue(loaded.question, value, offered)
  if (refusal) return { ok: false, code: 'invalid-answer', message: `For "${id}" ${refusal}.` }
  return { ok: true, value: normalised(loaded.question, value) }
}
