import { type Db, type Statement, sql } from './database/db.ts'

/** What a key opens: its own state and the configuration it is tied to (null when that is missing). */
export type KeyDoor = {
  account_id: string
  key_id: string
  configuration_id: string
  is_sandbox: boolean
  revoked: boolean
  valid_ms: number | null
  slug: string | null
  enabled: boolean | null
  document: unknown
  time_zone: string
  sealed_account_key: Buffer
}

export type KeyRow = {
  id: string
  configuration_id: string
  hint: string
  note: string
  /** What it creates is a test. */
  is_sandbox: boolean
  issued_at: Date
  expires_at: Date | null
  revoked_at: Date | null
  live: boolean
}

const DOOR = sql(
  'key_door',
  `select k.account_id, k.id as key_id, k.configuration_id, k.is_sandbox, k.revoked_at is not null as revoked,
     extract(epoch from k.expires_at - now())::float8 * 1000 as valid_ms,
     c.slug, c.enabled, c.document, a.time_zone, a.sealed_key as sealed_account_key
   from api_keys k join accounts a on a.id = k.account_id
   left join configurations c on c.account_id = k.account_id and c.id = k.configuration_id
   where k.hash = $1`,
)
const NOT_ON_RECORD = sql(
  'key_not_on_record',
  `with entries as (
     select subject, action, detail ->> 'replacedBy' as replacement from audit_entries
     where account_id = $1 and action in ('key.issued', 'key.rotated', 'key.revoked')
     union all
     select subject, detail ->> 'action', detail -> 'detail' ->> 'replacedBy' from audit_entries where account_id = $1 and action = 'audit.carried')
   select id from api_keys where account_id = $1 and (
     id::text not in (select subject from entries where action = 'key.issued' union all select replacement from entries where replacement is not null)
     or (revoked_at is null and id::text in (select subject from entries where action = 'key.revoked')))`,
)

/** Keys that were never issued on record, or that work although they were revoked on record. */
export async function listKeysNotOnRecord(db: Db, accountId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(NOT_ON_RECORD, [accountId])).map(({ id }) => id)
}

const LIST = sql(
  'key_list',
  `select id, configuration_id, hint, note, is_sandbox, issued_at, expires_at, revoked_at,
     revoked_at is null and (expires_at is null or expires_at > now()) as live
   from api_keys where account_id = $1 order by issued_at, id`,
)

/** A door: finds the account behind a key. */
export async function findKeyDoor(db: Db, hash: Buffer): Promise<KeyDoor | null> {
  return (await db.query<KeyDoor>(DOOR, [hash]))[0] ?? null
}

export const listKeys = (db: Db, accountId: string): Promise<KeyRow[]> => db.query<KeyRow>(LIST, [accountId])

/** Effect: a new key. Row: {id, configuration_id, hash (hex), hint, note, is_sandbox, expires_in_seconds?}. */
export const INSERT_KEY: Statement = sql(
  'key_insert',
  `insert into api_keys (account_id, id, configuration_id, hash, hint, note, is_sandbox, expires_at)
   select $1, g.id, g.configuration_id, decode(g.hash, 'hex'), g.hint, g.note, g.is_sandbox, now() + g.expires_in_seconds * interval '1 second'
   from jsonb_to_recordset($2::jsonb) as g(id uuid, configuration_id uuid, hash text, hint text, note text, is_sandbox boolean, expires_in_seconds float8)`,
)

/** Effect: a key ends now (revoked) or soon (the overlap of a rotation). Row: {id, revoke?, expires_in_seconds?}. */
export const END_KEY: Statement = sql(
  'key_end',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid, revoke boolean, expires_in_seconds float8)),
   done as (
     update api_keys k set
       revoked_at = case when g.revoke then coalesce(k.revoked_at, now()) else k.revoked_at end,
       expires_at = least(k.expires_at, now() + g.expires_in_seconds * interval '1 second')
     from given g where k.account_id = $1 and k.id = g.id returning k.id)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_changed', $1::text)`,
)
