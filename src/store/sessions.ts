import type { IssueType, Sex } from '../engine/intake.ts'
import { batched } from './database/batched.ts'
import { type Db, type Statement, sql } from './database/db.ts'

export const SESSION_STATUSES = ['Ended', 'StartedChat', 'Created', 'AiSessionNotCreated'] as const
export type SessionStatus = (typeof SESSION_STATUSES)[number]

export type SessionRow = {
  id: string
  configuration_id: string
  status: SessionStatus
  created_at: Date
  started_at: Date | null
  completed_at: Date | null
  enter_until: Date
  active_until: Date
  /** Whether it could still be continued, by the database's clock when this was read. */
  is_active: boolean
  flow: string
  language: string
  patient_age: number | null
  patient_sex: Sex | null
  user_is_patient: boolean | null
  issue_type: IssueType
  urgency: number | null
  override_demand_management: boolean
  return_url: string | null
  content_version: string | null
  given: Record<string, unknown>
  version: number
  secret_hash: Buffer
  sealed_key: Buffer
  /** The matter in the user's words; null until they have answered it, while the matter given at creation counts. */
  sealed_matter: Buffer | null
  sealed_given_matter: Buffer | null
  /** The signs that create was told, to be confirmed. */
  sealed_given_signs: Buffer | null
  sealed_extended_data: Buffer | null
  sealed_outcome: Buffer | null
  /** How the patient can be reached. */
  sealed_contact: Buffer | null
  /** The integrating system's reference for the patient. */
  sealed_reference: Buffer | null
  /** Created with a sandbox key: in no count and in no statistics. */
  is_test: boolean
  /** The state seal, a keyed hash over the session's state: see SessionSeal. */
  state_seal: Buffer | null
  /** When this was read, by the database's clock. */
  read_at: Date
}

const STORED_COLUMNS =
  `id configuration_id status created_at started_at completed_at enter_until active_until flow language patient_age patient_sex
  user_is_patient issue_type urgency override_demand_management return_url content_version given version secret_hash sealed_key sealed_matter
  sealed_given_matter sealed_given_signs sealed_extended_data sealed_outcome sealed_contact sealed_reference is_test state_seal`.split(
    /\s+/,
  )

/** The columns of a whole session, read from the table under this name. */
export const sessionColumns = (table: string): string =>
  [
    ...STORED_COLUMNS.map((column) => `${table}.${column}`),
    `${table}.active_until > now() as is_active`,
    'clock_timestamp() as read_at',
  ].join(', ')

/** Effect: creates a session; an existing id undoes the batch. Binary columns travel as hex. */
export const INSERT_SESSION: Statement = sql(
  'session_insert',
  `with given as (
     select * from jsonb_to_recordset($2::jsonb) as g(ref int, id uuid, configuration_id uuid, status text, enter_hours float8, active_hours float8,
       flow text, language text, patient_age float8, patient_sex text, user_is_patient boolean, override_demand_management boolean, return_url text,
       content_version text, given jsonb, secret_hash text, sealed_key text, sealed_given_matter text, sealed_given_signs text,
       sealed_extended_data text, sealed_reference text, is_test boolean, state_seal text)),
   done as (
     insert into sessions (account_id, id, configuration_id, status, enter_until, active_until, flow, language, patient_age, patient_sex,
       user_is_patient, override_demand_management, return_url, content_version, given, secret_hash, sealed_key, sealed_given_matter, sealed_given_signs,
       sealed_extended_data, sealed_reference, is_test, state_seal)
     select $1, id, configuration_id, status, now() + enter_hours * interval '1 hour', now() + active_hours * interval '1 hour', flow, language,
       patient_age, patient_sex, user_is_patient, coalesce(override_demand_management, false), return_url, content_version, coalesce(given, '{}'),
       decode(secret_hash, 'hex'), decode(sealed_key, 'hex'), decode(sealed_given_matter, 'hex'), decode(sealed_given_signs, 'hex'),
       decode(sealed_extended_data, 'hex'), decode(sealed_reference, 'hex'), coalesce(is_test, false), decode(state_seal, 'hex')
     from given on conflict do nothing
     returning id, created_at, enter_until)
   select ref, created_at, enter_until, expect_rows((select count(*) from done), (select count(*) from given)) from given left join done using (id)`,
)

