import type { Answer, Step, Value } from './content.ts'
import { ABSENT, PENDING } from './evaluate.ts'
import { findingsFrom } from './findings.ts'
import { interview } from './interview.ts'
import type { Content } from './load.ts'
import { normalised, refuseValue } from './values.ts'

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
  const findings = findingsFrom(content, answers)
  const standing = findings.standing(slot)
  const isEdit = standing !== ABSENT && standing !== PENDING
  if (!isEdit) {
    const step = known ?? interview(content, answers)
    if (step.kind !== 'ask' || step.question.id !== id) {
      return { ok: false, code: 'unexpected-question', message: `The question "${id}" is not asked now.` }
    }
  }
  const refusal = refuseValue(loaded.question, value, findings.offered(slot))
  if (refusal) return { ok: false, code: 'invalid-answer', message: `For "${id}" ${refusal}.` }
  return { ok: true, value: normalised(loaded.question, value) }
}
