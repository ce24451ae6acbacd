import { type Db, type Statement, sql } from './db.ts'

/** What an answer changes of its session, beside being appended. */
export type Progression = {
  version: number
  status: string
  language: string
  patientAge: number | null
  patientSex: string | null
  userIsPatient: boolean | null
  issueType: string
  urgency: number | null
  alarmLevel: number | null
  sealedMatter: Buffer | null
  activeHours: number
  cookieHours: number
}

export type SealedAnswer = { id: string; at: Date; sealed: Buffer }

const LIST = sql(
  'answer_list',
  'select id, at, sealed from answers where account_id = $1 and session_id = $2 and seq <= $3 order by seq',
)

/** The answers of a session as they were at one version: each answer made one. */
export const listAnswers = (db: Db, accountId: string, sessionId: string, version: number): Promise<SealedAnswer[]> =>
  db.query<SealedAnswer>(LIST, [accountId, sessionId, version])

const MOVE = `update sessions set version = version + 1, status = $4, language = $5, patient_age = $6, patient_sex = $7, user_is_patient = $8, issue_type = $9,
     urgency = $10, alarm_level = $11, sealed_matter = $12, last_active_at = now(), active_until = now() + $13 * interval '1 hour'
   where account_id = $1 and id = $2 and version = $3 and status in ('Created', 'StartedChat') and active_until > now() and erased_at is null
   returning version, active_until`
const TOUCH = `touched as (
   update user_cookies set expires_at = now() + $14 * interval '1 hour'
   where account_id = $1 and session_id = $2 and signed_out_at is null and exists (select from moved))`

const APPEND = sql(
  'answer_append',
  `with moved as (${MOVE}), ${TOUCH},
   added as (insert into answers (account_id, session_id, seq, id, sealed) select $1, $2, version, $15, $16 from moved returning at)
   select moved.version, moved.active_until, added.at from moved, added`,
)

/**
 * Appends an answer and moves its session on, in one statement. Null when the session was not at that version any more,
 * has ended or expired: then nothing changed.
 */
export async function appendAnswer(
  db: Db,
  accountId: string,
  sessionId: string,
  answer: { id: string; sealed: Buffer },
  next: Progression,
): Promise<{ version: number; at: Date; active_until: Date } | null> {
  const rows = await db.query<{ version: number; at: Date; active_until: Date }>(APPEND, [
    accountId,
    sessionId,
    next.version,
    next.status,
    next.language,
    next.patientAge,
    next.patientSex,
    next.userIsPatient,
    next.issueType,
    next.urgency,
    next.alarmLevel,
    next.sealedMatter,
    next.activeHours,
    next.cookieHours,
    answer.id,
    answer.sealed,
  ])
  return rows[0] ?? null
}

const LANGUAGE = sql(
  'session_language',
  `update sessions set language = $3, last_active_at = now() where account_id = $1 and id = $2 and erased_at is null returning 1`,
)

/** The language of the session's pages; the answers stay what they are. */
export async function changeLanguage(db: Db, accountId: string, sessionId: string, language: string): Promise<boolean> {
  return (await db.query(LANGUAGE, [accountId, sessionId, language])).length === 1
}

/** Effect: the session ends, once, exactly as it stood. Row: {id, version, urgency, issue_type, sealed_outcome (hex)}. */
export const END_SESSION: Statement = sql(
  'session_end',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(ref int, id uuid, version int, urgency smallint, issue_type text, sealed_outcome text)),
   done as (
     update sessions s set status = 'Ended', completed_at = clock_timestamp(), urgency = g.urgency, issue_type = g.issue_type,
       sealed_outcome = decode(g.sealed_outcome, 'hex'), last_active_at = now(), alarm_level = null
     from given g
     where s.account_id = $1 and s.id = g.id and s.version = g.version and s.status in ('Created', 'StartedChat') and s.erased_at is null
     returning s.id, s.completed_at)
   select ref, completed_at, expect_rows((select count(*) from done), (select count(*) from given)) from given left join done using (id)`,
)

const LEFT_ALARMED = sql(
  'sessions_left_alarmed',
  `select s.account_id, s.id from sessions s join configurations c on c.account_id = s.account_id and c.id = s.configuration_id
   where s.alarm_level is not null and s.completed_at is null and s.erased_at is null
     and s.last_active_at <= now() - coalesce((c.document ->> 'standingAlarmMinutes')::float8, 30) * interval '1 minute'
   order by s.last_active_at limit 100`,
)

/** For the service itself, over all accounts: sessions that were left while the emergency card stood. */
export const listLeftAlarmed = (db: Db): Promise<{ account_id: string; id: string }[]> => db.query(LEFT_ALARMED)
