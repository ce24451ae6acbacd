import { hear } from '../../engine/own-words/hear.ts'
import { offeredComplaints } from '../../engine/own-words/hearing.ts'
import { search } from '../../engine/own-words/propose.ts'
import type { Interview } from './interview.ts'
import { type Speech, speechFor } from './speech.ts'
import type { User } from './user.ts'

type Choice = { id: string; label: string; proposed?: boolean; likely?: boolean; body?: string[] }

/** From this score on a complaint is likely; it is chosen beforehand when its odds are so many times those of the next. */
const LIKELY_FROM = 0.4
const FAR_LIKELIER = 2.2
/** Where the next is not likely itself, these will do. With less between them every second first guess was wrong. */
const LIKELIER = 1.4

/** Complaints that fit the user's own words, best first; words that mean danger say so. */
export function proposeComplaints(
  { session, interview }: User,
  text: string,
): { danger: boolean; complaints: { id: string; name: string }[] } {
  const speech = speechFor(session, interview)
  const { content, answers } = interview
  const offered = offeredComplaints(content, answers)
  const { dangers, complaints } = hear(content.release, text, speech.language, (id) => offered.has(id))
  return {
    danger: dangers.some(({ sureness }) => sureness === 'lead'),
    complaints: complaints.map(({ id }) => named(speech, id)),
  }
}

/** For the search box: names and everyday words that begin like this. */
export function searchComplaints(
  { session, interview }: User,
  query: string,
): { danger: boolean; complaints: { id: string; name: string }[] } {
  const speech = speechFor(session, interview)
  const offered = offeredComplaints(interview.content, interview.answers)
  const found = search(interview.content, query, speech.language).filter((id) => offered.has(id))
  return { danger: false, complaints: found.map((id) => named(speech, id)) }
}

const named = ({ say }: Speech, id: string) => ({ id, name: say(`complaint.${id}.name`) ?? id })

/** The complaints to choose from: those that were heard in the patient's words first and marked, then the rest by name. */
export function proposalsFor(
  { content, language }: Speech,
  { answers }: Interview,
  choices: readonly Choice[],
): Choice[] {
  const heard = answers.findLast(({ question }) => question === 'matter')?.heard
  const offered = new Set(choices.map(({ id }) => id))
  const isGeneral = (id: string) => content.complaints.get(id)?.complaint.kind === 'general'
  // "Something else" is no name: it is not proposed beside one, nor where nothing was heard.
  const told = heard?.complaints.filter(({ id, score }) => score > 0 && offered.has(id)) ?? []
  const fitting = told.filter(({ id }) => told.every((one) => isGeneral(one.id)) || !isGeneral(id))
  const best = fitting.map(({ id }) => id)
  const isLikely = isFirstLikely(fitting.map(({ score }) => score))
  const rank = ({ id }: Choice) => (best.includes(id) ? best.indexOf(id) : isGeneral(id) ? 1_000 : 500)
  return choices
    .map((choice) => {
      const { family, body = [] } = content.complaints.get(choice.id)?.complaint ?? {}
      return {
        ...choice,
        ...(best.includes(choice.id) && { proposed: true }),
        ...(isLikely && choice.id === best[0] && { likely: true }),
        ...(family && { family }),
        body: [...body],
      }
    })
    .sort((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label, language))
}

/** Whether the first of these scores is so far before the next that its complaint is chosen beforehand. */
export function isFirstLikely([first = 0, second = 0]: readonly number[]): boolean {
  return first >= LIKELY_FROM && oddsOf(first) >= (second < LIKELY_FROM ? LIKELIER : FAR_LIKELIER) * oddsOf(second)
}

const oddsOf = (score: number) => score / (1 - score)
