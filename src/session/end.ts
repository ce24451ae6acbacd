import { LEVELS, type Outcome, type Step } from '../engine/content.ts'
import { conclude } from '../engine/deciding/conclude.ts'
import type { Core } from '../events/core.ts'
import type { Effect } from '../events/record.ts'
import { fail, Problem } from '../problems.ts'
import { END_SESSION } from '../store/answers.ts'
import { PreconditionFailed } from '../store/database/db.ts'
import { refuseUnlessOngoing, StaleSession } from './interview/answer.ts'
import { stepAfter } from './interview/said.ts'
import type { UserSession } from './interview/user.ts'

/** Further changes that belong to an ending, such as the webhook's outbox row. */
export type Completion = (user: UserSession) => readonly Effect[]

export type Ended = { user: UserSession; outcome: Outcome }

/** Sends the finished interview. A session that has ended already answers with the outcome it has. */
export async function finish(core: Core, user: UserSession, version: number, completion: Completion): Promise<Ended> {
  if (user.row.status === 'Ended') return { user, outcome: storedOutcome(user) }
  refuseUnlessOngoing(user, version)
  if (stepOf(user).kind !== 'done') throw new StaleSession(new Problem('interview-not-complete'))
  return end(core, user, 'session.finished', 'user', completion)
}

/** Stops at the emergency card: the session ends at the level of its alarm. */
export async function stop(core: Core, user: UserSession, version: number, completion: Completion): Promise<Ended> {
  if (user.row.status === 'Ended') return { user, outcome: storedOutcome(user) }
  refuseUnlessOngoing(user, version)
  if (stepOf(user).alarms.length === 0) throw new StaleSession(new Problem('nothing-to-stop'))
  return end(core, user, 'session.stopped', 'user', completion)
}

/** Ends a session that was left while its alarm stood, so that the clinic learns of it. */
export async function endLeft(core: Core, user: UserSession, completion: Completion): Promise<Ended> {
  if (user.row.status === 'Ended') throw new StaleSession(new Problem('session-finished'))
  if (stepOf(user).alarms.length === 0) fail('nothing-to-stop')
  return end(core, user, 'session.left', 'fyr', completion)
}

/** Where the interview stands, worked out anew: an ending is final, so nothing that was kept is believed. */
const stepOf = ({ content, answers, given }: UserSession): Step => stepAfter(content, answers, given)

async function end(
  core: Core,
  user: UserSession,
  action: string,
  actor: string,
  completion: Completion,
): Promise<Ended> {
  const { accountId, row } = user
  const outcome = conclude(user.content, user.answers)
  const urgency = outcome.level === null ? null : LEVELS.indexOf(outcome.level) + 1
  const issueType = row.issue_type === 'None' ? outcome.issueType : row.issue_type
  const sealedOutcome = user.seal.seal('outcome', JSON.stringify(outcome))
  const ending = {
    id: row.id,
    version: row.version,
    urgency,
    issue_type: issueType,
    sealed_outcome: sealedOutcome.toString('hex'),
  }
  const effects = [{ statement: END_SESSION, row: ending }, ...completion(user)]
  try {
    const [done] = await core.recorder.record({ accountId, actor, action, subject: row.id, effects })
    const completedAt = done?.completed_at instanceof Date ? done.completed_at : null
    const after = {
      ...row,
      status: 'Ended' as const,
      completed_at: completedAt,
      urgency,
      issue_type: issueType,
      sealed_outcome: sealedOutcome,
    }
    return { user: { ...user, row: after }, outcome }
  } catch (error) {
    // Someone else ended it or answered in the same moment: nothing of this ending was written.
    if (error instanceof PreconditionFailed) throw new StaleSession(new Problem('stale-version'))
    throw error
  }
}

/** The outcome as it was stored at the end; that is what everyone reads from then on. */
export function storedOutcome({ seal, row }: Pick<UserSession, 'seal' | 'row'>): Outcome {
  const text = seal.text('outcome', row.sealed_outcome)
  if (text === null) throw new Error('An ended session has no outcome.')
  return JSON.parse(text)
}
