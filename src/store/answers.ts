import { batched } from './database/batched.ts'
import {
  type Database,
  DatabaseAway,
  type Db,
  type Statement,
  StatementTimeout,
  type Step,
  sql,
} from './database/db.ts'
import type { SessionRow } from './sessions.ts'
import type { Proof } from './users.ts'
import { INSERT_WEBHOOK_DELIVERY } from './webhooks/endpoints.ts'
import type { EventType } from './webhooks/events.ts'

/** The session's columns that follow from its answers. The urgency is that of a standing alarm; any other comes with the end. */
export type AnswerColumns = Pick<
  SessionRow,
  | 'status'
  | 'patient_age'
  | 'patient_sex'
  | 'user_is_patient'
  | 'issue_type'
  | 'urgency'
  | 'sealed_matter'
  | 'state_seal'
>

/** How many of a failed batch are tried at once, and after how many blocked ones to give up. */
const LANES = 2
const MOST_HELD_UP = 4

export type SealedAnswer = { seq: number; id: string; at: Date; sealed: Buffer }

const LIST = sql(
  'answer_list',
  'select seq, id, at, sealed from answers where account_id = $1 and session_id = $2 and seq <= $3 order by seq',
)

/** The answers of a session at one version: each answer makes a new version. */
export const listAnswers = (db: Db, accountId: string, sessionId: string, version: number): Promise<SealedAnswer[]> =>
  db.query<SealedAnswer>(LIST, [accountId, sessionId, version])

/**
 * Rows: {ref, session_id, version, proof_hash (hex), configuration_id, revision, …what the session becomes…, id, sealed
 * (hex)}. This one statement decides: it leaves out rows whose session has moved on, whose user may no longer answer,
 * or whose configuration has changed.
 */
const APPEND = sql(
  'answers_append',
  `with given as (
     select * from jsonb_to_recordset($2::jsonb) as g(ref int, session_id uuid, version int, proof_hash text, configuration_id uuid, revision int, status text, patient_age float8, patient_sex text,
       user_is_patient boolean, issue_type text, urgency smallint, sealed_matter text, state_seal text, active_hours float8, cookie_hours float8,
       id uuid, sealed text)),
   moved as (
     update sessions s set version = s.version + 1, status = g.status, patient_age = g.patient_age, patient_sex = g.patient_sex,
       user_is_patient = g.user_is_patient, issue_type = g.issue_type, urgency = g.urgency, alarm_level = g.urgency,
       sealed_matter = decode(g.sealed_matter, 'hex'), state_seal = decode(g.state_seal, 'hex'), last_active_at = now(), active_until = now() + g.active_hours * interval '1 hour'
     from given g join configurations c on c.account_id = $1 and c.id = g.configuration_id
     where s.account_id = $1 and s.id = g.session_id and s.version = g.version and s.status in ('Created', 'StartedChat') and s.active_until > now()
       and s.erased_at is null and c.enabled and c.revision = g.revision
       and exists (select from user_cookies u where u.account_id = $1 and u.hash = decode(g.proof_hash, 'hex') and u.session_id = s.id
         and u.signed_out_at is null and u.expires_at > now())
     returning g.ref, s.id as session_id, s.version, s.language, s.active_until, s.sealed_contact, g.proof_hash, g.cookie_hours, g.id, g.sealed),
   touched as (
     update user_cookies u set expires_at = now() + m.cookie_hours * interval '1 hour'
     from moved m where u.account_id = $1 and u.hash = decode(m.proof_hash, 'hex')),
   added as (
     insert into answers (account_id, session_id, seq, id, sealed) select $1, session_id, version, id, decode(sealed, 'hex') from moved
     returning session_id, at)
   select m.ref, m.version, m.language, m.active_until, m.sealed_contact, a.at,
     (select count(*)::int from uploads f where f.account_id = $1 and f.session_id = m.session_id and f.removed_at is null) as file_count
   from moved m join added a using (session_id)`,
)

/** An answer to append, whose it is, the version and configuration it was judged by, what its session becomes with it, and the events it causes. */
export type Appending = {
  accountId: string
  sessionId: string
  version: number
  proof: Proof
  configuration: { id: string; revision: number }
  answer: { id: string; sealed: Buffer }
  columns: AnswerColumns
  events: readonly EventType[]
  activeHours: number
  cookieHours: number
}
export type Appended = Pick<SessionRow, 'version' | 'language' | 'active_until' | 'sealed_contact'> & {
  at: Date
  file_count: number
}

/**
 * Appends answers and moves their sessions on, concurrent ones in one transaction: a commit for each would cost many
 * times as much. Null when the session was no longer at that version, has ended or expired, or the user is no longer
 * known: then nothing changed.
 */
export function answerWriter(db: Database): (appending: Appending) => Promise<Appended | null> {
  const write = batched<Appending, Appended | null | Error>(async (all) => {
    try {
      return await append(db, all)
    } catch (error) {
      if (error instanceof DatabaseAway || !(error instanceof Error)) throw error
      return all.length === 1 ? [error] : oneByOne(db, all)
    }
  })
  return async (appending) => {
    const appended = await write(appending)
    if (!(appended instanceof Error)) return appended
    if (!isLocked(appended)) throw appended
    // This session's row is locked. It is waited for separately, so that nobody else waits with it.
    return db.waitingTransaction(async (tx) => (await appendIn(tx, appending)) ?? null)
  }
}

