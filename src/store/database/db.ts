/** A statement with its name: named ones are prepared once per connection, which halves what they cost. */
export type Statement = { readonly name: string; readonly text: string }

export const sql = (name: string, text: string): Statement => ({ name, text })

export interface Db {
  query<Row>(statement: Statement, values?: unknown[]): Promise<Row[]>
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
}

/** One statement of a batch with its values. */
export type Step = readonly [statement: Statement, values: unknown[]]

export interface Database extends Db {
  /** Runs all steps as one transaction in one round trip: all of them, or none. */
  batch(steps: readonly Step[]): Promise<Record<string, unknown>[][]>
  /** Hears notifications until closed; `onGap` tells that some may have been missed (a reconnect). */
  listen(channel: string, hear: (payload: string) => void, onGap?: () => void): Promise<void>
  close(): Promise<void>
}

/** The database could not be reached or went away; nothing is known to have changed. */
export class DatabaseAway extends Error {}

/** A statement found its condition not met and undid the whole batch (SQLSTATE FY001, see expect_rows). */
export class NotAsExpected extends Error {}

/** Someone was to enter through a gate that is closed, or not as it was seen (SQLSTATE FY003, see expect_open). */
export class GateMoved extends NotAsExpected {}

/**
 * The batch was undone and is to be computed and tried again: the audit chain had moved on (SQLSTATE FY002), or a batch before it
 * on the same connection was undone while it brought a statement that this one relied on (26000).
 */
export class ChainMoved extends Error {}

const AWAY_STATES = /^(08|57P0|53|25006|55P03|57014)/
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

/** Turns the driver's errors into the few kinds that the rest of the code tells apart. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'FY001') return new NotAsExpected(error.message)
  if (code === 'FY003') return new GateMoved(error.message)
  if (code === 'FY002' || code === '26000') return new ChainMoved(error.message)
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
