import { LEVELS } from '../../engine/content.ts'
import { FLAGS, flagAt } from '../../engine/flags.ts'
import { invalid } from '../../problems.ts'
import type { Marks } from '../../session/marks.ts'
import { INCLUDES, type Include } from '../../session/worklist.ts'
import { readReference } from '../../store/contact.ts'
import type { Filters } from '../../store/listing.ts'
import { SESSION_STATUSES, type SessionStatus } from '../../store/sessions.ts'
import { URGENCIES } from '../schemas.ts'

export const MOST = 200
export const DEFAULT_LIMIT = 50

const COMPLAINT = /^[a-z0-9-]{1,100}$/

export function limitOf(given: string | undefined): number {
  if (given === undefined) return DEFAULT_LIMIT
  const limit = Number(given)
  if (!/^\d{1,9}$/.test(given) || limit < 1 || limit > MOST)
    return invalid('/query/limit', `must be a whole number from 1 to ${MOST}`)
  return limit
}

export const referenceOf = (given: string): string =>
  readReference(given) ?? invalid('/query/shortReference', 'must be the eight signs that the patient sees')

export const statusOf = (given: string | undefined): SessionStatus | null =>
  given === undefined ? null : oneOf('status', SESSION_STATUSES, given)

/** The parts to show, each once, in our order. */
export function includeOf(given: string | undefined): Include[] {
  const wanted = severalOf('include', INCLUDES, given) ?? []
  return INCLUDES.filter((part) => wanted.includes(part))
}

type FilterQuery = { [name in (typeof FILTERS)[number]]?: string }

/** The parameters that choose sessions by what only an audited reading may tell. */
export const FILTERS = ['urgency', 'flag', 'complaint', 'contact', 'judgement'] as const

export const filtersIn = (query: FilterQuery): string[] => FILTERS.filter((name) => query[name] !== undefined)

export function filtersOf(query: FilterQuery, marks: Marks): Filters {
  const isJudged = yesOrNo('judgement', query.judgement)
  return {
    urgencies: urgenciesOf(query),
    complaint: query.complaint === undefined ? null : marks.complaint(complaintOf(query.complaint)),
    contact: yesOrNo('contact', query.contact),
    judged: isJudged === null ? null : { is: isJudged, mark: marks.judged() },
  }
}

/** Levels by number; a flag stands for the levels that put it up. With both, those that fit both. */
function urgenciesOf(query: FilterQuery): number[] | null {
  const urgencies = severalOf('urgency', URGENCIES, query.urgency)
  const flag = query.flag === undefined ? null : oneOf('flag', FLAGS, query.flag)
  if (!urgencies && !flag) return null
  return [0, ...LEVELS.map((_, rank) => rank + 1)].filter(
    (level) =>
      (!urgencies || urgencies.includes(URGENCIES[level] ?? 'No urgency set')) && (!flag || flagAt(level - 1) === flag),
  )
}

const complaintOf = (given: string): string =>
  COMPLAINT.test(given) ? given : invalid('/query/complaint', 'must be the id of a complaint, such as chest-pain')

function yesOrNo(name: string, given: string | undefined): boolean | null {
  return given === undefined ? null : oneOf(name, ['true', 'false'] as const, given) === 'true'
}

const oneOf = <Word extends string>(name: string, words: readonly Word[], given: string): Word =>
  words.find((word) => word === given) ?? invalid(`/query/${name}`, `must be one of ${words.join(', ')}`)

/** Words with commas between them. */
const severalOf = <Word extends string>(name: string, words: readonly Word[], given: string | undefined) =>
  given === undefined ? null : given.split(',').map((one) => oneOf(name, words, one.trim()))
