import { type Db, sql } from './database/db.ts'

/**
 * When a left alarm is due: by the configuration's own minutes if they are a number in bounds, else by the default. One
 * document that is not valid must not fail this for all.
 */
const DUE_AT = `s.last_active_at + interval '1 minute' * case when jsonb_typeof(c.document -> 'standingAlarmMinutes') = 'number'
     then least(greatest((c.document ->> 'standingAlarmMinutes')::numeric, 1), 1440)::float8 else 30 end`
const LEFT = `sessions s join configurations c on c.account_id = s.account_id and c.id = s.configuration_id
   where s.alarm_level is not null and s.completed_at is null and s.erased_at is null and ${DUE_AT} <= now()`

const LEFT_ALARMED = sql(
  'sessions_left_alarmed',
  `select s.account_id, s.id, s.last_active_at from ${LEFT}
     and ($1::timestamptz is null or (s.last_active_at, s.account_id, s.id) > ($1, $2::uuid, $3::uuid))
   order by s.last_active_at, s.account_id, s.id limit $4`,
)
const OVERDUE = sql(
  'sessions_left_overdue',
  `select coalesce(max(extract(epoch from now() - (${DUE_AT}))), 0)::float8 as seconds from ${LEFT}`,
)

export type LeftSession = { account_id: string; id: string; last_active_at: Date }

/** For the service, over all accounts: sessions that were left while the emergency card stood, oldest first. */
export const listLeftAlarmed = (db: Db, after: LeftSession | null, limit: number): Promise<LeftSession[]> =>
  db.query(LEFT_ALARMED, [after?.last_active_at ?? null, after?.account_id ?? null, after?.id ?? null, limit])

/** For how many seconds the oldest of them has been overdue. */
export async function longestOverdue(db: Db): Promise<number> {
  return (await db.query<{ seconds: number }>(OVERDUE))[0]?.seconds ?? 0
}
