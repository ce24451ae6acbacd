import type { Answer, Heard, Origin, Step, Value } from '../../engine/content.ts'
import { issueAnswer, sexAnswer } from '../../engine/intake.ts'
import { type Given, interview } from '../../engine/interview.ts'
import type { Content } from '../../engine/load.ts'
import type { Core } from '../../events/core.ts'
import { fail } from '../../problems.ts'
import { listAnswers } from '../../store/answers.ts'
import { SealBroken } from '../../store/seal.ts'
import { findSessionOfAccount } from '../../store/sessions.ts'
import type { Session } from '../open.ts'
import type { Releases } from '../releases.ts'
import type { SessionCache } from './session-cache.ts'

/** What was said in a session so far, and where that leads with the content it runs on. */
export type Interview = {
  content: Content
  /** Whether the account's own clinicians have signed that content. */
  isReviewed: boolean
  /** What was given at creation, to be confirmed. */
  given: Given
  /** Everything that was said, including changes and withdrawals. */
  history: readonly HistoryEntry[]
  /** The answers that stand. */
  answers: readonly Answer[]
  step: Step
}

/** What reading an interview needs: the store, the content releases, and this node's cache. */
export type InterviewParts = { core: Core; releases: Releases; cache: SessionCache }

/** Reads the interview of an open session; what this node has cached is neither read nor evaluated again. */
export async function readInterview(parts: InterviewParts, session: Session): Promise<Interview> {
  const { row } = session
  const content = row.content_version === null ? null : await parts.releases.content(row.content_version)
  if (!content) return fail('content-unavailable', { headers: { 'retry-after': '5' } })
  const isReviewed = await parts.releases.isReviewed(session.accountId, row.content_version)
  const known = parts.cache.interviewAt(row, content)
  const read = known
    ? { ...known, isReviewed }
    : interviewOf({ content, isReviewed }, givenOf(session), await storedHistory(parts.core, session))
  parts.cache.keepInterview(session, read)
  return read
}

async function storedHistory({ db }: Core, { accountId, row, seal }: Session): Promise<HistoryEntry[]> {
  if (row.version === 0) return [] // each answer makes a version, and the state seal says which it is
  const stored = await listAnswers(db, accountId, row.id, row.version)
  if (stored.length !== row.version) {
    // It may have been erased since it was found, with all its answers: then nobody has touched anything.
    if (!(await findSessionOfAccount(db, accountId, row.id))) fail('session-not-found')
    throw new SealBroken('Answers of a session are missing.')
  }
  return stored.flatMap(({ seq, id, at, sealed }) =>
    readEntry(seal.open(`answer ${seq}`, sealed)).map((said) => entryOf(said, id, at)),
  )
}

/** Evaluates everything that was said. Pure: the same history with the same content is the same interview. */
export function interviewOf(
  { content, isReviewed }: Pick<Interview, 'content' | 'isReviewed'>,
  given: Given,
  history: readonly HistoryEntry[],
): Interview {
  const answers = answersOf(history)
  return { content, isReviewed, given, history, answers, step: stepAfter(content, answers, given) }
}

/** The same with one more entry. Most only add answers to those that stand; a withdrawal, or another patient, changes them. */
export function interviewWith(before: Interview, entry: readonly HistoryEntry[]): Interview {
  const { content, given } = before
  const history = [...before.history, ...entry]
  const isAdded = entry.every(({ question, withdrawn }) => !withdrawn && question !== 'for_whom')
  const answers = isAdded ? [...before.answers, ...entry] : answersOf(history)
  return { ...before, history, answers, step: stepAfter(content, answers, given) }
}

/** What was said about one question: an answer, or the withdrawal of one (going back). */
export type Said = Answer & { withdrawn: boolean }

/** The same with its moment. What was said on one screen is stored as one entry and shares its id. */
export type HistoryEntry = Said & { id: string; at: Date }

/**
 * An entry of what was said. It names its parts one by one: what is added to a copy is kept beside it, and what is said is
 * most of what a node keeps of a session.
 */
export const entryOf = ({ question, value, withdrawn, heard, from }: Said, id: string, at: Date): HistoryEntry => ({
  question,
  value,
  withdrawn,
  id,
  at,
  ...(heard && { heard }),
  ...(from && { from }),
})

/** Answers about the person, not the matter. */
const OF_THE_PERSON = ['age', 'sex']

/** How an answer is kept; own words with what was heard in them. */
type KeptAnswer = { q: string; v?: Value; h?: Heard | undefined; f?: Origin | undefined; w?: boolean }

