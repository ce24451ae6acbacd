import { type Db, type Statement, sql } from './database/db.ts'
import type { SessionStatus } from './sessions.ts'

const ALIVE = `interval '5 minutes'`
const LONGEST = `interval '5 hours'`

export type LinkDoor = {
  account_id: string
  session_id: string
  audit_user_identifier: string
  is_alive: boolean
  slug: string
  enabled: boolean
}

const LINK_DOOR = sql(
  'link_door',
  `select l.account_id, l.session_id, l.audit_user_identifier, l.expires_at > now() and l.ended_at is null and k.revoked_at is null as is_alive, c.slug, c.enabled
   from link_tokens l join sessions s on s.account_id = l.account_id and s.id = l.session_id and s.erased_at is null
   join api_keys k on k.account_id = l.account_id and k.id = l.key_id
   join configurations c on c.account_id = l.account_id and c.id = l.configuration_id where l.hash = $1`,
)

/** A door: the session behind a link token, whether the token still works or not. */
export async function findLink(db: Db, tokenHash: Buffer): Promise<LinkDoor | null> {
  return (await db.query<LinkDoor>(LINK_DOOR, [tokenHash]))[0] ?? null
}

/** Effect: a visit begins, if its token still works by the database's clock. Row: {id, hash (hex), token_hash (hex)}. */
export const OPEN_VISIT: Statement = sql(
  'visit_open',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(ref int, id uuid, hash text, token_hash text)),
   done as (
     insert into visits (account_id, id, hash, session_id, configuration_id, audit_user_identifier, token_hash, key_id, alive_until, ends_at)
     select $1, g.id, decode(g.hash, 'hex'), l.session_id, l.configuration_id, l.audit_user_identifier, l.hash, l.key_id, now() + ${ALIVE}, now() + ${LONGEST}
     from given g join link_tokens l on l.account_id = $1 and l.hash = decode(g.token_hash, 'hex') and l.expires_at > now() and l.ended_at is null
     join api_keys k on k.account_id = $1 and k.id = l.key_id and k.revoked_at is null
     join sessions s on s.account_id = $1 and s.id = l.session_id and s.erased_at is null
     returning id, ends_at)
   select ref, ends_at, expect_rows((select count(*) from done), (select count(*) from given)) from given left join done using (id)`,
)

export type VisitDoor = {
  account_id: string
  id: string
  session_id: string
  audit_user_identifier: string
  key_id: string
  ends_at: Date
  seconds_left: number
  status: SessionStatus
  is_active: boolean
  version: number
  files: number
  judgements: number
}

const SIGN_OF_LIFE = sql(
  'visit_sign_of_life',
  `update visits v set alive_until = least(now() + ${ALIVE}, v.ends_at)
   from sessions s, configurations c, api_keys k
   where v.hash = $1 and v.alive_until > now() and s.account_id = v.account_id and s.id = v.session_id and s.erased_at is null
     and c.account_id = v.account_id and c.id = v.configuration_id and c.enabled
     and k.account_id = v.account_id and k.id = v.key_id and k.revoked_at is null
   returning v.account_id, v.id, v.session_id, v.audit_user_identifier, v.key_id, v.ends_at,
     extract(epoch from v.ends_at - now())::float8 as seconds_left, s.status, s.active_until > now() as is_active, s.version,
     (select count(*)::int from uploads u where u.account_id = v.account_id and u.session_id = v.session_id
        and u.ready_at is not null and u.removed_at is null) as files,
     (select count(*)::int from judgements j where j.account_id = v.account_id and j.session_id = v.session_id) as judgements`,
)

/** A door: the live visit behind a secret. Each look-up is its sign of life. */
export async function noteSignOfLife(db: Db, hash: Buffer): Promise<VisitDoor | null> {
  return (await db.query<VisitDoor>(SIGN_OF_LIFE, [hash]))[0] ?? null
}

const WAS_VISIT = sql('visit_known', `select 1 from visits where hash = $1`)

/** A door: whether this visit ever existed, so that an ended one does not count as a guess. */
export async function wasVisit(db: Db, hash: Buffer): Promise<boolean> {
  return (await db.query(WAS_VISIT, [hash])).length > 0
}

/** Effect: the clinician ends the visit, and with it the link it came from. Row: {id}. */
export const CLOSE_VISIT: Statement = sql(
  'visit_close',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid)),
   closed as (
     update visits v set alive_until = least(v.alive_until, now()) from given g
     where v.account_id = $1 and v.id = g.id returning v.token_hash)
   update link_tokens l set ended_at = coalesce(l.ended_at, now()) from closed c where l.account_id = $1 and l.hash = c.token_hash`,
)

/** Which visits to end; null matches any. */
export type VisitsWanted = { sessionId: string | null; keyId: string | null; auditUserIdentifier: string | null }

/**
 * Effect: ends visits, with the links they came from and those that could open more. Row: {session_id?, key_id?,
 * audit_user_identifier?}.
 */
export const END_VISITS: Statement = sql(
  'visits_end',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(ref int, session_id uuid, key_id uuid, audit_user_identifier text)),
   ended as (
     update visits v set alive_until = now() from given g
     where v.account_id = $1 and v.alive_until > now() and (g.session_id is null or v.session_id = g.session_id)
       and (g.key_id is null or v.key_id = g.key_id) and (g.audit_user_identifier is null or v.audit_user_identifier = g.audit_user_identifier)
     returning 1),
   linked as (
     update link_tokens l set ended_at = now() from given g
     where l.account_id = $1 and l.ended_at is null and l.expires_at > now() and (g.session_id is null or l.session_id = g.session_id)
       and (g.key_id is null or l.key_id = g.key_id) and (g.audit_user_identifier is null or l.audit_user_identifier = g.audit_user_identifier))
   select ref, (select count(*)::int from ended) as ended from given`,
)

const FORGET = sql(
  'visits_forget',
  `delete from visits where account_id = $1 and id in (
     select id from visits where account_id = $1 and ends_at < now() - interval '7 days' limit $2)
   returning 1`,
)

/** Deletes visits that ended a week ago; who saw what stays in the audit entries. */
export const forgetVisits = async (db: Db, accountId: string, limit: number): Promise<number> =>
  (await db.query(FORGET, [accountId, limit])).length
