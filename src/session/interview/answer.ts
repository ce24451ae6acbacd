import { checkAnswers, withUsual } from '../../engine/answers.ts'
import { type Answer, LEVELS, type Step, type Value } from '../../engine/content.ts'
import { issueTypeOf, sexOf } from '../../engine/intake.ts'
import { kindOf } from '../../engine/kinds.ts'
import { withHearing } from '../../engine/own-words/hearing.ts'
import type { Core } from '../../events/core.ts'
import { fail, Problem } from '../../problems.ts'
import type { AnswerColumns } from '../../store/answers.ts'
import { listUploadRows } from '../../store/uploads.ts'
import type { EventType } from '../../store/webhooks/events.ts'
import { languageOf, type Session } from '../open.ts'
import {
  entryOf,
  entryText,
  type Interview,
  type InterviewParts,
  interviewWith,
  lastScreen,
  type Said,
  stillGiven,
} from './interview.ts'
import type { User } from './user.ts'
import { writtenAt } from './written-at.ts'

type AnswerParts = Pick<InterviewParts, 'core' | 'cache'>

/** A screen's answers as the user's app sends them: the app makes the id, so that a retry counts once. */
export type GivenAnswers = { id: string; answers: readonly Answer[]; version: number }

/** Thrown when the session is not where the app thought it was; the response carries the current session. */
export class StaleSession extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

/** Takes the answers to the screen that is asked, or changes to earlier ones: all or none. Returns the user afterwards. */
export async function answerScreen(parts: AnswerParts, user: User, given: GivenAnswers): Promise<User> {
  const { session, interview } = user
  const { id } = given
  if (interview.history.some((entry) => entry.id === id)) return user
  refuseUnlessOngoing(session, given.version)
  const checked = checkAnswers(interview.content, interview.answers, given.answers, interview.step)
  if (!checked.ok) {
    const pointer = checked.at === undefined ? '/answers' : `/answers/${checked.at}/value`
    if (checked.code === 'invalid-answer') fail('invalid-answer', { errors: [{ pointer, message: checked.message }] })
    throw new StaleSession(new Problem('unexpected-question'))
  }
  await refuseUnknownFiles(parts.core, user, given.answers)
  // Own words are read here, once: what is heard in them is stored with them, and no step reads them again.
  const language = languageOf(session.row.language, session.configuration)
  const clock = () => writtenAt(new Date(), session.timeZone)
  const heard = checked.answers.map((answer) =>
    withHearing(interview.content, interview.answers, answer, language, clock),
  )
  return append(
    parts,
    user,
    id,
    withUsual(interview.step, heard).map((answer) => ({ ...answer, withdrawn: false })),
  )
}

/** A photo question must be answered with files of this session. */
async function refuseUnknownFiles(
  { db }: Core,
  { session: { accountId, row }, interview }: User,
  given: readonly Answer[],
): Promise<void> {
  const at = given.findIndex(
    ({ question, value }) => kindOf(interview.content, question).texts === 'file' && Array.isArray(value),
  )
  const ids = given[at]?.value
  if (!Array.isArray(ids)) return
  const files = await listUploadRows(db, accountId, row.id)
  const known = new Set(files.filter((file) => file.ready_at).map(({ id }) => id))
  if (ids.every((id) => known.has(id))) return
  const pointer = `/answers/${at}/value`
  fail('invalid-answer', { errors: [{ pointer, message: 'names a file that this session does not have' }] })
}

/** Goes back one screen: its answers are withdrawn, and its questions are asked again. */
export async function goBack(
  parts: AnswerParts,
  user: User,
  { id, version }: { id: string; version: number },
): Promise<User> {
  const { session, interview } = user
  if (interview.history.some((entry) => entry.id === id)) return user
  refuseUnlessOngoing(session, version)
  const last = lastScreen(interview)
  if (last.length === 0)
    throw new StaleSession(new Problem('unexpected-question', { detail: 'There is nothing to go back to.' }))
  return append(
    parts,
    user,
    id,
    last.map((question) => ({ question, value: null, withdrawn: true })),
  )
}

