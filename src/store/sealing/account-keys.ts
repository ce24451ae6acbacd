import { type Db, type Statement, sql } from '../database/db.ts'

/** A key of an account that is replacing another, and how far that is. */
export type KeyChange = {
  account_id: string
  number: number
  added_seconds: number
  /** Null: it seals nothing yet. */
  used_seconds: number | null
  /** Nothing can be sealed with those before it any more. */
  is_only: boolean
}

/** How far an account's key has been replaced. Counts are of sealed values, nearly all of them keys of sessions. */
export type KeyProgress = {
  account_id: string
  name: string
  number: number
  added_at: Date
  used_since: Date | null
  /** Null: not counted yet. */
  total: number | null
  resealed: number
  resealed_at: Date | null
}

const CHANGING = sql(
  'account_keys_changing',
  `select k.account_id, k.number, extract(epoch from clock_timestamp() - k.added_at)::float8 as added_seconds,
     extract(epoch from clock_timestamp() - k.used_since)::float8 as used_seconds,
     not exists (select from account_keys o where o.account_id = k.account_id and o.number < k.number and o.closed_at is null) as is_only
   from account_keys k where k.resealed_at is null order by k.added_at, k.account_id`,
)
const PROGRESS = sql(
  'account_key_progress',
  `select distinct on (a.created_at, a.id) a.id as account_id, a.name, k.number, k.added_at, k.used_since, k.reseal_total::int as total,
     k.resealed::int, k.resealed_at
   from accounts a join account_keys k on k.account_id = a.id order by a.created_at, a.id, k.number desc`,
)
const CLOSE = sql(
  'account_keys_close',
  `with older as (select number from account_keys where account_id = $1 and number < $2 for update),
   counted as (update account_keys set reseal_total = $3 where account_id = $1 and number = $2)
   update account_keys set closed_at = clock_timestamp() where account_id = $1 and number in (select number from older) and closed_at is null`,
)

/** The keys that are replacing others. A door: the service carries on with all of them. */
export const listKeyChanges = (db: Db): Promise<KeyChange[]> => db.query<KeyChange>(CHANGING)

/** The newest key of each account, and how far it has replaced the one before. */
export const listKeyProgress = (db: Db): Promise<KeyProgress[]> => db.query<KeyProgress>(PROGRESS)

/** From now on nothing can be sealed with the keys before this one: whoever is still writing with one is waited for. */
export async function closeOlderKeys(db: Db, accountId: string, number: number, total: number | null): Promise<void> {
  await db.query(CLOSE, [accountId, number, total])
}

/** Effect: another key of the account, which seals nothing yet. Row: {number, before (hex), after (hex): the account's sealed keys}. */
export const ADD_ACCOUNT_KEY: Statement = sql(
  'account_key_add',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(number integer, before text, after text)),
   added as (insert into account_keys (account_id, number) select $1, number from given on conflict do nothing),
   done as (
     update accounts a set sealed_key = decode(g.after, 'hex') from given g
     where a.id = $1 and a.sealed_key = decode(g.before, 'hex') returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_changed', $1::text)`,
)

/** Effect: this key seals from now on. Row: {number, before (hex), after (hex)}. */
export const USE_ACCOUNT_KEY: Statement = sql(
  'account_key_use',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(number integer, before text, after text)),
   used as (
     update account_keys k set used_since = clock_timestamp() from given g
     where k.account_id = $1 and k.number = g.number and k.used_since is null returning 1),
   done as (
     update accounts a set sealed_key = decode(g.after, 'hex') from given g
     where a.id = $1 and a.sealed_key = decode(g.before, 'hex') returning 1)
   select expect_rows((select count(*) from done) + (select count(*) from used), 2 * (select count(*) from given)), pg_notify('fyr_changed', $1::text)`,
)

/** Effect: the keys before this one are gone. Row: {number, before (hex), after (hex)}. */
export const REMOVE_OLDER_KEYS: Statement = sql(
  'account_keys_remove',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(number integer, before text, after text)),
   gone as (delete from account_keys k using given g where k.account_id = $1 and k.number < g.number and k.closed_at is not null),
   marked as (update account_keys k set resealed_at = clock_timestamp() from given g where k.account_id = $1 and k.number = g.number),
   done as (
     update accounts a set sealed_key = decode(g.after, 'hex') from given g
     where a.id = $1 and a.sealed_key = decode(g.before, 'hex') returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_changed', $1::text)`,
)
