import pg from 'pg'
import { connectWithin, endClient, START_PATIENCE_MS } from '../connections/connection.ts'
import { STARTED_BY_COMMAND } from './postmaster.ts'

/** Held (shared) by everyone who uses an embedded database. */
const USE_LOCK = 0x46_59_52_03
const WAIT_FOR_COMMANDS = '5s'

/** A registered use of the database. Leaving returns whether the database should be stopped now. */
export type Hold = {
  leave: () => Promise<boolean>
  end: () => Promise<void>
  /** Resolves when the connection behind it has ended, by itself or because the database has. */
  ended: Promise<void>
}

/** Registers the service as a user of the database. */
export async function holdAsService(url: string): Promise<Hold> {
  const { client, ended } = await connected(url)
  await client.query('select pg_advisory_lock_shared($1)', [USE_LOCK])
  return {
    /** The service stops its database in any case, but lets running commands finish first. */
    leave: async () => {
      try {
        await client.query('select pg_advisory_unlock_shared($1)', [USE_LOCK])
        await client.query(`set lock_timeout = '${WAIT_FOR_COMMANDS}'`)
        await client.query('select pg_advisory_lock($1)', [USE_LOCK])
      } catch {
        // they take too long, or the database is away
      }
      return true
    },
    end: () => endClient(client),
    ended,
  }
}

/** Registers a command as a user of the database. If a command started the database, its last user stops it. */
export async function holdAsCommand(url: string): Promise<Hold> {
  const { client, ended } = await connected(url)
  await client.query('select pg_advisory_lock_shared($1)', [USE_LOCK])
  return {
    leave: async () => {
      try {
        await client.query('select pg_advisory_unlock_shared($1)', [USE_LOCK])
        const { rows } = await client.query(
          "select current_setting('cluster_name') = $2 and pg_try_advisory_lock($1) as last",
          [USE_LOCK, STARTED_BY_COMMAND],
        )
        return rows[0].last
      } catch {
        return false // it is away, and the command's work is done
      }
    },
    end: () => endClient(client),
    ended,
  }
}

async function connected(url: string): Promise<{ client: pg.Client; ended: Promise<void> }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'fyr hold',
    lock_timeout: 10_000, // a holder that takes this long is stuck; the caller tries again
  })
  client.on('error', () => {})
  const ended = new Promise<void>((done) => client.once('end', () => done()))
  await connectWithin(client, START_PATIENCE_MS)
  return { client, ended }
}
