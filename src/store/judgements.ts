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
 * Row: {session_id, id, at, audit_user_identifier, level, session_level, sealed_reason (hex)}.
 */
export const ADD_JUDGEMENT: Statement = sql(
  'judgement_add',
  `insert into judgements (account_id, session_id, id, at, audit_user_identifier, level, session_level, sealed_reason)
   select $1, g.session_id, g.id, g.at, g.audit_user_identifier, g.level, g.session_level, decode(g.sealed_reason, 'hex')
   from jsonb_to_recordset($2::jsonb)
     as g(session_id uuid, id uuid, at timestamptz, audit_user_identifier text, level smallint, session_level smallint, sealed_reason text)
   join sessions s on s.account_id = $1 and s.id = g.session_id and s.erased_at is null
   on conflict do nothing`,
)

const LIST = sql(
  'judgement_list',
  `select id, at, audit_user_identifier, level, session_level, sealed_reason from judgements
   where account_id = $1 and session_id = $2 order by at, id`,
)

/** The judgements about a session, oldest first. */
export const listJudgements = (db: Db, accountId: string, sessionId: string): Promise<JudgementRow[]> =>
  db.query<JudgementRow>(LIST, [accountId, sessionId])
