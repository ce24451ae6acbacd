import { randomUUID } from 'node:crypto'
import type { Caller } from '../account/callers.ts'
import type { Core } from '../events/core.ts'
import type { Effect } from '../events/record.ts'
import { fail, Problem } from '../problems.ts'
import { DatabaseAway, PreconditionFailed, StatementTimeout } from '../store/database/db.ts'
import { hashOf, newToken } from '../store/seal.ts'
import { INSERT_LINK_TOKEN } from '../store/sessions.ts'
import {
  CLOSE_VISIT,
  END_VISITS,
  findLink,
  noteSignOfLife,
  OPEN_VISIT,
  type VisitDoor,
  type VisitsWanted,
} from '../store/visits.ts'

const LINK_MINUTES = 5
const TOKEN = /^[a-z0-9-]{1,60}\.[A-Za-z0-9_-]{43}$/

/** A visit that has just begun; its secret is returned only here. */
export type BegunVisit = { id: string; secret: string; auditUserIdentifier: string; endsAt: Date }

/** A five-minute link to decision support for one clinician, whose identifier is in every audit entry of the visit. */
export async function issueLink(
  core: Core,
  publicUrl: string,
  caller: Caller,
  sessionId: string,
  auditUserIdentifier: string,
): Promise<{ link: string; token: string }> {
  const { accountId, configurationId, keyId, slug } = caller
  const token = `${slug}.${newToken()}` // from the token alone the manager script knows which page to open
  const { id } = (await core.findSession({ accountId, configurationId, id: sessionId })) ?? fail('session-not-found')
  const effect = {
    hash: hashOf(token).toString('hex'),
    session_id: id,
    configuration_id: configurationId,
    audit_user_identifier: auditUserIdentifier,
    key_id: keyId,
    minutes: LINK_MINUTES,
  }
  try {
    await core.recorder.record({
      accountId,
      actor: `key:${keyId}`,
      action: 'link.issued',
      subject: id,
      detail: { auditUserIdentifier },
      effects: [{ statement: INSERT_LINK_TOKEN, row: effect }],
    })
  } catch (error) {
    if (error instanceof PreconditionFailed) fail('session-not-found') // erased at the same moment
    throw error
  }
  return { link: `${publicUrl}/decision-support/${slug}#token=${token}`, token }
}

/** Exchanges a link token for a visit, as often as wished while the token works: until one of its visits is ended, or its key revoked. */
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
    return fail((await findLink(core.db, tokenHash)) ? 'link-expired' : 'link-not-found') // it expired or was erased just now
  }
}

/** The live visit behind a secret. Each call keeps it alive: it ends some minutes after the last sign of life. */
export const keepVisitAlive = (core: Core, secretHash: Buffer): Promise<VisitDoor | null> =>
  noteSignOfLife(core.db, secretHash)

/** The clinician ends the visit: its secret and its link open nothing from then on. */
export async function closeVisit(core: Core, visit: VisitDoor): Promise<void> {
  await note(core, visit, 'visit.closed', {}, [{ statement: CLOSE_VISIT, row: { id: visit.id } }])
}

/** The operator ends visits at once, on every node, with links that could open others. Returns how many were open. */
export async function endVisits(core: Core, accountId: string, wanted: VisitsWanted): Promise<number> {
  const { sessionId, keyId, auditUserIdentifier } = wanted
  const row = { session_id: sessionId, key_id: keyId, audit_user_identifier: auditUserIdentifier }
  const [done] = await core.recorder.record({
    accountId,
    actor: core.operator,
    action: 'visits.ended',
    subject: sessionId ?? keyId ?? accountId,
    detail: { ...(keyId && { key: keyId }), ...(auditUserIdentifier && { auditUserIdentifier }) },
    effects: [{ statement: END_VISITS, row }],
  })
  return Number(done?.ended ?? 0)
}

type Visitor = Pick<VisitDoor, 'account_id' | 'id' | 'session_id' | 'audit_user_identifier'>

/** Records what a clinician does or sees. If that fails, nothing is shown. */
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
