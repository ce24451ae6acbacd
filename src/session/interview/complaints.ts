import { propose, search } from '../../engine/own-words/propose.ts'
import { type Interview, stepAfter } from './interview.ts'
import { type Speech, speechFor } from './speech.ts'
import type { User } from './user.ts'

type Choice = { id: string; label: string; proposed?: boolean; body?: string[] }

/** The complaints that this patient can have, by the engine, which knows to whom each one applies. */
function offeredTo({ content, answers, given }: Interview): ReadonlySet<string> {
  const withoutChoice = answers.filter(({ question }) => question !== 'complaints')
  const step = stepAfter(content, withoutChoice, given)
  const menu = step.kind === 'ask' ? step.questions.find(({ kind }) => kind === 'complaints') : undefined
  if (menu) return new Set(menu.offered)
  return new Set(
    [...content.complaints.values()]
      .filter(({ complaint }) => ['complaint', 'general'].includes(complaint.kind))
      .map(({ complaint }) => complaint.id),
  )
}

/** Complaints that fit the user's own words, best first, and whether the words mean danger. */
export function proposeComplaints(
  { session, interview }: User,
  text: string,
): { danger: boolean; complaints: { id: string; name: string }[] } {
  const speech = speechFor(session, interview)
  const offered = offeredTo(interview)
  const { danger, complaints } = propose(interview.content, text, speech.language, (id) => offered.has(id))
  return { danger, complaints: complaints.map(({ id }) => named(speech, id)) }
}

/** For the search box: names and everyday words that begin like this. */
export function searchComplaints(
  { session, interview }: User,
  query: string,
): { danger: boolean; complaints: { id: string; name: string }[] } {
  const speech = speechFor(session, interview)
  const offered = offeredTo(interview)
  const found = search(interview.content, query, speech.language).filter((id) => offered.has(id))
  return { danger: false, complaints: found.map((id) => named(speech, id)) }
}

const named = ({ say }: Speech, id: string) => ({ id, name: say(`complaint.${id}.name`) ?? id })

/** The complaints to choose from: those that fit the patient's words first and marked, then the rest by name. */
export function proposalsFor(
  { content, language }: Speech,
  { answers }: Interview,
  choices: readonly Choice[],
): Choice[] {
  const matter = answers.findLast(({ question }) => question === 'matter')?.value
  const offered = new Set(choices.map(({ id }) => id))
  const best =
    typeof matter === 'string' && matter
      ? propose(content, matter, language, (id) => offered.has(id)).complaints.map(({ id }) => id)
      : []
  const rank = ({ id }: Choice) =>
    best.includes(id) ? best.indexOf(id) : content.complaints.get(id)?.complaint.kind === 'general' ? 1_000 : 500
  return choices
    .map((choice) => ({
      ...choice,
      ...(best.includes(choice.id) && { proposed: true }),
      body: [...(content.complaints.get(choice.id)?.complaint.body ?? [])],
    }))
    .sort((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label, language))
}
