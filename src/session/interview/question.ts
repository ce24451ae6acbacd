import { ABSENT, PENDING } from '../../engine/conditions/evaluate.ts'
import { findingsFrom } from '../../engine/deciding/findings.ts'
import { fail } from '../../problems.ts'
import { proposalsFor } from './complaints.ts'
import { speechFor } from './speech.ts'
import type { UserSession } from './user.ts'
import { questionView } from './view.ts'

/** A question that was answered before, in words and with that answer, so that it can be changed in place. */
export function answeredQuestion(user: UserSession, id: string) {
  const slot = user.content.slotOf.get(id)
  const question = slot === undefined ? undefined : user.content.questions[slot]?.question
  if (slot === undefined || !question) return fail('not-found')
  const findings = findingsFrom(user.content, user.answers)
  const standing = findings.standing(slot)
  if (standing === ABSENT || standing === PENDING) return fail('not-found')
  const view = questionView(speechFor(user), { ...question, offered: findings.offered(slot) }, findings.value(slot))
  return question.kind === 'complaints' ? { ...view, options: proposalsFor(user, view.options ?? []) } : view
}
