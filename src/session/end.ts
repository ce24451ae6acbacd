import { LEVELS, type Outcome, type Step } from '../engine/content.ts'
import { conclude, outcomeSoFar } from '../engine/deciding/conclude.ts'
import type { Effect } from '../events/record.ts'
import { fail, Problem } from '../problems.ts'
import { END_SESSION } from '../store/answers.ts'
import { PreconditionFailed } from '../store/database/db.ts'
import { refuseWithoutContact } from './contact.ts'
import { refuseUnlessOngoing, StaleSession } from './interview/answer.ts'
import { type Interview, type InterviewParts, stepAfter } from './interview/interview.ts'
import type { User } from './interview/user.ts'
import { marksOf } from './marks.ts'
import type { Session } from './open.ts'

/** Further changes that belong to an ending, such as the webhook's outbox row. */
export type Completion = (session: Session) => readonly Effect[]

/** What an ending needs: where it is recorded, the cache, and the further changes. */
export type EndParts = Pick<InterviewParts, 'core' | 'cache'> & { completion: Completion }

/** Sends the finished interview. A session that has ended already stays as it is. */
export async function finish(parts: EndParts, user: User, version: number): Promise<User> {
  const { session, interview } = user
  if (session.row.status === 'Ended') return user
  refuseUnlessOngoing(session, version)
  if (stepOf(interview).kind !== 'done') throw new StaleSession(new Problem('interview-not-complete'))
  refuseWithoutContact(session, interview)
  return { ...user, session: await end(parts, session, interview, 'session.finished', 'user') }
}

/** Stops at the emergency card: the session ends at the level of its alarm. */
export async function stop(parts: EndParts, user: User, version: number): Promise<User> {
  const { session, interview } = user
  if (session.row.status === 'Ended') return user
  refuseUnlessOngoing(session, version)
  if (stepOf(interview).alarms.length === 0) throw new StaleSession(new Problem('nothing-to-stop'))
  return { ...user, session: await end(parts, session, interview, 'session.stopped', 'user') }
}

/** Ends a session that was left with a standing alarm, so that the clinic learns of it. */
export async function endLeft(parts: EndParts, session: Session, interview: Interview): Promise<void> {
  if (session.row.status === 'Ended') throw new StaleSession(new Problem('session-finished'))
  if (stepOf(interview).alarms.length === 0) fail('nothing-to-stop')
  await end(parts, session, interview, 'session.left', 'fyr')
}

/** Where the interview stands, computed anew: an ending is final, so nothing cached is trusted. */
const stepOf = ({ content, answers, given }: Interview): Step => stepAfter(content, answers, given)

async function end(
  { core, cache, completion }: EndParts,
  session: Session,
  interview: Interview,
  action: string,
  actor: string,
): Promise<Session> {
  const { accountId, row } = session
  const outcome = conclude(interview.content, interview.answers)
  const urgency = outcome.level === null ? null : LEVELS.indexOf(outcome.level) + 1
  const issueType = row.issue_type === 'None' ? outcome.issueType : row.issue_type
  const ended = {
    ...row,
    status: 'Ended' as const,
    completed_at: row.read_at, // the database's clock a moment ago, so that it can be sealed with the rest
    urgency,
    issue_type: issueType,
    sealed_outcome: session.seal.seal('outcome', JSON.stringify(outcome)),
  }
  const stateSeal = session.seal.stateSeal(ended)
  const ending = {
    id: row.id,
    version: row.version,
    completed_at: ended.completed_at,
    urgency,
    issue_type: issueType,
    sealed_outcome: ended.sealed_outcome.toString('hex'),
    state_seal: stateSeal.toString('hex'),
    marks: outcome.complaints.map((id) => marksOf(core.keyring, accountId).complaint(id).toString('hex')),
  }
  const effects = [{ statement: END_SESSION, row: ending }, ...completion(session)]
  const detail = { answers: row.version, ...(row.is_test && { test: true }) }
  try {
    await core.recorder.record({ accountId, actor, action, subject: row.id, detail, effects })
    cache.forget(row.id)
    const after = { ...session, row: { ...ended, state_seal: stateSeal } }
    cache.keepInterview(after, interview) // its webhook has whoever is told read the summary at once
    return after
  } catch (error) {
    // Someone else ended it or answered at the same moment: nothing of this ending was written.
    if (error instanceof PreconditionFailed) throw new StaleSession(new Problem('stale-version'))
    throw error
  }
}

/** The outcome of a session: as stored at the end, or what its answers would give if it ended now. */
export const outcomeOf = (session: Session, { content, answers }: Interview): Outcome =>
  session.row.status === 'Ended' ? storedOutcome(session) : outcomeSoFar(content, answers)

/** The outcome as it was stored at the end; that is what everyone reads from then on. */
export function storedOutcome({ seal, row }: Session): Outcome {
  const text = seal.text('outcome', row.sealed_outcome)
  if (text === null) throw new Error('An ended session has no outcome.')
  return JSON.parse(text)
}
