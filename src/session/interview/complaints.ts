import { propose, search } from '../../engine/own-words/propose.ts'
import { stepAfter } from './said.ts'
import { speechFor } from './speech.ts'
import type { UserSession } from './user.ts'

type Choice = { id: string; label: string; proposed?: boolean; body?: string[] }

/** Which complaints this patient can have: asked of the engine, which knows for whom each one holds. */
function offeredTo(user: UserSession): ReadonlySet<string> {
  const withoutChoice = user.answers.filter(({ question }) => question !== 'complaints')
  const step = stepAfter(user.content, withoutChoice, user.given)
  if (step.kind === 'ask' && step.question.kind === 'complaints') return new Set(step.question.offered)
  return new Set(
    [...user.content.complaints.values()]
      .filter(({ complaint }) => ['complaint', 'general'].includes(complaint.kind))
      .map(({ complaint }) => complaint.id),
  )
}

/** Complaints that fit the user's own words, best first; words that mean danger say so. */
export function proposeComplaints(
  user: UserSession,
  text: string,
): { danger: boolean; complaints: { id: string; name: string }[] } {
  const offered = offeredTo(user)
  const { danger, complaints } = propose(user.content, text, user.language, (id) => offered.has(id))
  return {
    danger,
    complaints: named(
      user,
      complaints.map(({ id }) => id),
    ),
  }
}

/** For the search box: names and everyday words that begin like this. */
export function searchComplaints(
  user: UserSession,
  query: string,
): { danger: boolean; complaints: { id: string; name: string }[] } {
  const offered = offeredTo(user)
  const found = search(user.content, query, user.language).filter((id) => offered.has(id))
  return { danger: false, complaints: named(user, found) }
}

const named = (user: UserSession, ids: readonly string[]) => {
  const { say } = speechFor(user)
  return ids.map((id) => ({ id, name: say(`complaint.${id}.name`) ?? id }))
}

/** The complaints to choose from: those that fit the patient's words first and marked, then the rest by name. */
export function proposalsFor(user: UserSession, choices: readonly Choice[]): Choice[] {
  const matter = user.answers.findLast(({ question }) => question === 'matter')?.value
  const offered = new Set(choices.map(({ id }) => id))
  const best =
    typeof matter === 'string' && matter
      ? propose(user.content, matter, user.language, (id) => offered.has(id)).complaints.map(({ id }) => id)
      : []
  const rank = ({ id }: Choice) =>
    best.includes(id) ? best.indexOf(id) : user.content.complaints.get(id)?.complaint.kind === 'general' ? 1_000 : 500
  return choices
    .map((choice) => ({
      ...choice,
      ...(best.includes(choice.id) && { proposed: true }),
      body: [...(user.content.complaints.get(choice.id)?.complaint.body ?? [])],
    }))
    .sort((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label, user.language))
}
