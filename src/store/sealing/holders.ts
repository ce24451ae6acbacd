import { type Db, type Statement, sql } from '../database/db.ts'

/** A node that has not been seen for this long has ended. */
const SEEN_WITHIN = '60 seconds'

/** A running node, and whether it holds the master key that is asked about. */
export type Holder = { host: string; process: number; seen_at: Date; holds: boolean }

const SEEN = sql(
  'master_key_holder_seen',
  `insert into master_key_holders (node, host, process, checks) values ($1, $2, $3, $4)
   on conflict (node) do update set seen_at = clock_timestamp()`,
)
const IN_USE = sql('master_key_in_use', 'select check_value, since from master_key_checks for share')
const GONE = sql(
  'master_key_holder_gone',
  `delete from master_key_holders where node = $1 or seen_at < now() - interval '1 day'`,
)
const LIST = sql(
  'master_key_holders',
  `select host, process, seen_at, $1 = any(checks) as holds from master_key_holders
   where seen_at > now() - interval '${SEEN_WITHIN}' order by host, process`,
)

export type Node = { id: string; host: string; process: number }

/**
 * Says that a node runs and which master keys it holds. Returns the check value of the one in use, waiting for a
 * rotation that is being written; null in a database that has none yet.
 */
export async function noteHolder(
  db: Db,
  { id, host, process }: Node,
  checks: readonly Buffer[],
): Promise<{ check_value: Buffer; since: Date } | null> {
  await db.query(SEEN, [id, host, process, checks])
  return findInUse(db)
}

export async function findInUse(db: Db): Promise<{ check_value: Buffer; since: Date } | null> {
  return (await db.query<{ check_value: Buffer; since: Date }>(IN_USE))[0] ?? null
}

export async function forgetHolder(db: Db, id: string): Promise<void> {
  await db.query(GONE, [id])
}

export const listHolders = (db: Db, check: Buffer): Promise<Holder[]> => db.query<Holder>(LIST, [check])

/** Effect on the deployment: nobody else moves the master key until this is written. Row: {}. */
export const HOLD_MASTER_KEY: Statement = sql(
  'master_key_hold',
  `select 1 as held from master_key_checks where $1::uuid is not null and $2::jsonb is not null for update`,
)

/**
 * Effect on the deployment: another master key from now on. Row: {check_before, check_after, sealed_root (hex), accounts:
 * [{id, before (hex), after (hex)}]}. It is undone unless it covers every account as it is, and every running node
 * holds the key.
 */
export const MOVE_MASTER_KEY: Statement = sql(
  'master_key_move',
  `with given as (
     select decode(g.check_before, 'hex') as check_before, decode(g.check_after, 'hex') as check_after, decode(g.sealed_root, 'hex') as sealed_root, g.accounts
     from jsonb_to_recordset($2::jsonb) as g(check_before text, check_after text, sealed_root text, accounts jsonb) where $1::uuid is not null),
   wrapped as (
     select w.id, decode(w.before, 'hex') as before, decode(w.after, 'hex') as after
     from given, jsonb_to_recordset(given.accounts) as w(id uuid, before text, after text)),
   moved as (
     update master_key_checks m set check_value = g.check_after, sealed_root = g.sealed_root, since = clock_timestamp()
     from given g where m.check_value = g.check_before returning 1),
   kept as (
     insert into master_keys_replaced (check_value) select check_before from given
     on conflict (check_value) do update set replaced_at = clock_timestamp()),
   back as (delete from master_keys_replaced r using given g where r.check_value = g.check_after),
   done as (update accounts a set sealed_key = w.after from wrapped w where a.id = w.id and a.sealed_key = w.before returning 1),
   without as (
     select from master_key_holders h, given g
     where h.seen_at > now() - interval '${SEEN_WITHIN}' and not g.check_after = any(h.checks))
   select expect_rows((select count(*) from moved), (select count(*) from given)),
     expect_rows((select count(*) from done), (select count(*) from accounts)), expect_rows((select count(*) from without), 0)`,
)
