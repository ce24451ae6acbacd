import pg from 'pg'
import { STARTED_BY_COMMAND } from './embedded.ts'

/** Marks the running service on an embedded database (exclusive) and everyone who uses it meanwhile (shared). */
const SERVICE_LOCK = 0x46_59_52_02
const USE_LOCK = 0x46_59_52_03
const WAIT_FOR_COMMANDS = '5s'

/** A place among those who use the database. Leaving it tells whether the database should be stopped now. */
export type Hold = { leave: () => Promise<boolean>; end: () => Promise<void> }

/** Takes the place of the one service on this data folder, or null when another holds it. */
export async function holdAsService(url: string): Promise<Hold | null> {
  const client = await connected(url)
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [SERVICE_LOCK])
  if (!rows[0].taken) {
    await client.end()
    return null
  }
  await client.query('select pg_advisory_lock_shared($1)', [USE_LOCK])
  return {
    /** The service stops its database in any case, but lets commands that run finish first. */
    leave: async () => {
      await client.query('select pg_advisory_unlock_shared($1)', [USE_LOCK])
      await client.query(`set lock_timeout = '${WAIT_FOR_COMMANDS}'`)
      await client.query('select pg_advisory_lock($1)', [USE_LOCK]).catch(() => {})
      return true
    },
    end: () => client.end().catch(() => {}),
  }
}

/** Marks a command as using the database. The last user of one that a command started is to stop it. */
export async function holdAsCommand(url: string): Promise<Hold> {
  const client = await connected(url)
  await client.query('select pg_advisory_lock_shared($1)', [USE_LOCK])
  return {
    leave: async () => {
      await client.query('select pg_advisory_unlock_shared($1)', [USE_LOCK])
      const { rows } = await client.query(
        "select current_setting('cluster_name') = $2 and pg_try_advisory_lock($1) as last",
        [USE_LOCK, STARTED_BY_COMMAND],
      )
      return rows[0].last
    },
    end: () => client.end().catch(() => {}),
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'fyr hold',
    connectionTimeoutMillis: 5_000,
    lock_timeout: 10_000, // who holds the database that long is stuck; the caller tries again
  })
  client.on('error', () => {})
  await client.connect()
  return client
}
