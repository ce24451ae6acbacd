import { DEPLOYMENT } from './accounts.ts'
import { type Db, type Step, sql } from './database/db.ts'

/** One link of the chain, as stored. `detail` holds identifiers and settings, never health data. */
export type AuditEntry = {
  seq: number
  at: Date
  actor: string
  action: string
  subject: string
  detail: Record<string, unknown>
  hash: Buffer
}

/** The end of a chain, and the offset from this process's monotonic clock to the database's clock. */
export type Head = { seq: number; hash: Buffer; clockOffsetMs: number }

const HEAD = sql('audit_head', `select seq::int, hash, clock_timestamp() as now from audit_heads where account_id = $1`)
const HOLD_HEAD = sql('audit_hold_head', `select 1 from audit_heads where account_id = $1 for update`)
const WAIT_SHORTLY = sql('audit_wait_shortly', `select set_config('lock_timeout', '300ms', true)`)
/** Moves the head and adds the entries, or neither: nothing is added where the head was not found as expected. */
const APPEND = sql(
  'audit_append',
  `with moved as (update audit_heads set seq = $3, hash = $4 where account_id = $1 and seq = $2 and hash = $5 returning 1),
   added as (
     insert into audit_entries (account_id, seq, at, actor, action, subject, detail, hash)
     select $1, e.seq, e.at, e.actor, e.action, e.subject, e.detail, decode(e.hash, 'hex')
     from moved, jsonb_to_recordset($6::jsonb) as e(seq bigint, at timestamptz, actor text, action text, subject text, detail jsonb, hash text))
   select expect_head((select count(*) from moved)), clock_timestamp() as now`,
)
const LIST = sql(
  'audit_list',
  `select seq::int, at, actor, action, subject, detail, hash from audit_entries
   where account_id = $1 and seq > $2 and ($3::text is null or subject = $3 or (action = 'sessions.read' and detail -> 'sessions' ? $3)) order by seq limit $4`,
)
const OF_SESSION = sql(
  'audit_of_session',
  `select seq::int, at, actor, action, subject, detail, hash from audit_entries where account_id = $1 and subject = $2
   union all
   select seq::int, at, actor, action, subject, detail, hash from audit_entries where account_id = $1 and action = 'sessions.read' and detail -> 'sessions' ? $2
   order by seq`,
)
const LAST = sql(
  'audit_last',
  `select seq::int, at, actor, action, subject, detail, hash from audit_entries
   where account_id = $1 and subject = $2 and action = $3 order by seq desc limit 1`,
)
const HEADS = sql('audit_heads', 'select account_id, seq::int, hash from audit_heads order by account_id')

/** The end of an account's chain, and the database's clock. */
export async function findHead(db: Db, accountId: string): Promise<Head | null> {
  const [row] = await db.query<{ seq: number; hash: Buffer; now: Date }>(HEAD, [accountId])
  return row ? { seq: row.seq, hash: row.hash, clockOffsetMs: clockOffset(row.now) } : null
}

/** Waits until this transaction holds the end of the chain. From then on it must not wait long for anything else: others wait for it. */
export async function holdHead(tx: Db, accountId: string): Promise<Head | null> {
  await tx.query(HOLD_HEAD, [accountId])
  await tx.query(WAIT_SHORTLY)
  return findHead(tx, accountId)
}

/** By the monotonic clock: the wall clock of this machine may be set at any moment. */
const clockOffset = (now: Date): number => now.getTime() - performance.now()
export const databaseTime = ({ clockOffsetMs }: Head): Date => new Date(performance.now() + clockOffsetMs)

/** The end of the chain after a batch, from the result of its first step. */
export function movedHead(head: Head, last: AuditEntry, answered: Record<string, unknown> | undefined): Head {
  const clockOffsetMs = answered?.now instanceof Date ? clockOffset(answered.now) : head.clockOffsetMs
  return { seq: last.seq, hash: last.hash, clockOffsetMs }
}

/** For the operator and the service itself: where every account's chain ends. */
export const listHeads = (db: Db): Promise<{ account_id: string; seq: number; hash: Buffer }[]> => db.query(HEADS)

const START_DEPLOYMENT = sql(
  'audit_start_deployment',
  `insert into audit_heads (account_id, seq, hash) select $1, 0, $2
   where not exists (select 1 from content_releases) and not exists (select 1 from accounts) on conflict do nothing`,
)

