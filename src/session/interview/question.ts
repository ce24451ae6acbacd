import { ABSENT, PENDING } from '../../engine/conditions/evaluate.ts'
import { findingsFrom } from '../../engine/deciding/findings.ts'
import { fail } from '../../problems.ts'
import { proposalsFor } from './complaints.ts'
import { screenWith } from './interview.ts'
import { signsHeading } from './ledger.ts'
import { speechFor } from './speech.ts'
import type { User } from './user.ts'
import { questionView } from './view.ts'

/** An earlier answer, opened to be changed: a single question, or the signs that were asked on its screen. */
export function answeredScreen({ session, interview }: User, id: string) {
  const { content, answers } = interview
  const findings = findingsFrom(content, answers)
  const speech = speechFor(session, interview)
  const viewOfOne = (question: string) => {
    const slot = content.slotOf.get(question)
    const asked = slot === undefined ? undefined : content.questions[slot]?.question
    if (slot === undefined || !asked) return fail('not-found')
    const standing = findings.standing(slot)
    if (standing === ABSENT || standing === PENDING) return fail('not-found')
    const view = questionView(speech, { ...asked, offered: findings.offered(slot) }, findings.said(slot))
    return asked.kind === 'complaints'
      ? { ...view, options: proposalsFor(speech, interview, view.options ?? []) }
      : view
  }
  const isSign = (question: string) => content.release.questions[question]?.kind === 'sign'
  if (!isSign(id)) return { title: null, questions: [viewOfOne(id)] }
  const signs = screenWith(interview, id).filter(isSign)
  const asked = interview.step.ledger.find(({ question }) => question === id)
  return { title: signsHeading(speech, asked?.title), questions: (signs.length > 0 ? signs : [id]).map(viewOfOne) }
}
