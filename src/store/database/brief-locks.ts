import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { StoreUnavailable } from './db.ts'

/** Requests queue behind whoever waits for a table, and short statements wait 300 ms for a lock: this is well below. */
const LOCK_WAIT = '100ms'
const PAUSE_MS = 500
export const PATIENCE_MS = 30_000

/** Something held what had to be locked for as long as was tried; nothing of that work was done. */
export class LockHeld extends StoreUnavailable {}

/**
 * Runs the work as one transaction that never waits long for a lock, so that requests can pass between its tries: while
 * something holds a lock it is undone and tried again, until the patience is over.
 */
export async function withBriefLocks(
  client: pg.Client,
  work: () => Promise<unknown>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  for (const startedAt = performance.now(); ; await wait(PAUSE_MS)) {
    await client.query('begin')
    try {
      await client.query(`set local lock_timeout = '${LOCK_WAIT}'`)
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {}) // undone all the same when the connection is lost
      if (!isHeld(error)) throw error
      if (performance.now() - startedAt > patienceMs) throw await lockHeld(client, patienceMs)
    }
  }
}

/** A lock that was waited for too long, or by two who wait for each other. */
export const isHeld = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01')

/** Names the oldest transaction, most likely the one to end; never its text, in which there may be anything. */
export async function lockHeld(client: pg.Client, patienceMs: number): Promise<LockHeld> {
  const { rows } = await client.query<{ pid: number; name: string; state: string; since: string }>(
    `select pid, coalesce(nullif(application_name, ''), 'without a name') as name, state,
       to_char(xact_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"') as since
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
       and xact_start < now() - interval '1 second'
     order by xact_start limit 1`,
  )
  const [oldest] = rows
  const hint = oldest
    ? ` The oldest transaction is that of process ${oldest.pid} (${oldest.name}, ${oldest.state}), since ${oldest.since}.`
    : ''
  return new LockHeld(
    `A table that has to be changed was held for ${Math.round(patienceMs / 1000)} seconds, by a long query, a backup or an open transaction.${hint} Wait for its end, or end it, and try again: the version that serves goes on meanwhile.`,
  )
}
