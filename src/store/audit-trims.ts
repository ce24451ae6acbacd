import { type Db, type Statement, sql } from './database/db.ts'

/** The turn for trimming audit chains: one node at a time holds it. */
export const TRIM_TURN = 0x46_59_52_07

/** The last entry that retention removed from a chain; what is left goes on from it. */
export type Trimmed = { seq: number; hash: Buffer }

const FIND = sql(
  'audit_trim_find',
  `select trimmed_seq::int as seq, trimmed_hash as hash from audit_heads where account_id = $1 and trimmed_seq > 0`,
)
const BEFORE = sql(
  'audit_trim_before',
  `select date_trunc('month', now() at time zone 'UTC' - $1 * interval '1 day') at time zone 'UTC' as moment`,
)
const SESSIONS = sql(
  'audit_trim_sessions',
  `select (detail ->> 'sessions')::int as sessions from audit_entries
   where account_id = $1 and subject = $1::text and action = 'audit.trimmed' order by seq desc limit 1`,
)
const KEPT = sql(
  'audit_kept_sessions',
  'select id from sessions where account_id = $1 and id = any($2::uuid[]) and erased_at is null',
)
const REMOVE = sql(
  'audit_remove_trimmed',
  `delete from audit_entries where account_id = $1 and seq in (
     select e.seq from audit_entries e where e.account_id = $1
       and e.seq <= (select h.trimmed_seq from audit_heads h where h.account_id = $1) order by e.seq limit $2)
   returning 1`,
)

/** Effect: from now on the chain begins after an entry. Row: {before, seq, hash (hex)}. */
export const TRIM_CHAIN: Statement = sql(
  'audit_trim',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(before bigint, seq bigint, hash text)),
   done as (
     update audit_heads h set trimmed_seq = g.seq, trimmed_hash = decode(g.hash, 'hex') from given g
     where h.account_id = $1 and h.trimmed_seq = g.before and g.seq > g.before and g.seq < h.seq returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

/** Where a chain was trimmed last, as noted beside it; null when it is there from its start. */
export const findTrimmed = async (db: Db, accountId: string): Promise<Trimmed | null> =>
  (await db.query<Trimmed>(FIND, [accountId]))[0] ?? null

/** Entries of before this moment are past their retention: the first of a month, so that each chain is trimmed once a month at most. */
export async function findTrimMoment(db: Db, retentionDays: number): Promise<Date> {
  const [row] = await db.query<{ moment: Date }>(BEFORE, [retentionDays])
  return row?.moment ?? new Date(0)
}

/** How many sessions were created in what was trimmed so far, as the last such entry says. */
export const findTrimmedSessions = async (db: Db, accountId: string): Promise<number> =>
  (await db.query<{ sessions: number }>(SESSIONS, [accountId]))[0]?.sessions ?? 0

/** Those of the sessions that are not erased. */
export async function listKeptOf(db: Db, accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  return new Set((await db.query<{ id: string }>(KEPT, [accountId, ids])).map(({ id }) => id))
}

/** Deletes some of the entries that the chain no longer begins with. */
export const removeTrimmed = async (db: Db, accountId: string, limit: number): Promise<number> =>
  (await db.query(REMOVE, [accountId, limit])).length
