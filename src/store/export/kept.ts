import { type Db, sql } from '../database/db.ts'
import type { UploadRow } from '../uploads.ts'

/** Moments of a session that only an export tells. */
export type KeptMoments = { last_active_at: Date; abandoned_at: Date | null }

/** A browser or program that entered a session as its user. */
export type KeptSignIn = { kind: string; created_at: Date; expires_at: Date; signed_out_at: Date | null }

/** A clinician's visit as long as its row is kept; the audit entries know of it for longer. */
export type KeptVisit = { audit_user_identifier: string; opened_at: Date; alive_until: Date }

const MOMENTS = sql(
  'kept_moments',
  'select last_active_at, abandoned_at from sessions where account_id = $1 and id = $2 and erased_at is null',
)
const SIGN_INS = sql(
  'kept_sign_ins',
  `select kind, created_at, expires_at, signed_out_at from user_cookies
   where account_id = $1 and session_id = $2 order by created_at, hash`,
)
const VISITS = sql(
  'kept_visits',
  `select audit_user_identifier, opened_at, alive_until from visits
   where account_id = $1 and session_id = $2 order by opened_at, id`,
)
const UPLOADS = sql(
  'kept_uploads',
  `select id, created_at, sealed_name, size, received, mime_type, flags, stored_size, ready_at, removed_at from uploads
   where account_id = $1 and session_id = $2 order by created_at, id`,
)
const AFTER = sql(
  'kept_sessions',
  'select id from sessions where account_id = $1 and id > $2 and erased_at is null order by id limit $3',
)

const PLACE = sql('kept_place', 'select id, configuration_id from sessions where account_id = $1 and id = $2')

/** Where a session belongs, also an erased one: what was done to it is still on record. */
export async function findSessionPlace(
  db: Db,
  accountId: string,
  sessionId: string,
): Promise<{ id: string; configuration_id: string } | null> {
  return (await db.query<{ id: string; configuration_id: string }>(PLACE, [accountId, sessionId]))[0] ?? null
}

/** Null when the session was erased meanwhile. */
export async function findKeptMoments(db: Db, accountId: string, sessionId: string): Promise<KeptMoments | null> {
  return (await db.query<KeptMoments>(MOMENTS, [accountId, sessionId]))[0] ?? null
}

export const listSignIns = (db: Db, accountId: string, sessionId: string): Promise<KeptSignIn[]> =>
  db.query<KeptSignIn>(SIGN_INS, [accountId, sessionId])

export const listKeptVisits = (db: Db, accountId: string, sessionId: string): Promise<KeptVisit[]> =>
  db.query<KeptVisit>(VISITS, [accountId, sessionId])

/** Every file of a session, also those that the user removed: their names are kept until the session is erased. */
export const listKeptUploads = (
  db: Db,
  accountId: string,
  sessionId: string,
): Promise<(UploadRow & { removed_at: Date | null })[]> => db.query(UPLOADS, [accountId, sessionId])

const ACTIVE_SINCE = sql(
  'kept_active_since',
  'select id from sessions where account_id = $1 and erased_at is null and last_active_at > $2 limit 1',
)

/** A session in which somebody was active after a moment: answers are no audit entries. */
export const findActiveSince = async (db: Db, accountId: string, moment: Date): Promise<string | null> =>
  (await db.query<{ id: string }>(ACTIVE_SINCE, [accountId, moment]))[0]?.id ?? null

/** The sessions of an account that are not erased, by their id. */
export const listKeptSessions = async (db: Db, accountId: string, afterId: string, limit: number): Promise<string[]> =>
  (await db.query<{ id: string }>(AFTER, [accountId, afterId, limit])).map(({ id }) => id)

const COUNT = sql(
  'kept_count',
  'select count(*)::int as count from sessions where account_id = $1 and erased_at is null',
)

/** How many sessions of an account are not erased. */
export async function countKeptSessions(db: Db, accountId: string): Promise<number> {
  return (await db.query<{ count: number }>(COUNT, [accountId]))[0]?.count ?? 0
}
