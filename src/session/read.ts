import type { Caller } from '../account/callers.ts'
import { readAsFarAsItFits } from '../account/configuration.ts'
import type { Core } from '../events/core.ts'
import { fail } from '../problems.ts'
import { findSessionDoor } from '../store/users.ts'
import type { VisitDoor } from '../store/visits.ts'
import type { User } from './interview/user.ts'
import { configurationOf, openDoor, openSession, type Session } from './open.ts'
import { note } from './visit.ts'

/** Reads a session for a key: the audit entry is durable before anything is returned. */
export async function readByKey(
  core: Core,
  caller: Caller,
  sessionId: string,
  action: string,
  detail: Record<string, unknown> = {},
): Promise<Session> {
  const { accountId, configurationId, keyId } = caller
  const row = (await core.findSession({ accountId, configurationId, id: sessionId })) ?? fail('session-not-found')
  const session = openSession(caller, row)
  await core.recorder.record({
    accountId,
    actor: `key:${keyId}`,
    action,
    subject: row.id,
    detail: { ...detail, answers: row.version },
  })
  return session
}

/** Reads the visited session for its clinician: the audit entry is durable before anything is returned. */
export async function readByVisit(
  core: Core,
  visit: VisitDoor,
  action: string,
  detail: Record<string, unknown> = {},
): Promise<Session> {
  const door = (await findSessionDoor(core.db, visit.account_id, visit.session_id)) ?? fail('visit-missing')
  const session = openDoor(core, door, configurationOf(door) ?? fail('visit-missing'))
  await note(core, visit, action, { ...detail, answers: session.row.version })
  return session
}

/**
 * Reads a session for the operator, who hands it to its patient or its clinic: the audit entry is durable before anything
 * is returned. A configuration that is switched off or faulty keeps nothing from the patient.
 */
export async function readByOperator(
  core: Core,
  accountId: string,
  sessionId: string,
  action: string,
): Promise<Session> {
  const door = (await findSessionDoor(core.db, accountId, sessionId)) ?? fail('session-not-found')
  const session = openDoor(core, door, configurationOf(door) ?? readAsFarAsItFits(door.document))
  const { id, version: answers } = session.row
  await core.recorder.record({ accountId, actor: core.operator, action, subject: id, detail: { answers } })
  return session
}

/** The result that its own user takes along as a document: recorded before it leaves, and only when there is one. */
export async function readResult(core: Core, user: User): Promise<User> {
  const { accountId, row } = user.session
  if (row.status !== 'Ended') fail('interview-not-complete')
  await core.recorder.record({ accountId, actor: 'user', action: 'session.result.read', subject: row.id, detail: {} })
  return user
}
