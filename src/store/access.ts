import { type Db, type Statement, sql } from './database/db.ts'

/** Effect: a manual open or close. Row: {kind, closed_reason, until: when a closing ends by itself | null}. */
export const INSERT_ACCESS_EVENT: Statement = sql(
  'access_event_insert',
  `insert into access_events (account_id, kind, closed_reason, until)
   select $1, g.kind, g.closed_reason, g.until from jsonb_to_recordset($2::jsonb) as g(kind text, closed_reason text, until timestamptz)`,
)

/** Effect: records once that hours or cap have opened or closed the account. Row: {kind, closed_reason, after: the last known event | null}. */
export const NOTE_ACCESS_CHANGE: Statement = sql(
  'access_change_note',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(kind text, closed_reason text, after bigint)),
   done as (
     insert into access_events (account_id, kind, closed_reason, automatic)
     select $1, g.kind, g.closed_reason, true from given g
     where (select max(v.id) from access_events v where v.account_id = $1) is not distinct from g.after
       and (select count(*) from given) = 1 returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

const AUTOMATED = sql(
  'access_automated',
  `select a.id from accounts a where a.monitored_hours is not null or a.cap is not null
     or (select v.automatic or v.until is not null from access_events v where v.account_id = a.id order by v.id desc limit 1) order by a.id`,
)

/** Accounts that hours, a cap or the end of a closing open and close now, or did so last. */
export const listAutomated = async (db: Db): Promise<string[]> =>
  (await db.query<{ id: string }>(AUTOMATED)).map(({ id }) => id)

export type AccessEvent = { id: string; kind: 'opened' | 'closed'; closed_reason: string | null; at: Date }

const LAST_EVENT = sql(
  'access_event_last',
  `select id, kind, closed_reason, at from access_events where account_id = $1 order by id desc limit 1`,
)

/** The last recorded opening or closing, manual or automatic; null: there is none, so it was always open. */
export async function findLastAccessEvent(db: Db, accountId: string): Promise<AccessEvent | null> {
  return (await db.query<AccessEvent>(LAST_EVENT, [accountId]))[0] ?? null
}

export type AccessRow = {
  active: boolean
  time_zone: string
  monitored_hours: unknown
  cap: unknown
  now: Date
  /** The last manual opening or closing. */
  kind: 'opened' | 'closed' | null
  closed_reason: string | null
  /** When a closing ends by itself. */
  until: Date | null
  at: Date | null
  was_below: boolean | null
  /** Stands for everything above that someone decides: another value means a new decision. */
  seen: string
}

const LAST_MANUAL = `lateral (
     select id, kind, closed_reason, until, at, was_below from access_events where account_id = a.id and not automatic order by id desc limit 1) e`
const SEEN = `md5(row(a.active, a.time_zone, a.monitored_hours, a.cap, e.id)::text)`

const ACCESS = sql(
  'access_state',
  `select a.active, a.time_zone, a.monitored_hours, a.cap, now() as now, e.kind, e.closed_reason, e.until, e.at, e.was_below, ${SEEN} as seen
   from accounts a left join ${LAST_MANUAL} on true where a.id = $1`,
)

/** The account's own switch and its last manual opening or closing, straight from the database. */
export async function findAccess(db: Db, accountId: string): Promise<AccessRow | null> {
  return (await db.query<AccessRow>(ACCESS, [accountId]))[0] ?? null
}

const OPEN_SESSIONS = `sessions s join configurations c on c.account_id = s.account_id and c.id = s.configuration_id and c.document ->> 'type' = 'OPEN' and not s.is_test`
const IS_ONGOING = `s.started_at is not null and s.completed_at is null and s.abandoned_at is null and s.erased_at is null and s.active_until > now()`

const CAP_COUNTS = sql(
  'cap_counts',
  `select
     (select count(*)::int from ${OPEN_SESSIONS} where s.account_id = $1 and s.started_at >= $2) as entered,
     (select count(*)::int from ${OPEN_SESSIONS} where s.account_id = $1 and ${IS_ONGOING}) as ongoing`,
)

/** Sessions of OPEN configurations: entered since a moment, and ongoing. */
export async function countForCap(
  db: Db,
  accountId: string,
  since: Date,
): Promise<{ entered: number; ongoing: number }> {
  const [row] = await db.query<{ entered: number; ongoing: number }>(CAP_COUNTS, [accountId, since])
  return row ?? { entered: 0, ongoing: 0 }
}

/**
 * Effect: users enter if the gate is still as it was seen and there is room below the cap; else all of it is undone.
 * The account's audit chain was moved earlier in the same transaction, so that an account's entries and closings happen
 * one at a time. Only an entry can end the time below an ongoing cap, so it is here that a manual opening stops
 * overriding it. Row: {is_gated, seen, cap_kind | null, cap_most | null, midnight}; without a cap, or where sessions
 * are not counted, both are null.
 */
export const PASS_GATE: Statement = sql(
  'access_pass_gate',
  `with given as (
     select count(*) filter (where cap_kind is not null) as counted, bool_or(is_gated) as is_gated, min(seen) filter (where is_gated) as seen,
       max(seen) filter (where is_gated) as also_seen, max(cap_kind) as cap_kind, min(cap_most) as cap_most, min(midnight) as midnight
     from jsonb_to_recordset($2::jsonb) as g(is_gated boolean, seen text, cap_kind text, cap_most int, midnight timestamptz)),
   gate as (
     select a.active, ${SEEN} as seen, e.id as event, e.kind = 'opened' as is_opened, e.at, e.was_below from accounts a
     left join ${LAST_MANUAL} on true where a.id = $1),
   sessions_now as (
     select case g.cap_kind
       when 'daily' then (select count(*) from ${OPEN_SESSIONS} where s.account_id = $1 and s.started_at >= g.midnight)
       when 'ongoing' then (select count(*) from ${OPEN_SESSIONS} where s.account_id = $1 and ${IS_ONGOING}) end as count
     from given g),
   noted as (
     update access_events v set was_below = true from gate, given g, sessions_now n
     where v.account_id = $1 and v.id = gate.event and gate.is_opened and not v.was_below and g.cap_kind = 'ongoing' and n.count < g.cap_most)
   select expect_open(gate.active and (not g.is_gated or (
     gate.seen = g.seen and gate.seen = g.also_seen and (
       g.cap_kind is null or n.count + g.counted <= g.cap_most
       or (gate.is_opened and g.cap_kind = 'daily' and gate.at >= g.midnight)
       or (gate.is_opened and g.cap_kind = 'ongoing' and n.count >= g.cap_most and not gate.was_below)))))
   from gate, given g, sessions_now n`,
)
