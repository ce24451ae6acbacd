import type pg from 'pg'
import type { Db, Statement } from '../database/db.ts'
import type { Watch } from './connection.ts'
import { PooledConnections } from './pooled-connections.ts'
import type { Servers, SessionSettings } from './servers.ts'
import { Shares } from './shares.ts'

/** Queueing and waiting for a lock together stay below the deadline of a request, so that the caller is told why. */
const LOCK_TIMEOUT = '2500ms'
const LIMITS = { atOnce: 4, perOne: 2, waitingPerOne: 20, longestWaitMs: 1_500 }

/**
 * Lists and counts follow an index in its order, whatever statistics the planner has, with one plan for all values and
 * on one core.
 */
export const ALONG_AN_INDEX = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  plan_cache_mode: 'force_generic_plan',
}

/** Connections for lists and counts, separate from those for short statements, and shared out among the accounts. */
export class ListConnections {
  readonly #pool: PooledConnections
  readonly #shares = new Shares(LIMITS)

  constructor(servers: Servers, config: pg.ClientConfig, settings: SessionSettings, watch: Watch) {
    const own = { ...settings, lock_timeout: LOCK_TIMEOUT, ...ALONG_AN_INDEX }
    this.#pool = new PooledConnections(servers, config, own, LIMITS.atOnce, watch)
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
