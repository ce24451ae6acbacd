import type pg from 'pg'
import type { Db, Statement } from '../database/db.ts'
import type { Watch } from './connection.ts'
import { PooledConnections } from './pooled-connections.ts'
import { Shares } from './shares.ts'

/** Queueing and waiting for a lock together stay below the deadline of a request, so that the caller is told why. */
const LOCK_TIMEOUT_MS = 2_500
const LIMITS = { atOnce: 4, perOne: 2, waitingPerOne: 20, longestWaitMs: 1_500 }

/**
 * Lists and counts follow an index in its order, whatever statistics the planner has, with one plan for all values and
 * on one core.
 */
const ALONG_AN_INDEX = [
  'enable_seqscan=off',
  'enable_bitmapscan=off',
  'enable_sort=off',
  'enable_incremental_sort=off',
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'plan_cache_mode=force_generic_plan',
]
export const LIST_OPTIONS = ALONG_AN_INDEX.map((setting) => `-c ${setting}`).join(' ')

/** Connections for lists and counts, separate from those for short statements, and shared out among the accounts. */
export class ListConnections {
  readonly #pool: PooledConnections
  readonly #shares = new Shares(LIMITS)

  constructor(config: pg.ClientConfig, watch: Watch) {
    this.#pool = new PooledConnections(
      { ...config, lock_timeout: LOCK_TIMEOUT_MS, options: LIST_OPTIONS },
      LIMITS.atOnce,
      watch,
    )
  }

  of(accountId: string): Pick<Db, 'query'> {
    return {
      query: <Row>(statement: Statement, values?: unknown[]) =>
        this.#shares.run(accountId, () => this.#pool.lend((line) => line.run<Row>(statement, values))),
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
