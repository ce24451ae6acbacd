import { type Db, type Statement, sql } from './database/db.ts'

export type AccountRow = {
  id: string
  name: string
  active: boolean
  time_zone: string
  sealed_key: Buffer
  monitored_hours: unknown
  cap: unknown
  created_at: Date
}

/** The all-zero id that stands for the whole deployment in tables and audit chains. No account has it. */
export const DEPLOYMENT = '00000000-0000-0000-0000-000000000000'

const FIND = sql(
  'account_find',
  'select id, name, active, time_zone, sealed_key, monitored_hours, cap, created_at from accounts where id = $1',
)
const LIST = sql(
  'account_list',
  'select id, name, active, time_zone, sealed_key, monitored_hours, cap, created_at from accounts order by created_at, id',
)

/** Effect on the deployment: creates an account with the start of its audit chain. Row: {id, name, time_zone, sealed_key (hex), check_value (hex: of the master key that sealed it), genesis (hex)}. */
export const INSERT_ACCOUNT: Statement = sql(
  'account_insert',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid, name text, time_zone text, sealed_key text, check_value text, genesis text)),
   begun as (insert into audit_heads (account_id, seq, hash) select id, 0, decode(genesis, 'hex') from given where $1::uuid is not null),
   done as (insert into accounts (id, name, time_zone, sealed_key) select id, name, time_zone, decode(sealed_key, 'hex') from given returning 1)
   select expect_rows((select count(*) from master_key_checks m, given g where m.check_value <> decode(g.check_value, 'hex')), 0), expect_rows((select count(*) from done), (select count(*) from given))`,
)

export async function findAccount(db: Db, id: string): Promise<AccountRow | null> {
  return (await db.query<AccountRow>(FIND, [id]))[0] ?? null
}

export const listAccounts = (db: Db): Promise<AccountRow[]> => db.query<AccountRow>(LIST)

/** Effect: changes an account. Row: {id, name?, time_zone?, active?, monitored_hours?, no_hours?, cap?, no_cap?}. */
export const UPDATE_ACCOUNT: Statement = sql(
  'account_update',
  `with given as (select * from jsonb_to_recordset($2::jsonb) 
     as g(id uuid, name text, time_zone text, active boolean, monitored_hours jsonb, cap jsonb, no_hours boolean, no_cap boolean)),
   done as (
     update accounts a set name = coalesce(g.name, a.name), time_zone = coalesce(g.time_zone, a.time_zone), active = coalesce(g.active, a.active),
       monitored_hours = case when g.no_hours then null else coalesce(g.monitored_hours, a.monitored_hours) end,
       cap = case when g.no_cap then null else coalesce(g.cap, a.cap) end
     from given g where a.id = $1 and g.id = a.id returning a.id)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_changed', $1::text)`,
)

/** Effect: closes every door of an account for good: users, keys and configurations. Row: {id}. */
export const CLOSE_ACCOUNT: Statement = sql(
  'account_close',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid)),
   done as (update accounts a set active = false from given g where a.id = $1 and g.id = a.id returning 1),
   switched_off as (update configurations c set enabled = false, revision = c.revision + 1 from given g where c.account_id = $1),
   revoked as (update api_keys k set revoked_at = coalesce(k.revoked_at, now()) from given g where k.account_id = $1)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_changed', $1::text)`,
)

const REMOVE_SESSIONS = sql(
  'account_remove_sessions',
  `with few as (select id from sessions where account_id = $1 limit $2),
   marked as (delete from session_marks where account_id = $1 and session_id in (select id from few)),
   answered as (delete from answers where account_id = $1 and session_id in (select id from few)),
   parts as (delete from upload_parts where account_id = $1 and session_id in (select id from few)),
   uploaded as (delete from uploads where account_id = $1 and session_id in (select id from few)),
   signed_in as (delete from user_cookies where account_id = $1 and session_id in (select id from few)),
   linked as (delete from link_tokens where account_id = $1 and session_id in (select id from few)),
   visited as (delete from visits where account_id = $1 and session_id in (select id from few)),
   judged as (delete from judgements where account_id = $1 and session_id in (select id from few)),
   told as (delete from webhook_deliveries where account_id = $1 and session_id in (select id from few) returning id),
   tried as (delete from webhook_attempts where account_id = $1 and delivery_id in (select id from told)),
   gone as (delete from sessions where account_id = $1 and id in (select id from few) returning id)
   select pg_notify('fyr_erased', id::text) from gone`,
)

/** Deletes some sessions of an account with all that belongs to them; returns how many. */
export const removeSessions = async (db: Db, accountId: string, most: number): Promise<number> =>
  (await db.query(REMOVE_SESSIONS, [accountId, most])).length

/** Effect on the deployment: removes an account whose sessions are gone. Its audit chain stays. Row: {id}. */
export const REMOVE_ACCOUNT: Statement = sql(
  'account_remove',
  `with given as (select id from jsonb_to_recordset($2::jsonb) as g(id uuid) where $1::uuid is not null),
   counts as (delete from completed_hours where account_id = any(array(select id from given))),
   repeated as (delete from idempotency_keys where account_id = any(array(select id from given))),
   tried as (delete from webhook_attempts where account_id = any(array(select id from given))),
   told as (delete from webhook_deliveries where account_id = any(array(select id from given))),
   secrets as (delete from webhook_secrets where account_id = any(array(select id from given))),
   endpoints as (delete from webhook_endpoints where account_id = any(array(select id from given))),
   opened as (delete from access_events where account_id = any(array(select id from given))),
   keys as (delete from api_keys where account_id = any(array(select id from given))),
   signatures as (delete from release_signatures where account_id = any(array(select id from given))),
   numbers as (delete from account_keys where account_id = any(array(select id from given))),
   reviewers as (delete from clinicians where account_id = any(array(select id from given))),
   activated as (delete from content_activations where account_id = any(array(select id from given))),
   admins as (delete from role_accounts where account_id = any(array(select id from given))),
   addresses as (delete from slugs where account_id = any(array(select id from given))),
   published as (delete from configurations where account_id = any(array(select id from given))),
   done as (delete from accounts where id = any(array(select id from given)) returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_changed', '')`,
)