export function refuseUnlessOngoing({ row }: Session, version: number): void {
  if (row.status === 'Ended') throw new StaleSession(new Problem('session-finished'))
  if (!row.is_active) fail('session-expired')
  if (row.version !== version) throw new StaleSession(new Problem('stale-version'))
}

/** Far more than any interview with all its changes; bounds what one session can cost. */
const MOST_ENTRIES = 1_000

/** Evaluates the interview with one more entry, and stores that entry if the session is still at the version it was judged by. */
async function append({ core, cache }: AnswerParts, user: User, id: string, entry: readonly Said[]): Promise<User> {
  const { session, interview, proof, revision } = user
  const { accountId, configuration, row, seal } = session
  if (row.version >= MOST_ENTRIES) fail('too-many-answers')
  const added = entry.map((said) => entryOf(said, id, new Date(0)))
  const next = interviewWith(interview, added)
  const changed = columnsAfter(session, interview, next)
  const columns = { ...changed, state_seal: seal.stateSeal({ ...row, ...changed, version: row.version + 1 }) }
  const stored = await core.appendAnswer({
    accountId,
    sessionId: row.id,
    version: row.version,
    proof,
    configuration: { id: row.configuration_id, revision },
    // The write succeeds at this version only, so the number is known in advance.
    answer: { id, sealed: seal.seal(`answer ${row.version + 1}`, entryText(entry)) },
    columns,
    events: eventsOf(row, columns),
    activeHours: configuration.sessionLifetimeHours,
    cookieHours: configuration.userCookieHours,
  })
  if (!stored) throw new StaleSession(new Problem('stale-version'))
  const { at, file_count: fileCount, ...written } = stored
  for (const one of added) one.at = at
  const after = {
    ...user,
    session: { ...session, row: { ...row, ...columns, ...written } },
    interview: next,
    fileCount,
  }
  cache.keepUser(after)
  return after
}

/** What an answer causes: the first one starts the session, and one may bring the first red flag. */
function eventsOf(before: Session['row'], after: Pick<AnswerColumns, 'urgency'>): EventType[] {
  const events: EventType[] = []
  if (before.version === 0) events.push('session.started')
  if (before.urgency === null && after.urgency !== null) events.push('session.alarm')
  return events
}

/** The session's columns afterwards: they follow from the answers and, where there is none, from what was given at creation. */
function columnsAfter(
  { row, seal }: Session,
  before: Interview,
  { answers, given, step }: Interview,
): Omit<AnswerColumns, 'state_seal'> {
  const still = stillGiven(given, answers)
  const known = (question: string): Value | undefined => {
    const said = saidIn(step, question)
    return said === undefined ? still[question] : said
  }
  const [age, sex, forWhom] = [known('age'), known('sex'), known('for_whom')]
  const issueType = saidIn(step, 'issue_type')
  const isMedicalLater = issueType === 'regular' && step.stage === 'intake'
  const [alarm] = step.alarms
  const matter = saidIn(step, 'matter')
  return {
    status: row.status === 'Created' && step.stage !== 'intake' ? 'StartedChat' : row.status,
    patient_age: typeof age === 'number' ? age : null,
    patient_sex: sexOf(sex),
    user_is_patient: typeof forWhom === 'string' ? forWhom === 'self' : null,
    issue_type: isMedicalLater ? 'None' : issueTypeOf(issueType),
    urgency: alarm ? LEVELS.indexOf(alarm.level) + 1 : null,
    sealed_matter: matter === saidIn(before.step, 'matter') ? row.sealed_matter : sealedMatter(seal, matter),
  }
}

/** The standing answer to a question; undefined when there is none. */
const saidIn = ({ ledger }: Step, question: string): Value | undefined =>
  ledger.find((entry) => entry.question === question)?.value

/** The matter in the user's words. An empty text is an answer too, and replaces what was given at creation. */
const sealedMatter = (seal: Session['seal'], matter: Value | undefined): Buffer | null =>
  matter === undefined ? null : seal.seal('matter', typeof matter === 'string' ? matter : '')