/** How an entry is kept: one sealed JSON text, because which question was answered is health data as well. */
export const entryText = (entry: readonly Said[]): string =>
  JSON.stringify(
    entry.map(
      ({ question: q, value: v, heard: h, from: f, withdrawn }): KeptAnswer =>
        withdrawn ? { q, w: true } : { q, v, h, f },
    ),
  )

function readEntry(plain: Buffer): Said[] {
  const entry: KeptAnswer[] = JSON.parse(plain.toString('utf8'))
  return entry.map(({ q, v = null, h, f, w = false }) => ({
    question: q,
    value: v,
    withdrawn: w,
    ...(h && { heard: h }),
    ...(f && { from: f }),
  }))
}

/** The answers that stand: a withdrawn question counts as never answered. */
export function answersOf(history: readonly HistoryEntry[]): Answer[] {
  let answers: Answer[] = []
  for (const entry of ofThisPatient(history)) {
    if (entry.withdrawn) answers = answers.filter(({ question }) => question !== entry.question)
    else answers.push(entry)
  }
  return answers
}

/** The last answer to each question, withdrawn or not; undefined where there never was one. */
export function lastSaid(history: readonly HistoryEntry[]): (question: string) => Value | undefined {
  const said = new Map<string, Value>()
  for (const { question, value, withdrawn } of ofThisPatient(history)) if (!withdrawn) said.set(question, value)
  return (question) => said.get(question)
}

/** The questions of the screen that was answered last whose answers still stand. */
export function lastScreen(interview: Pick<Interview, 'history' | 'step'>): string[] {
  const last = interview.step.ledger.at(-1)
  return last ? screenWith(interview, last.question) : []
}

/** The questions answered on the same screen as this one whose answers still stand. */
export function screenWith(interview: Pick<Interview, 'history' | 'step'>, question: string): string[] {
  const screens = screensOf(interview.history)
  const screen = screens.get(question)
  const standing = interview.step.ledger.map((entry) => entry.question)
  return screen === undefined ? [] : standing.filter((other) => screens.get(other) === screen)
}

/** The screen on which each question was first answered. */
export function screensOf(history: readonly HistoryEntry[]): ReadonlyMap<string, string> {
  const screens = new Map<string, string>()
  for (const { id, question, withdrawn } of history) {
    if (withdrawn) screens.delete(question)
    else if (!screens.has(question)) screens.set(question, id) // a later change does not move it to another screen
  }
  return screens
}

/** Changing for whom it is means another person: the age and sex given before are not theirs. Changing it back brings them back. */
function ofThisPatient(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  let who: Value | undefined
  const saidOf = history.map(({ question, value, withdrawn }) => {
    if (question === 'for_whom' && !withdrawn) who = value // withdrawing it does not yet mean another person
    return who
  })
  return history.filter(({ question }, at) => !OF_THE_PERSON.includes(question) || saidOf[at] === who)
}

/** What was given at creation, as values to confirm when their question comes. */
export function givenOf({ row, seal }: Session): Given {
  const { given } = row
  const matter = seal.text('givenMatter', row.sealed_given_matter)
  const values: Record<string, Value> = {}
  if (typeof given.age === 'number') values.age = given.age
  if (typeof given.sex === 'string') values.sex = sexAnswer(given.sex) ?? null
  if (typeof given.userIsPatient === 'boolean') values.for_whom = given.userIsPatient ? 'self' : 'other'
  const issue = typeof given.issueType === 'string' ? issueAnswer(given.issueType) : undefined
  if (issue) values.issue_type = issue
  if (matter) values.matter = matter
  const signs = seal.text('givenSigns', row.sealed_given_signs)
  if (signs !== null) Object.assign(values, JSON.parse(signs) as Record<string, boolean>)
  return values
}

/** The part of it that still holds: told of another person than the one it turns out to be for, age, sex and signs do not. */
export function stillGiven(given: Given, answers: readonly Answer[]): Given {
  const forWhom = answers.findLast(({ question }) => question === 'for_whom')?.value
  if (forWhom === undefined || given.for_whom === undefined || forWhom === given.for_whom) return given
  const isOfPerson = ([question, value]: [string, Value]) =>
    OF_THE_PERSON.includes(question) || typeof value === 'boolean'
  return Object.fromEntries(Object.entries(given).filter((one) => !isOfPerson(one)))
}

/** Where the interview stands after these answers. */
export const stepAfter = (content: Content, answers: readonly Answer[], given: Given): Step =>
  interview(content, answers, stillGiven(given, answers))
