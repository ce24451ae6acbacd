import type { FastifyInstance } from 'fastify'
import { Problem } from '../problems.ts'
import { type Database, StorageFull } from '../store/database/db.ts'
import { ping } from '../store/database/postgres.ts'

const READY_WITHIN_MS = 2_000

/**
 * `/healthz` touches nothing: it shows that the process responds. `/readyz` checks the database, also whether it has
 * room to write, and says no from the moment of stopping.
 */
export function healthRoutes(app: FastifyInstance, db: Database, isStopping: () => boolean): void {
  app.get('/healthz', { schema: { hide: true }, config: { priority: 'probes' } }, async () => ({ ok: true }))
  app.get('/readyz', { schema: { hide: true }, config: { priority: 'probes' } }, async () => {
    if (isStopping()) throw new Problem('stopping', { headers: { 'retry-after': '1' } })
    await inTime(ping(db), READY_WITHIN_MS)
    if (db.isFull()) throw new StorageFull('there is no room to write')
    return { ready: true }
  })
}

const TICKS = 10

/**
 * A database that has not answered by then is treated as away. Counted in ticks: while the machine itself stood still,
 * nobody waited for the database, and its answer may lie there unread.
 */
export async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let clock: NodeJS.Timeout | undefined
  const late = new Promise<never>((_done, failed) => {
    let ticks = 0
    clock = setInterval(() => {
      if (++ticks === TICKS) failed(new Problem('database-away', { headers: { 'retry-after': '1' } }))
    }, milliseconds / TICKS).unref()
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearInterval(clock)
  }
}
