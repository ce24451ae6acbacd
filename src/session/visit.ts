import { randomUUID } from 'node:crypto'
import type { Caller } from '../account/callers.ts'
import type { Core } from '../events/core.ts'
import type { Effect } from '../events/record.ts'
import { fail, Problem } from '../problems.ts'
import { DatabaseAway, PreconditionFailed, StatementTimeout } from '../store/database/db.ts'
import { hashOf, newToken } from '../store/seal.ts'
import { findUserById } from '../store/users.ts'
import { CLOSE_VISIT, findLink, noteSignOfLife, OPEN_VISIT, type VisitDoor } from '../store/visits.ts'
import { configurationOf, openUserSession, type UserSession } from './interview/user.ts'
import type { OpenedSession } from './read.ts'
import type { Releases } from './releases.ts'
import { SessionSeal } from './sealed.ts'

const TOKEN = /^[a-z0-9-]{1,60}\.[A-Za-z0-9_-]{43}$/

/** A visit that has just begun; its secret is told this once. */
export type BegunVisit = { id: string; secret: string; auditUserIdentifier: string; endsAt: Date }

/** A session as a clinician may see it during a visit. Without content there is no interview: it could not be set up. */
export type VisitedSession = OpenedSession & {
  visit: VisitDoor
  place: Omit<Caller, 'keyId'>
  isActive: boolean
  user: UserSession | null
}

/** Exchanges a link token for a visit of its own, as often as wished while the token works. */
export async function openVisit(core: Core, token: string, slug: string): Promise<BegunVisit> {
  const tokenHash = hashOf(token)
  const link = TOKEN.test(token) ? await findLink(core.db, tokenHash) : null
  if (!link || link.slug !== slug || !link.enabled) return fail('link-not-found')
  if (!link.is_alive) return fail('link-expired')
  const { account_id: accountId, session_id: sessionId, audit_user_identifier: auditUserIdentifier } = link
  const id = randomUUID()
  const secret = newToken()
  const row = { id, hash: hashOf(secret).toString('hex'), token_hash: tokenHash.toString('hex') }
  try {
    const [begun] = await note(
      core,
      { account_id: accountId, id, session_id: sessionId, audit_user_identifier: auditUserIdentifier },
      'visit.opened',
      {},
      [{ statement: OPEN_VISIT, row }],
    )
    return { id, secret, auditUserIdentifier, endsAt: begun?.ends_at instanceof Date ? begun.ends_at : new Date(0) }
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) throw error
    return fail((await findLink(core.db, tokenHash)) ? 'link-expired' : 'link-not-found') // it ran out, or was erased, in this moment
  }
}

/** The living visit behind a secret. Asking keeps it alive: it ends some minutes after the last sign of life. */
export const keepVisitAlive = (core: Core, secretHash: Buffer): Promise<VisitDoor | null> =>
  noteSignOfLife(core.db, secretHash)

/** Reads a session's health data for a clinician: the audit entry is durable before anything is returned. */
export async function readVisited(
  core: Core,
  releases: Releases,
  visit: VisitDoor,
  action: string,
  detail: Record<string, unknown> = {},
): Promise<VisitedSession> {
  const visited = await openVisited(core, releases, visit)
  await note(core, visit, action, detail)
  return visited
}

export async function openVisited(core: Core, releases: Releases, visit: VisitDoor): Promise<VisitedSession> {
  const door = (await findUserById(core.db, visit.account_id, visit.session_id)) ?? fail('visit-missing')
  const configuration = configurationOf(door) ?? fail('visit-missing')
  const { account_id: accountId, session: row, slug, time_zone: timeZone } = door
  const accountKey = core.keyring.openAccountKey(accountId, door.sealed_account_key)
  return {
    visit,
    row,
    seal: SessionSeal.open(accountId, accountKey, row.id, row.sealed_key),
    place: {
      accountId,
      accountKey,
      configurationId: row.configuration_id,
      slug,
      timeZone,
      configuration,
    },
    isActive: door.is_active,
    user: row.content_version === null ? null : await openUserSession(core, releases, door),
  }
}

/** The clinician ends the visit; its secret opens nothing from then on. */
export async function closeVisit(core: Core, visit: VisitDoor): Promise<void> {
  await note(core, visit, 'visit.closed', {}, [{ statement: CLOSE_VISIT, row: { id: visit.id } }])
}

type Visitor = Pick<VisitDoor, 'account_id' | 'id' | 'session_id' | 'audit_user_identifier'>

/** Writes down what a clinician does or sees. Whatever keeps it from being written, nothing is shown then. */
export async function note(
  core: Core,
  { account_id: accountId, id, session_id: sessionId, audit_user_identifier: auditUserIdentifier }: Visitor,
  action: string,
  detail: Record<string, unknown> = {},
  effects: readonly Effect[] = [],
): Promise<Record<string, unknown>[]> {
  try {
    return await core.recorder.record({
      accountId,
      actor: `clinician:${auditUserIdentifier}`,
      action,
      subject: sessionId,
      detail: { auditUserIdentifier, visit: id, ...detail },
      effects,
    })
  } catch (error) {
    if (error instanceof PreconditionFailed || error instanceof DatabaseAway || error instanceof StatementTimeout)
      throw error
    throw new Problem('audit-unavailable', { headers: { 'retry-after': '2' } })
  }
}
