import { type Db, type Statement, sql } from './database/db.ts'

/** Effect: a manual open or close. Row: {ref, kind, closed_reason}. */
export const INSERT_ACCESS_EVENT: Statement = sql(
  'access_event_insert',
  `insert into access_events (account_id, kind, closed_reason)
   select $1, g.kind, g.closed_reason from jsonb_to_recordset($2::jsonb) as g(kind text, closed_reason text)`,
)

export type AccessRow = {
  active: boolean
  time_zone: string
  monitored_hours: unknown
  cap: unknown
  now: Date
  kind: 'opened' | 'closed' | null
  closed_reason: string | null
  at: Date | null
}

const ACCESS = sql(
  'access_state',
  `select a.active, a.time_zone, a.monitored_hours, a.cap, now() as now, e.kind, e.closed_reason, e.at from accounts a
   left join lateral (select kind, closed_reason, at from access_events where account_id = a.id order by id desc limit 1) e on true
   where a.id = $1`,
)

/** The account's own switch and its last manual opening or closing, straight from the database. */
export async function findAccess(db: Db, accountId: string): Promise<AccessRow | null> {
  return (await db.query<AccessRow>(ACCESS, [accountId]))[0] ?? null
}

const OPEN_SESSIONS = `sessions s join configurations c on c.account_id = s.account_id and c.id = s.configuration_id and c.document ->> 'type' = 'OPEN'`

const CAP_COUNTS = sql(
  'cap_counts',
  `select
     (select count(*)::int from ${OPEN_SESSIONS} where s.account_id = $1 and s.started_at >= $2) as entered,
     (select count(*)::int from ${OPEN_SESSIONS} where s.account_id = $1 and s.started_at is not null and s.completed_at is null
        and s.abandoned_at is null and s.erased_at is null and s.active_until > now()) as ongoing`,
)

/** Sessions of OPEN configurations: entered since a moment, and going on now. */
export async function countForCap(
  db: Db,
  accountId: string,
  since: Date,
): Promise<{ entered: number; ongoing: number }> {
  const [row] = await db.query<{ entered: number; ongoing: number }>(CAP_COUNTS, [accountId, since])
  return row ?? { entered: 0, ongoing: 0 }
}

const BELOW = sql(
  'cap_below_since',
  `with mine as (
     select s.started_at, coalesce(s.completed_at, case when s.active_until <= now() then s.active_until end) as ended_at
     from ${OPEN_SESSIONS} where s.account_id = $1 and s.started_at is not null),
   moves as (
     select $2::timestamptz as at, count(*) filter (where started_at <= $2 and (ended_at is null or ended_at > $2)) as change from mine
     union all select started_at, 1 from mine where started_at > $2
     union all select ended_at, -1 from mine where ended_at > $2),
   counts as (select at, sum(change) over (order by at, change desc rows unbounded preceding) as ongoing from moves)
   select exists (select from counts where ongoing < $3 and at > $2) as was_below`,
)

/** Whether fewer sessions than the cap were going on at any moment after `since`: read from the sessions, so nothing need be noted. */
export async function wasBelowSince(db: Db, accountId: string, since: Date, cap: number): Promise<boolean> {
  const [row] = await db.query<{ was_below: boolean }>(BELOW, [accountId, since, cap])
  return row?.was_below ?? false
}
