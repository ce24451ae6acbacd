import { type Db, type Statement, sql } from './database/db.ts'

export type JudgementRow = {
  id: string
  at: Date
  audit_user_identifier: string | null
  level: number
  session_level: number | null
  sealed_reason: Buffer | null
}

/**
 * Effect: a clinician judges the urgency differently; the same id twice is one judgement.
 * Row: {session_id, id, at, audit_user_identifier, level, session_level, sealed_reason (hex), mark (hex) of having been judged}.
 */
export const ADD_JUDGEMENT: Statement = sql(
  'judgement_add',
  `with given as (select g.*, s.configuration_id, s.created_at from jsonb_to_recordset($2::jsonb)
     as g(session_id uuid, id uuid, at timestamptz, audit_user_identifier text, level smallint, session_level smallint, sealed_reason text, mark text)
     join sessions s on s.account_id = $1 and s.id = g.session_id and s.erased_at is null),
   marked as (
     insert into session_marks (account_id, session_id, mark, configuration_id, created_at)
     select $1, session_id, decode(mark, 'hex'), configuration_id, created_at from given on conflict do nothing)
   insert into judgements (account_id, session_id, id, at, audit_user_identifier, level, session_level, sealed_reason)
   select $1, session_id, id, at, audit_user_identifier, level, session_level, decode(sealed_reason, 'hex') from given on conflict do nothing`,
)

const LIST = sql(
  'judgement_list',
  `select id, at, audit_user_identifier, level, session_level, sealed_reason from judgements
   where account_id = $1 and session_id = $2 order by at, id`,
)

const LIST_MANY = sql(
  'judgement_list_many',
  `select session_id, id, at, audit_user_identifier, level, session_level, sealed_reason from judgements
   where account_id = $1 and session_id = any($2::uuid[]) order by at, id`,
)

/** The judgements about several sessions, oldest first. */
export const listJudgementsOf = (
  db: Db,
  accountId: string,
  sessionIds: readonly string[],
): Promise<(JudgementRow & { session_id: string })[]> => db.query(LIST_MANY, [accountId, sessionIds])

/** The judgements about a session, oldest first. */
export const listJudgements = (db: Db, accountId: string, sessionId: string): Promise<JudgementRow[]> =>
  db.query<JudgementRow>(LIST, [accountId, sessionId])
