import type { FastifyInstance } from 'fastify'
import { Problem } from '../problems.ts'
import type { Db } from '../store/database/db.ts'
import { ping } from '../store/database/postgres.ts'

/** `/healthz` touches nothing: the process turns. `/readyz` knows the database, and says no from the moment of stopping. */
export function healthRoutes(app: FastifyInstance, db: Db, isStopping: () => boolean): void {
  app.get('/healthz', { schema: { hide: true }, config: { isProbe: true } }, async () => ({ ok: true }))
  app.get('/readyz', { schema: { hide: true }, config: { isProbe: true } }, async () => {
    if (isStopping()) throw new Problem('stopping', { headers: { 'retry-after': '1' } })
    await Promise.race([ping(db), late(2_000)])
    return { ready: true }
  })
}

async function late(milliseconds: number): Promise<never> {
  await new Promise((done) => setTimeout(done, milliseconds).unref())
  throw new Problem('database-away', { headers: { 'retry-after': '1' } })
}
