import { ABSENT, PENDING } from '../../engine/conditions/evaluate.ts'
import { findingsFrom } from '../../engine/deciding/findings.ts'
import { fail } from '../../problems.ts'
import { proposalsFor } from './complaints.ts'
import { speechFor } from './speech.ts'
import type { User } from './user.ts'
import { questionView } from './view.ts'

/** A question that was answered before, in words and with that answer, so that it can be changed in place. */
export function answeredQuestion({ session, interview }: User, id: string) {
  const { content, answers } = interview
  const slot = content.slotOf.get(id)
  const question = slot === undefined ? undefined : content.questions[slot]?.question
  if (slot === undefined || !question) return fail('not-found')
  const findings = findingsFrom(content, answers)
  const standing = findings.standing(slot)
  if (standing === ABSENT || standing === PENDING) return fail('not-found')
  const asked = { ...question, offered: findings.offered(slot) }
  const speech = speechFor(session, interview)
  const view = questionView(speech, asked, findings.value(slot))
  return question.kind === 'complaints'
    ? { ...view, options: proposalsFor(speech, interview, view.options ?? []) }
    : view
}
