import { checkAnswer } from '../../engine/answers.ts'
import { type Answer, LEVELS, type Step, type Value } from '../../engine/content.ts'
import { issueTypeOf, sexOf } from '../../engine/intake.ts'
import { kindOf } from '../../engine/kinds.ts'
import type { Core } from '../../events/core.ts'
import { fail, Problem } from '../../problems.ts'
import type { Progression } from '../../store/answers.ts'
import { listUploadRows } from '../../store/uploads.ts'
import { answersOf, entryText, type HistoryEntry, stepAfter, stillGiven } from './said.ts'
import { languageOf, type UserSession } from './user.ts'

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

/** Takes one answer, to the question that is asked or to one answered before. Returns the session after it. */
export async function answerQuestion(core: Core, user: UserSession, given: GivenAnswer): Promise<UserSession> {
  if (user.history.some(({ id }) => id === given.id)) return user
  refuseUnlessOngoing(user, given.version)
  const checked = checkAnswer(user.content, user.answers, { question: given.question, value: given.value }, user.step)
  if (!checked.ok) {
    if (checked.code === 'invalid-answer')
      fail('invalid-answer', { errors: [{ pointer: '/value', message: checked.message }] })
    throw new StaleSession(new Problem('unexpected-question'))
  }
  await refuseUnknownFiles(core, user, given.question, checked.value)
  return append(core, user, {
    id: given.id,
    at: new Date(0),
    question: given.question,
    value: checked.value,
    withdrawn: false,
  })
}

/** A photo question is answered with files of this very session. */
async function refuseUnknownFiles(
  core: Core,
  { content, accountId, row }: UserSession,
  question: string,
  value: Value,
): Promise<void> {
  if (kindOf(content, question).texts !== 'file' || !Array.isArray(value)) return
  const known = new Set(
    (await listUploadRows(core.db, accountId, row.id)).filter((file) => file.ready_at).map(({ id }) => id),
  )
  if (!value.every((id) => known.has(id)))
    fail('invalid-answer', { errors: [{ pointer: '/value', message: 'names a file that this session does not have' }] })
}

/** Goes back one question: the newest answer is withdrawn, and its question is asked again. */
export async function goBack(
  core: Core,
  user: UserSession,
  given: { id: string; version: number },
): Promise<UserSession> {
  if (user.history.some(({ id }) => id === given.id)) return user
  refuseUnlessOngoing(user, given.version)
  const last = user.step.ledger.at(-1)
  if (!last) throw new StaleSession(new Problem('unexpected-question', { detail: 'There is nothing to go back to.' }))
  return append(core, user, { id: given.id, at: new Date(0), question: last.question, value: null, withdrawn: true })
}

export function refuseUnlessOngoing({ row, isActive }: UserSession, version: number): void {
  if (row.status === 'Ended') throw new StaleSession(new Problem('session-finished'))
  if (!isActive) fail('session-expired')
  if (row.version !== version) throw new StaleSession(new Problem('stale-version'))
}

/** Far more than any interview with all its changes of mind; it keeps what one session can cost in bounds. */
const MOST_ENTRIES = 1_000

async function append(core: Core, user: UserSession, entry: HistoryEntry): Promise<UserSession> {
  if (user.history.length >= MOST_ENTRIES) fail('too-many-answers')
  const { accountId, row } = user
  const history = [...user.history, entry]
  const answers = answersOf(history)
  const step = stepAfter(user.content, answers, user.given)
  const next = progressionOf(user, answers, step)
  // It is stored only when the session is still at this version, so its number is known before.
  const answer = { id: entry.id, sealed: user.seal.seal(`answer ${row.version + 1}`, entryText(entry)) }
  const stored = await core.appendAnswer({
    accountId,
    sessionId: row.id,
    proof: user.proof ?? fail('credential-missing'),
    configuration: { id: row.configuration_id, revision: user.revision },
    answer,
    next,
  })
  if (!stored) throw new StaleSession(new Problem('stale-version'))
  const after = {
    ...row,
    version: stored.version,
    language: stored.language,
    status: next.status,
    patient_age: next.patientAge,
    patient_sex: next.patientSex,
    user_is_patient: next.userIsPatient,
    issue_type: next.issueType,
    urgency: next.urgency,
    sealed_matter: next.sealedMatter,
    active_until: stored.active_until,
  }
  return {
    ...user,
    row: after,
    language: languageOf(stored.language, user.configuration),
    history: [...user.history, { ...entry, at: stored.at }],
    answers,
    step,
    fileCount: stored.file_count,
  }
}

type Moved = Progression & { status: UserSession['row']['status'] }

/** What the session's own columns become: they always follow from the answers, and where there is none from what create was told. */
function progressionOf(user: UserSession, answers: readonly Answer[], step: Step): Moved {
  const { row, configuration } = user
  const given = stillGiven(user.given, answers)
  const known = (question: string): Value | undefined => {
    const said = saidIn(step, question)
    return said === undefined ? given[question] : said
  }
  const [age, sex, forWhom] = [known('age'), known('sex'), known('for_whom')]
  const issueType = saidIn(step, 'issue_type')
  const alarm = step.alarms[0]
  const alarmLevel = alarm ? LEVELS.indexOf(alarm.level) + 1 : null
  const isMedicalLater = issueType === 'regular' && step.stage === 'intake'
  return {
    version: row.version,
    status: row.status === 'Created' && step.stage !== 'intake' ? 'StartedChat' : row.status,
    patientAge: typeof age === 'number' ? age : null,
    patientSex: sexOf(sex),
    userIsPatient: typeof forWhom === 'string' ? forWhom === 'self' : null,
    issueType: isMedicalLater ? 'None' : issueTypeOf(issueType),
    urgency: alarmLevel,
    alarmLevel,
    sealedMatter: sealedMatter(user, saidIn(step, 'matter')),
    activeHours: configuration.sessionLifetimeHours,
    cookieHours: configuration.userCookieHours,
  }
}

/** What stands as the answer to a question; undefined when it has none. */
const saidIn = ({ ledger }: Step, question: string): Value | undefined =>
  ledger.find((entry) => entry.question === question)?.value

/** The matter in the user's words, sealed anew only when they changed; saying nothing is said as well, and not what create was told. */
function sealedMatter({ row, seal, step }: UserSession, matter: Value | undefined): Buffer | null {
  if (matter === saidIn(step, 'matter')) return row.sealed_matter
  return matter === undefined ? null : seal.seal('matter', typeof matter === 'string' ? matter : '')
}
