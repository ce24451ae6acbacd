import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { StoreUnavailable } from '../database/db.ts'
import { endClient } from './connection.ts'
import { connectedTo, type Servers } from './servers.ts'

/** On a pooler that others use at the same moment one look may miss what the next sees. */
const MOST_LOOKS = 5
const LONGEST_MS = 500

const MARK = `select set_config('fyr.session', $1, false), pg_backend_pid() as pid`
const READ = `select coalesce(current_setting('fyr.session', true), '') as mark, pg_backend_pid() as pid`

/**
 * Refuses a pooler that hands a connection's session to others after each transaction. Known by what it does: one
 * connection's mark is seen by another, or is not found again where it was left. Nothing of the database is changed.
 */
export async function refuseSharedSessions(database: string | Servers): Promise<void> {
  const [one, other] = [await connectedTo(database, {}), await connectedTo(database, {})]
  try {
    const startedAt = performance.now()
    for (let look = 0; look < MOST_LOOKS && performance.now() - startedAt < LONGEST_MS; look++)
      if (await isShared(one, other))
        throw new StoreUnavailable(
          'The database is reached through a pooler that gives a connection to others between transactions (PgBouncer with pool_mode = transaction or statement): set pool_mode = session for this database, or point DATABASE_URL at PostgreSQL itself, since prepared statements, limits of time, locks and notifications must stay with their connection (max_prepared_statements keeps only the first of these). Nothing was changed.',
        )
  } finally {
    await Promise.all([endClient(one), endClient(other)])
  }
}

async function isShared(one: pg.Client, other: pg.Client): Promise<boolean> {
  const mark = randomUUID()
  const { rows: marked } = await one.query(MARK, [mark])
  const { rows: seen } = await other.query(READ)
  const { rows: found } = await one.query(READ)
  return seen[0].mark === mark || found[0].mark !== mark || found[0].pid !== marked[0].pid
}
