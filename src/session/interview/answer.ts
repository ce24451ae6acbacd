import { checkAnswer } from '../../engine/answers.ts'
import { LEVELS, type Step, type Value } from '../../engine/content.ts'
import { issueTypeOf, sexOf } from '../../engine/intake.ts'
import { kindOf } from '../../engine/kinds.ts'
import type { Core } from '../../events/core.ts'
import { fail, Problem } from '../../problems.ts'
import type { AnswerColumns } from '../../store/answers.ts'
import { listUploadRows } from '../../store/uploads.ts'
import type { Session } from '../open.ts'
import {
  entryText,
  type HistoryEntry,
  type Interview,
  type InterviewParts,
  interviewOf,
  stillGiven,
} from './interview.ts'
import type { User } from './user.ts'

type AnswerParts = Pick<InterviewParts, 'core' | 'cache'>

/** An answer as the user's app sends it: its id is made there, so that sending it twice is one answer. */
export type GivenAnswer = { id: string; question: string; value: Value; version: number }

/** Raised when the session is not where the app thought it was; the door answers with the session as it is. */
export class StaleSession extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

/** Takes one answer, to the question that is asked or to one answered before. Returns the user after it. */
export async function answerQuestion(parts: AnswerParts, user: User, given: GivenAnswer): Promise<User> {
  const { session, interview } = user
  const { id, question } = given
  if (interview.history.some((entry) => entry.id === id)) return user
  refuseUnlessOngoing(session, given.version)
  const checked = checkAnswer(interview.content, interview.answers, { question, value: given.value }, interview.step)
  if (!checked.ok) {
    if (checked.code === 'invalid-answer')
      fail('invalid-answer', { errors: [{ pointer: '/value', message: checked.message }] })
    throw new StaleSession(new Problem('unexpected-question'))
  }
  const { value } = checked
  if (kindOf(interview.content, question).texts === 'file' && Array.isArray(value))
    await refuseUnknownFiles(parts.core, session, value)
  return append(parts, user, { id, question, value, withdrawn: false })
}

/** A photo question is answered with files of this very session. */
async function refuseUnknownFiles({ db }: Core, { accountId, row }: Session, ids: readonly string[]): Promise<void> {
  const files = await listUploadRows(db, accountId, row.id)
  const known = new Set(files.filter((file) => file.ready_at).map(({ id }) => id))
  if (!ids.every((id) => known.has(id)))
    fail('invalid-answer', { errors: [{ pointer: '/value', message: 'names a file that this session does not have' }] })
}

/** Goes back one question: the newest answer is withdrawn, and its question is asked again. */
export async function goBack(
  parts: AnswerParts,
  user: User,
  { id, version }: { id: string; version: number },
): Promise<User> {
  const { session, interview } = user
  if (interview.history.some((entry) => entry.id === id)) return user
  refuseUnlessOngoing(session, version)
  const last = interview.step.ledger.at(-1)
  if (!last) throw new StaleSession(new Problem('unexpected-question', { detail: 'There is nothing to go back to.' }))
  return append(parts, user, { id, question: last.question, value: null, withdrawn: true })
}

export function refuseUnlessOngoing({ row }: Session, version: number): void {
  if (row.status === 'Ended') throw new StaleSession(new Problem('session-finished'))
  if (!row.is_active) fail('session-expired')
  if (row.version !== version) throw new StaleSession(new Problem('stale-version'))
}

/** Far more than any interview with all its changes of mind; it keeps what one session can cost in bounds. */
const MOST_ENTRIES = 1_000

/** Goes through the interview with one entry more, and stores that entry where the session is still at the version it was judged by. */
async function append({ core, cache }: AnswerParts, user: User, entry: Omit<HistoryEntry, 'at'>): Promise<User> {
  const { session, interview, proof, revision } = user
  const { accountId, configuration, row, seal } = session
  if (interview.history.length >= MOST_ENTRIES) fail('too-many-answers')
  const next = interviewOf(interview, interview.given, [...interview.history, { ...entry, at: new Date(0) }])
  const changed = columnsAfter(session, interview, next)
  const columns = { ...changed, state_seal: seal.stateSeal({ ...row, ...changed, version: row.version + 1 }) }
  const stored = await core.appendAnswer({
    accountId,
    sessionId: row.id,
    version: row.version,
    proof,
    configuration: { id: row.configuration_id, revision },
    // Stored at this version only, so its number is known before.
    answer: { id: entry.id, sealed: seal.seal(`answer ${row.version + 1}`, entryText(entry)) },
    columns,
    activeHours: configuration.sessionLifetimeHours,
    cookieHours: configuration.userCookieHours,
  })
  if (!stored) throw new StaleSession(new Problem('stale-version'))
  const { at, file_count: fileCount, ...written } = stored
  const after = {
    ...user,
    session: { ...session, row: { ...row, ...columns, ...written } },
    interview: { ...next, history: [...interview.history, { ...entry, at }] },
    fileCount,
  }
  cache.keepUser(after)
  return after
}

/** What the session's own columns become: they always follow from the answers, and where there is none from what create was told. */
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

/** What stands as the answer to a question; undefined when it has none. */
const saidIn = ({ ledger }: Step, question: string): Value | undefined =>
  ledger.find((entry) => entry.question === question)?.value

/** The matter in the user's words; saying nothing is said as well, and not what create was told. */
const sealedMatter = (seal: Session['seal'], matter: Value | undefined): Buffer | null =>
  matter === undefined ? null : seal.seal('matter', typeof matter === 'string' ? matter : '')