/** Effect: stores the answer to an Idempotency-Key; one that is not yet a day old undoes the batch. */
export const INSERT_IDEMPOTENCY: Statement = sql(
  'idempotency_insert',
  `with given as (
     select * from jsonb_to_recordset($2::jsonb) as g(configuration_id uuid, key_hash text, request_hash text, sealed_response text)),
   done as (
     insert into idempotency_keys (account_id, configuration_id, key_hash, request_hash, sealed_response)
     select $1, configuration_id, decode(key_hash, 'hex'), decode(request_hash, 'hex'), decode(sealed_response, 'hex') from given
     on conflict (account_id, configuration_id, key_hash) do update
       set request_hash = excluded.request_hash, sealed_response = excluded.sealed_response, created_at = now()
       where idempotency_keys.created_at <= now() - interval '24 hours'
     returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

const FIND_IDEMPOTENCY = sql(
  'idempotency_find',
  `select request_hash, sealed_response from idempotency_keys
   where account_id = $1 and configuration_id = $2 and key_hash = $3 and created_at > now() - interval '24 hours'`,
)

export async function findIdempotency(
  db: Db,
  accountId: string,
  configurationId: string,
  keyHash: Buffer,
): Promise<{ request_hash: Buffer; sealed_response: Buffer } | null> {
  const [row] = await db.query<{ request_hash: Buffer; sealed_response: Buffer }>(FIND_IDEMPOTENCY, [
    accountId,
    configurationId,
    keyHash,
  ])
  return row ?? null
}

const STATUSES = sql(
  'session_statuses',
  `select s.account_id, s.id, s.configuration_id, s.status from unnest($1::uuid[], $2::uuid[]) as asked(account_id, id)
   join sessions s on s.account_id = asked.account_id and s.id = asked.id where s.erased_at is null`,
)

type StatusRow = { account_id: string; id: string; configuration_id: string; status: SessionStatus }

/** Identifies a session; one of another configuration is not found. */
export type SessionKey = { accountId: string; configurationId: string; id: string }

const nameOf = (row: { account_id: string; configuration_id: string; id: string }): string =>
  `${row.account_id} ${row.configuration_id} ${row.id}`

const findIn = <Row>(found: ReadonlyMap<string, Row>, { accountId, configurationId, id }: SessionKey): Row | null =>
  found.get(`${accountId} ${configurationId} ${id}`) ?? null

/** Reads statuses for concurrent callers with one statement: it is the busiest read of all. */
export function statusReader(db: Db): (key: SessionKey) => Promise<SessionStatus | null> {
  return batched(async (keys) => {
    const rows = await db.query<StatusRow>(STATUSES, [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)])
    const found = new Map(rows.map((row) => [nameOf(row), row.status]))
    return keys.map((key) => findIn(found, key))
  })
}

const FIND_MANY = sql(
  'session_find_many',
  `select s.account_id, ${sessionColumns('s')} from unnest($1::uuid[], $2::uuid[]) as asked(account_id, id)
   join sessions s on s.account_id = asked.account_id and s.id = asked.id where s.erased_at is null`,
)

/** The same for whole sessions, still sealed. */
export function sessionFinder(db: Db): (key: SessionKey) => Promise<SessionRow | null> {
  return batched(async (keys) => {
    const unique = [...new Map(keys.map((key) => [`${key.accountId} ${key.id}`, key])).values()]
    const rows = await db.query<SessionRow & { account_id: string }>(FIND_MANY, [
      unique.map(({ accountId }) => accountId),
      unique.map(({ id }) => id),
    ])
    const found = new Map(rows.map((row) => [nameOf(row), row]))
    return keys.map((key) => findIn(found, key))
  })
}

/** Effect: a decision support link. Row: {hash (hex), session_id, configuration_id, audit_user_identifier, minutes}. */
export const INSERT_LINK_TOKEN: Statement = sql(
  'link_token_insert',
  `with given as (
     select * from jsonb_to_recordset($2::jsonb) as g(hash text, session_id uuid, configuration_id uuid, audit_user_identifier text, key_id uuid, minutes int)),
   done as (
     insert into link_tokens (account_id, hash, session_id, configuration_id, audit_user_identifier, key_id, expires_at)
     select $1, decode(g.hash, 'hex'), g.session_id, g.configuration_id, g.audit_user_identifier, g.key_id, now() + g.minutes * interval '1 minute'
     from given g join sessions s on s.account_id = $1 and s.id = g.session_id and s.erased_at is null
     returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

const TO_VERIFY = sql(
  'sessions_to_verify',
  `select ${sessionColumns('s')}, s.alarm_level, s.erased_at is not null as is_erased from sessions s
   where s.account_id = $1 and s.id > $2 order by s.id limit $3`,
)

/** A session with what only verifying looks at. */
export type SessionToVerify = SessionRow & { alarm_level: number | null; is_erased: boolean }

/** All sessions of an account, erased ones too, by their id. */
export const listSessionsToVerify = (
  db: Db,
  accountId: string,
  afterId: string,
  limit: number,
): Promise<SessionToVerify[]> => db.query<SessionToVerify>(TO_VERIFY, [accountId, afterId, limit])

/** What can be held against the audit entries of a session without opening it. */
export type SessionOnRecord = Pick<SessionToVerify, 'id' | 'status' | 'created_at' | 'version' | 'is_erased'>

const ON_RECORD = sql(
  'sessions_on_record',
  `select id, status, created_at, version, erased_at is not null as is_erased from sessions
   where account_id = $1 and id > $2 order by id limit $3`,
)

/** The same of whoever may not read what is sealed. */
export const listSessionsOnRecord = (
  db: Db,
  accountId: string,
  afterId: string,
  limit: number,
): Promise<SessionOnRecord[]> => db.query<SessionOnRecord>(ON_RECORD, [accountId, afterId, limit])

const FIND_ANY = sql(
  'session_find_any',
  `select ${sessionColumns('s')} from sessions s where s.account_id = $1 and s.id = $2 and s.erased_at is null`,
)

/** For the operator, who works on the account and not on one configuration. */
export async function findSessionOfAccount(db: Db, accountId: string, id: string): Promise<SessionRow | null> {
  return (await db.query<SessionRow>(FIND_ANY, [accountId, id]))[0] ?? null
}
