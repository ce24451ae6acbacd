import { type Db, type Statement, sql } from './database/db.ts'
import { SESSION_STATUSES } from './sessions.ts'

/** The turn for housekeeping: one node at a time holds it. */
export const HOUSEKEEPING_TURN = 0x46_59_52_04

/**
 * Effect: erases the session's key and everything readable, also from the cache of every node; the row stays for the
 * counts. Row: {id}.
 */
export const ERASE_SESSION: Statement = sql(
  'session_erase',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid)),
   done as (
     update sessions s set erased_at = now(), sealed_key = null, sealed_matter = null, sealed_given_matter = null, sealed_given_signs = null, sealed_extended_data = null, sealed_outcome = null, sealed_contact = null, sealed_reference = null, complaint_hashes = null, state_seal = null,
       patient_age = null, patient_sex = null, user_is_patient = null, given = '{}', return_url = null, urgency = null, alarm_level = null
     from given g where s.account_id = $1 and s.id = g.id and s.erased_at is null returning s.id),
   uploaded as (
     update uploads u set removed_at = coalesce(u.removed_at, now()), sealed_bytes = null, sealed_name = '' from given g
     where u.account_id = $1 and u.session_id = g.id),
   parts as (delete from upload_parts p using given g where p.account_id = $1 and p.session_id = g.id),
   answered as (delete from answers a using given g where a.account_id = $1 and a.session_id = g.id),
   signed_in as (
     update user_cookies u set signed_out_at = coalesce(u.signed_out_at, now()), expires_at = least(u.expires_at, now())
     from given g where u.account_id = $1 and u.session_id = g.id),
   linked as (delete from link_tokens l using given g where l.account_id = $1 and l.session_id = g.id),
   visited as (delete from visits v using given g where v.account_id = $1 and v.session_id = g.id),
   judged as (
     update judgements j set sealed_reason = null, audit_user_identifier = null from given g where j.account_id = $1 and j.session_id = g.id)
   select expect_rows((select count(*) from done), (select count(*) from given)), (select count(pg_notify('fyr_erased', d.id::text)) from done d)`,
)

const DUE = sql(
  'sessions_due_for_erasure',
  `select due.id from unnest($5::text[]) as each(status), lateral (
     select id from sessions where account_id = $1 and configuration_id = $2 and status = each.status and erased_at is null
       and created_at < now() - $3 * interval '1 day' and last_active_at < now() - $3 * interval '1 day'
     order by created_at limit $4) due limit $4`,
)
const ABANDON = sql(
  'sessions_abandon',
  `update sessions set abandoned_at = active_until where account_id = $1 and id in (
     select id from sessions where account_id = $1 and configuration_id = $2 and completed_at is null and abandoned_at is null
       and erased_at is null and active_until <= now() limit $3 for update skip locked)
   returning id`,
)
const FORGET_KEYS = sql(
  'idempotency_forget',
  `delete from idempotency_keys where account_id = $1 and (configuration_id, key_hash) in (
     select configuration_id, key_hash from idempotency_keys where account_id = $1 and created_at < now() - interval '25 hours' limit $2)
   returning 1`,
)
const FORGET_LINKS = sql(
  'link_tokens_forget',
  `delete from link_tokens where account_id = $1 and hash in (
     select hash from link_tokens where account_id = $1 and expires_at < now() - interval '7 days' limit $2)
   returning 1`,
)

/** Sessions of a configuration that are past their retention. */
export async function listDueForErasure(
  db: Db,
  accountId: string,
  configurationId: string,
  retentionDays: number,
  limit: number,
): Promise<string[]> {
  const values = [accountId, configurationId, retentionDays, limit, SESSION_STATUSES]
  const rows = await db.query<{ id: string }>(DUE, values)
  return rows.map(({ id }) => id)
}

/** Marks sessions that nobody continued within their lifetime, so that they leave the index of ongoing ones. */
export async function markAbandoned(
  db: Db,
  accountId: string,
  configurationId: string,
  limit: number,
): Promise<number> {
  return (await db.query(ABANDON, [accountId, configurationId, limit])).length
}

/** Deletes stored answers to Idempotency-Keys that are no longer replayed. */
export const forgetIdempotency = async (db: Db, accountId: string, limit: number): Promise<number> =>
  (await db.query(FORGET_KEYS, [accountId, limit])).length

/** Deletes link tokens that expired a week ago. */
export const forgetLinkTokens = async (db: Db, accountId: string, limit: number): Promise<number> =>
  (await db.query(FORGET_LINKS, [accountId, limit])).length