/** The deployment's chain begins before the first account and the first release; one that is deleted later is not made again. */
export const insertDeploymentHead = (db: Db, hash: Buffer): Promise<unknown> =>
  db.query(START_DEPLOYMENT, [DEPLOYMENT, hash])

/** The step that appends entries, valid only while the chain still ends where they were computed from. */
export function appendStep(accountId: string, from: Head, entries: readonly AuditEntry[]): Step {
  const last = entries.at(-1) ?? from
  const rows = entries.map((entry) => ({ ...entry, hash: entry.hash.toString('hex') }))
  return [APPEND, [accountId, from.seq, last.seq, last.hash, from.hash, JSON.stringify(rows)]]
}

/** Entries after `afterSeq`, oldest first, of one subject or of all. */
export function listAuditEntries(
  db: Db,
  accountId: string,
  { afterSeq, subject = null, limit }: { afterSeq: number; subject?: string | null; limit: number },
): Promise<AuditEntry[]> {
  return db.query<AuditEntry>(LIST, [accountId, afterSeq, subject, limit])
}

/** The last time that something was done to an account. */
export async function findLastOf(db: Db, accountId: string, action: string): Promise<AuditEntry | null> {
  return (await db.query<AuditEntry>(LAST, [accountId, accountId, action]))[0] ?? null
}

/** Everything on record about one session, oldest first: entries about it, and lists in which it was shown. */
export const listEntriesOfSession = (db: Db, accountId: string, sessionId: string): Promise<AuditEntry[]> =>
  db.query<AuditEntry>(OF_SESSION, [accountId, sessionId])

/** What is on record about a session. */
export type Recorded = {
  created: boolean
  ended: boolean
  erased: boolean
  /** The most answers that were there when somebody read it, or at its end. */
  answers: number | null
  files: string[]
  removed_files: string[]
  judgements: string[]
  /** Visits that read it although none was opened on record, or somebody else opened it. */
  strange_visits: string[]
}

const RECORDED = sql(
  'audit_recorded',
  `select subject, bool_or(action = 'session.created') as created, bool_or(action in ('session.finished', 'session.stopped', 'session.left')) as ended,
     bool_or(action = 'session.erased') as erased, max((detail ->> 'answers')::int) filter (where jsonb_typeof(detail -> 'answers') = 'number') as answers,
     coalesce(array_agg(detail ->> 'file') filter (where action = 'file.added'), '{}') as files,
     coalesce(array_agg(detail ->> 'file') filter (where action = 'file.removed'), '{}') as removed_files,
     coalesce(array_agg(detail ->> 'judgement') filter (where action = 'judgement.made'), '{}') as judgements,
     array(select v.detail ->> 'visit' from audit_entries v where v.account_id = $1 and v.subject = e.subject and v.detail ? 'visit' group by 1
       having count(distinct v.actor) > 1 or not bool_or(v.action = 'visit.opened')) as strange_visits
   from audit_entries e where e.account_id = $1 and e.subject = any($2) and e.seq > $3 group by subject`,
)
const GONE = sql(
  'audit_gone_sessions',
  `select e.subject from audit_entries e where e.account_id = $1 and e.seq > $2 and e.seq <= $3 and e.action = 'session.created'
     and not exists (select from sessions s where s.account_id = $1 and s.id = case when e.subject ~ '^[0-9a-f-]{36}$' then e.subject::uuid end)`,
)

/** What the entries after a number say about each of these sessions. */
export async function listRecorded(
  db: Db,
  accountId: string,
  sessionIds: readonly string[],
  afterSeq: number,
): Promise<ReadonlyMap<string, Recorded>> {
  const rows = await db.query<Recorded & { subject: string }>(RECORDED, [accountId, sessionIds, afterSeq])
  return new Map(rows.map(({ subject, ...recorded }) => [subject, recorded]))
}

/** Sessions created by the entries after one number and up to another that no longer exist, not even as erased. */
export async function listGoneSessions(db: Db, accountId: string, after: number, upTo: number): Promise<string[]> {
  return (await db.query<{ subject: string }>(GONE, [accountId, after, upTo])).map(({ subject }) => subject)
}
