import type { Caller } from '../account/callers.ts'
import type { Core } from '../events/core.ts'
import { fail } from '../problems.ts'
import { PreconditionFailed } from '../store/database/db.ts'
import { hashOf, newToken } from '../store/seal.ts'
import { INSERT_LINK_TOKEN, type SessionRow } from '../store/sessions.ts'
import { SessionSeal } from './sealed.ts'

const LINK_MINUTES = 5

/** A session as its configuration's caller may see it, with the seal that opens it. */
export type OpenedSession = { row: SessionRow; seal: SessionSeal }

export async function openSession(core: Core, caller: Caller, sessionId: string): Promise<OpenedSession> {
  const row =
    (await core.readSession({ accountId: caller.accountId, configurationId: caller.configurationId, id: sessionId })) ??
    fail('session-not-found')
  return { row, seal: SessionSeal.open(caller.accountId, caller.accountKey, row.id, row.sealed_key) }
}

/** Reads health data of a session: the audit entry is durable before anything is returned. */
export async function readSession(
  core: Core,
  caller: Caller,
  sessionId: string,
  action: string,
): Promise<OpenedSession> {
  const opened = await openSession(core, caller, sessionId)
  await core.recorder.record({ accountId: caller.accountId, actor: `key:${caller.keyId}`, action, subject: sessionId })
  return opened
}

/** A five-minute link to decision support for one clinician, whose identifier is in every audit entry of the visit. */
export async function issueLink(
  core: Core,
  publicUrl: string,
  caller: Caller,
  sessionId: string,
  auditUserIdentifier: string,
): Promise<{ link: string; token: string }> {
  const token = `${caller.slug}.${newToken()}` // with the token alone the manager script knows which page to open
  const { row } = await openSession(core, caller, sessionId)
  const effect = {
    hash: hashOf(token).toString('hex'),
    session_id: row.id,
    configuration_id: caller.configurationId,
    audit_user_identifier: auditUserIdentifier,
    minutes: LINK_MINUTES,
  }
  try {
    await core.recorder.record({
      accountId: caller.accountId,
      actor: `key:${caller.keyId}`,
      action: 'link.issued',
      subject: row.id,
      detail: { auditUserIdentifier },
      effects: [{ statement: INSERT_LINK_TOKEN, row: effect }],
    })
  } catch (error) {
    if (error instanceof PreconditionFailed) fail('session-not-found') // erased in the same moment
    throw error
  }
  return { link: `${publicUrl}/decision-support/${caller.slug}#token=${token}`, token }
}