const isLocked = (error: unknown): boolean => error instanceof StatementTimeout && error.why === 'locked'

/** One that cannot be stored must not fail its neighbours. */
async function oneByOne(db: Database, all: readonly Appending[]): Promise<(Appended | null | Error)[]> {
  const results: (Appended | null | Error)[] = []
  let heldUp = 0
  const waiting = all.entries()
  const lane = async () => {
    for (const [at, one] of waiting) {
      const result = heldUp < MOST_HELD_UP ? await alone(db, one) : new StatementTimeout('slow')
      if (result instanceof StatementTimeout) heldUp++
      results[at] = result
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return results
}

async function alone(db: Database, one: Appending): Promise<Appended | null | Error> {
  try {
    return (await append(db, [one]))[0] ?? null
  } catch (error) {
    return error instanceof Error ? error : new Error('An answer could not be stored.')
  }
}

async function append(db: Database, all: readonly Appending[]): Promise<(Appended | null)[]> {
  // In one order everywhere, so that two nodes with the same sessions never deadlock.
  const ordered = all.map((one, ref) => ({ one, ref })).sort((a, b) => (a.one.sessionId < b.one.sessionId ? -1 : 1))
  const accounts = Map.groupBy(ordered, ({ one }) => one.accountId)
  const steps = [...accounts].map(([accountId, mine]): Step => {
    return [APPEND, [accountId, JSON.stringify(mine.map(({ one, ref }) => rowOf(one, ref)))]]
  })
  const told = [...accounts].flatMap(([accountId, mine]) =>
    eventSteps(
      accountId,
      mine.map(({ one }) => one),
    ),
  )
  const results = await db.batch([...steps, ...told])
  const appended: (Appended | null)[] = all.map(() => null)
  for (const row of results.slice(0, steps.length).flat()) {
    const { ref, ...stored } = row as Appended & { ref: number }
    appended[ref] = stored
  }
  return appended
}

async function appendIn(tx: Db, one: Appending): Promise<Appended | undefined> {
  const [row] = await tx.query<Appended & { ref: number }>(APPEND, [one.accountId, JSON.stringify([rowOf(one, 0)])])
  if (!row) return undefined
  for (const [statement, values] of eventSteps(one.accountId, [one])) await tx.query(statement, values)
  const { ref: _ref, ...stored } = row
  return stored
}

/** Queues the events that answers cause, after them and in their transaction; most answers cause none. */
function eventSteps(accountId: string, all: readonly Appending[]): Step[] {
  const rows = all.flatMap(({ sessionId, configuration, answer, events }) =>
    events.map((type) => ({ configuration_id: configuration.id, session_id: sessionId, type, answer_id: answer.id })),
  )
  return rows.length > 0 ? [[INSERT_WEBHOOK_DELIVERY, [accountId, JSON.stringify(rows)]]] : []
}

function rowOf(one: Appending, ref: number): Record<string, unknown> {
  const { sessionId, version, proof, configuration, answer, columns, activeHours, cookieHours } = one
  return {
    ref,
    session_id: sessionId,
    version,
    proof_hash: proof.hash.toString('hex'),
    configuration_id: configuration.id,
    revision: configuration.revision,
    ...columns,
    sealed_matter: columns.sealed_matter?.toString('hex') ?? null,
    state_seal: columns.state_seal?.toString('hex') ?? null,
    active_hours: activeHours,
    cookie_hours: cookieHours,
    id: answer.id,
    sealed: answer.sealed.toString('hex'),
  }
}

const LANGUAGE = sql(
  'session_language',
  `update sessions set language = $3, last_active_at = now() where account_id = $1 and id = $2 and erased_at is null returning 1`,
)

/** The language of the session's pages; the answers stay what they are. */
export async function changeLanguage(db: Db, accountId: string, sessionId: string, language: string): Promise<boolean> {
  return (await db.query(LANGUAGE, [accountId, sessionId, language])).length === 1
}

/**
 * Effect: ends the session, once, if it is still as it was read. Row: {id, version, completed_at, urgency, issue_type,
 * sealed_outcome (hex), state_seal (hex), marks (hex) of its complaints}.
 */
export const END_SESSION: Statement = sql(
  'session_end',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid, version int, completed_at timestamptz, urgency smallint, issue_type text,
     sealed_outcome text, state_seal text, marks text[])),
   done as (
     update sessions s set status = 'Ended', completed_at = g.completed_at, urgency = g.urgency, issue_type = g.issue_type,
       sealed_outcome = decode(g.sealed_outcome, 'hex'), state_seal = decode(g.state_seal, 'hex'), last_active_at = now(), alarm_level = null
     from given g
     where s.account_id = $1 and s.id = g.id and s.version = g.version and s.status in ('Created', 'StartedChat') and s.erased_at is null
     returning s.id, s.configuration_id, s.created_at, g.marks),
   marked as (
     insert into session_marks (account_id, session_id, mark, configuration_id, created_at)
     select $1, d.id, decode(m.mark, 'hex'), d.configuration_id, d.created_at from done d, unnest(d.marks) as m(mark) on conflict do nothing)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)
