import type pg from 'pg'

/** A named statement: prepared once per connection, which halves its cost. */
export type Statement = { readonly name: string; readonly text: string }

export const sql = (name: string, text: string): Statement => ({ name, text })

export const BEGIN = sql('begin', 'begin')
export const COMMIT = sql('commit', 'commit')
export const ROLLBACK = sql('rollback', 'rollback')

export interface Db {
  query<Row>(statement: Statement, values?: unknown[]): Promise<Row[]>
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
}

const ON_SNAPSHOT = sql('on_snapshot', 'set transaction isolation level repeatable read, read only')

/** Reads from one snapshot, whatever is written meanwhile. */
export const onSnapshot = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.query(ON_SNAPSHOT)
    return work(tx)
  })

/** One statement of a batch with its values. */
export type Step = readonly [statement: Statement, values: unknown[]]

export interface Database extends Db {
  /** Runs all steps as one transaction in one round trip: all of them, or none. */
  batch(steps: readonly Step[]): Promise<Record<string, unknown>[][]>
  /** Runs an account's lists and counts: on separate connections, within the account's share of them. */
  lists(accountId: string): Pick<Db, 'query'>
  /** A transaction that may wait longer for locks; few at once, and no short statement waits behind it. */
  waitingTransaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Runs the work while no other connection holds this turn; null when one does. */
  exclusively<T>(turn: number, work: () => Promise<T>): Promise<T | null>
  /** Listens for notifications until closed; `onGap` says that some may have been missed (a reconnect). */
  listen(channel: string, hear: (payload: string) => void, onGap?: () => void): Promise<void>
  /** A connection of its own, without limits on time, for work that takes as long as there is data. */
  apart<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  /** Whether nothing can be written at the moment because the database's disk is full. */
  isFull(): boolean
  close(): Promise<void>
}

/** The data cannot be opened as it is; the message says what was found and what to do. */
export class StoreUnavailable extends Error {}

/** The database could not be reached, went away or fell silent; a write in progress may or may not have happened. */
export class DatabaseAway extends Error {}

/** There is no room on the database's disk; nothing changed, and reading goes on. */
export class StorageFull extends DatabaseAway {}

/** The database role that this process connects as has no right to this; nothing changed. */
export class NotPermitted extends Error {}

/** Something waited too long for a lock, or took too long; nothing changed, and others may continue without it. */
export class StatementTimeout extends Error {
  readonly why: 'locked' | 'slow'

  constructor(why: 'locked' | 'slow', options?: ErrorOptions) {
    super(`held up: ${why}`, options)
    this.why = why
  }
}

/** The account has asked for more lists and counts at once than its share; nothing was tried. */
export class ShareSpent extends Error {}

/** A statement found its condition not met and undid the whole batch (SQLSTATE FY001, see expect_rows). */
export class PreconditionFailed extends Error {}

/** Someone tried to enter through a gate that is closed or not as it was seen (SQLSTATE FY003, see expect_open). */
export class GateChanged extends PreconditionFailed {}

/** The batch was undone because the audit chain had moved on (SQLSTATE FY002): compute it again and retry. */
export class StaleChain extends Error {}

/** Something was sealed, or is to be opened, with another key of the account than this process knows (SQLSTATE FY004, see expect_account_key): it reads the account again at the next try. */
export class StaleKey extends Error {}

/** An earlier statement on the same connection failed to prepare what both rely on (26000); nothing ran. */
export class Unprepared extends Error {}

/** Which step of a batch failed, where that is known; -1 is its beginning. */
export const stepOf = (error: unknown): number | null =>
  error instanceof Error && 'step' in error && typeof error.step === 'number' ? error.step : null

const AWAY_STATES = /^(08|57P0|53|25006|25P03)/
const LOCKED_STATES = new Set(['55P03', '40P01', '40001'])
const SLOW_STATE = '57014'
const NOT_PERMITTED_STATE = '42501'
const FULL_STATE = '53100'
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
])

/** Maps the driver's errors to the few kinds that the rest of the code distinguishes. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'FY001') return new PreconditionFailed(error.message)
  if (code === 'FY003') return new GateChanged(error.message)
  if (code === 'FY002') return new StaleChain(error.message)
  if (code === 'FY004') return new StaleKey(error.message)
  if (code === '26000') return new Unprepared(error.message)
  if (LOCKED_STATES.has(code)) return new StatementTimeout('locked', { cause: error })
  if (code === NOT_PERMITTED_STATE) return new NotPermitted(error.message, { cause: error })
  if (code === SLOW_STATE) return new StatementTimeout('slow', { cause: error })
  if (code === FULL_STATE) return new StorageFull('the disk is full', { cause: error })
  if (AWAY_CODES.has(code) || AWAY_STATES.test(code)) return new DatabaseAway('database away', { cause: error })
  if (
    /Connection terminated|timeout expired|timeout exceeded|Client has encountered|not queryable|Query read timeout/i.test(
      error.message,
    )
  ) {
    return new DatabaseAway('database away', { cause: error })
  }
  return error
}
