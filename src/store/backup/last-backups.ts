import { type Db, sql } from '../database/db.ts'

/** The turn for making a backup: one at a time in the deployment. */
export const BACKUP_TURN = 0x46_59_52_05

const FIND = sql('last_backups_find', 'select outcome, at, place, bytes::float8 as bytes, reason from last_backups')
const KEEP_MADE = sql(
  'last_backups_made',
  `insert into last_backups (outcome, at, place, bytes) values ('made', $1, $2, $3)
   on conflict (outcome) do update set at = excluded.at, place = excluded.place, bytes = excluded.bytes`,
)
const KEEP_FAILED = sql(
  'last_backups_failed',
  `insert into last_backups (outcome, at, reason) values ('failed', clock_timestamp(), $1)
   on conflict (outcome) do update set at = excluded.at, reason = excluded.reason`,
)
/** The first one is due an hour after the database was made; after a failure the next is tried a quarter of an hour later. */
const IS_DUE = sql(
  'last_backups_due',
  `select coalesce((select at + $1 * interval '1 hour' from last_backups where outcome = 'made'),
      (select min(applied_at) + interval '1 hour' from migrations)) <= now()
    and not exists (select 1 from last_backups where outcome = 'failed' and at > now() - interval '15 minutes') as due`,
)

/** When a backup was last made (the moment that it holds, where it is and how large), and when and why one last failed. */
export type LastBackups = {
  made: { at: Date; place: string | null; bytes: number | null } | null
  failed: { at: Date; reason: string | null } | null
}

type Row = { outcome: string; at: Date; place: string | null; bytes: number | null; reason: string | null }

export async function findLastBackups(db: Pick<Db, 'query'>): Promise<LastBackups> {
  const rows = await db.query<Row>(FIND)
  const made = rows.find(({ outcome }) => outcome === 'made')
  const failed = rows.find(({ outcome }) => outcome === 'failed')
  return {
    made: made ? { at: made.at, place: made.place, bytes: made.bytes } : null,
    failed: failed ? { at: failed.at, reason: failed.reason } : null,
  }
}

export const noteMade = (db: Db, at: Date, place: string, bytes: number): Promise<unknown> =>
  db.query(KEEP_MADE, [at, place, bytes])

export const noteFailed = (db: Db, reason: string): Promise<unknown> => db.query(KEEP_FAILED, [reason])

/** Whether it is time for a scheduled backup, by the clock of the database. */
export const isBackupDue = async (db: Db, everyHours: number): Promise<boolean> =>
  (await db.query<{ due: boolean }>(IS_DUE, [everyHours]))[0]?.due === true
