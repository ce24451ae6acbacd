import pg from 'pg'
import { endClient } from '../connections/connection.ts'
import { STARTED_BY_COMMAND } from './postmaster.ts'

/** Marks everyone who uses an embedded database (shared). */
const USE_LOCK = 0x46_59_52_03
const WAIT_FOR_COMMANDS = '5s'

/** A place among those who use the database. Leaving it tells whether the database should be stopped now. */
export type Hold = {
  leave: () => Promise<boolean>
  end: () => Promise<void>
  /** Resolves when the connection behind it has ended, by itself or because the database has. */
  ended: Promise<void>
}

/** Marks the service as using the database. */
export async function holdAsService(url: string): Promise<Hold> {
  const { client, ended } = await connected(url)
  await client.query('select pg_advisory_lock_shared($1)', [USE_LOCK])
  return {
    /** The service stops its database in any case, but lets commands that run finish first. */
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

/** Marks a command as using the database. The last user of one that a command started is to stop it. */
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
        return false // it is away, and what the command did is done
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
    connectionTimeoutMillis: 5_000,
    lock_timeout: 10_000, // who holds the database that long is stuck; the caller tries again
  })
  client.on('error', () => {})
  const ended = new Promise<void>((done) => client.once('end', () => done()))
  await client.connect()
  return { client, ended }
}
