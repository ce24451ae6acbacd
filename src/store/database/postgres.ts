import pg from 'pg'
import { type Database, DatabaseAway, type Db, type Statement, type Step, sql, translated } from './db.ts'

const PIPES = 3
const STATEMENT_TIMEOUT_MS = 5_000
const RECONNECT_MS = 250

const BEGIN = sql('begin', 'begin')
const COMMIT = sql('commit', 'commit')
const ROLLBACK = sql('rollback', 'rollback')
const PING = sql('ping', 'select 1')

/** Whether the database answers. */
export const ping = (db: Db): Promise<unknown> => db.query(PING)

/** The part of the driver's socket that gathers writes. */
type Stream = { cork: () => void; uncork: () => void }

type Queryable = { query: (config: { name: string; text: string; values: unknown[] }) => Promise<{ rows: unknown[] }> }

async function run<Row>(client: Queryable, { name, text }: Statement, values: unknown[] = []): Promise<Row[]> {
  try {
    return (await client.query({ name, text, values })).rows as Row[]
  } catch (error) {
    throw translated(error)
  }
}

/**
 * Connections that send short statements without waiting for the answers before them. A dead one is replaced
 * in the background, and only statements that were on it fail.
 */
class Pipes {
  readonly #config: pg.ClientConfig
  readonly #live: (pg.Client | null)[] = []
  readonly #corked = new Set<Stream>()
  #next = 0
  #closed = false

  constructor(config: pg.ClientConfig) {
    this.#config = { ...config, pipeline: true } as pg.ClientConfig
  }

  async open(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, at) => this.#connect(at)))
  }

  async #connect(at: number): Promise<void> {
    const client = new pg.Client(this.#config)
    const gone = () => {
      if (this.#live[at] !== client) return
      this.#live[at] = null
      client.end().catch(() => {})
      this.#retry(at)
    }
    client.on('error', gone)
    client.on('end', gone)
    await client.connect()
    this.#live[at] = client
    if (this.#closed) await client.end()
  }

  #retry(at: number): void {
    if (this.#closed) return
    setTimeout(() => {
      if (!this.#closed) this.#connect(at).catch(() => this.#retry(at))
    }, RECONNECT_MS).unref()
  }

  pick(): pg.Client {
    for (let tried = 0; tried < this.#live.length; tried++) {
      const client = this.#live[this.#next++ % this.#live.length]
      if (client) {
        this.#cork(client)
        return client
      }
    }
    throw new DatabaseAway('database away')
  }

  /** What is sent in one turn of the loop leaves in one write: a system call a statement would cost more than the rest. */
  #cork(client: pg.Client): void {
    const { stream } = (client as unknown as { connection: { stream: Stream } }).connection
    if (this.#corked.has(stream)) return
    if (this.#corked.size === 0) setImmediate(() => this.#uncork())
    this.#corked.add(stream)
    stream.cork()
  }

  #uncork(): void {
    for (const stream of this.#corked) stream.uncork()
    this.#corked.clear()
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#live.map((client) => client?.end()))
  }
}

function asDb(client: Queryable): Db {
  const tx: Db = { query: (statement, values) => run(client, statement, values), transaction: (work) => work(tx) }
  return tx
}

/** Opens PostgreSQL, embedded or remote: they are the same thing behind the same two methods. */
export async function openPostgres(connection: string, connections: number): Promise<Database> {
  const config: pg.ClientConfig = {
    connectionString: connection,
    application_name: 'fyr',
    connectionTimeoutMillis: 3_000,
    keepAlive: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 10_000,
  }
  const reads = new Pipes(config)
  const writes = new Pipes(config)
  const pool = new pg.Pool({ ...config, max: connections, idleTimeoutMillis: 30_000 })
  pool.on('error', () => {}) // an idle connection that dies is simply replaced
  await Promise.all([reads.open(PIPES), writes.open(2)])
  const listeners: pg.Client[] = []
  let closed = false

  async function transaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error) => {
      throw translated(error)
    })
    const db = asDb(client)
    try {
      await db.query(BEGIN)
      const result = await work(db)
      await db.query(COMMIT)
      client.release()
      return result
    } catch (error) {
      const dead = await db.query(ROLLBACK).then(
        () => false,
        () => true,
      )
      client.release(dead)
      throw error
    }
  }

  async function batch(steps: readonly Step[]): Promise<Record<string, unknown>[][]> {
    const client = writes.pick()
    // Queued in one go, so nothing else can come between BEGIN and COMMIT on this connection.
    const all = [[BEGIN, []] as const, ...steps, [COMMIT, []] as const].map(([statement, values]) =>
      run<Record<string, unknown>>(client, statement, [...values]),
    )
    const settled = await Promise.allSettled(all)
    const fault = settled.find((one) => one.status === 'rejected')
    if (fault) throw fault.reason
    return settled.slice(1, -1).map((one) => (one.status === 'fulfilled' ? one.value : []))
  }

  async function listen(channel: string, hear: (payload: string) => void, onGap?: () => void): Promise<void> {
    const client = new pg.Client({ ...config, statement_timeout: 0 })
    const again = () => {
      const at = listeners.indexOf(client)
      if (at < 0) return
      listeners.splice(at, 1)
      const retry = () => {
        if (closed) return
        listen(channel, hear, onGap).then(onGap, () => setTimeout(retry, RECONNECT_MS).unref())
      }
      retry()
    }
    client.on('error', again)
    client.on('end', again)
    client.on('notification', (message) => {
      if (message.channel === channel) hear(message.payload ?? '')
    })
    await client.connect()
    listeners.push(client)
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    if (closed) await client.end()
  }

  return {
    query: (statement, values) => {
      try {
        return run(reads.pick(), statement, values)
      } catch (error) {
        return Promise.reject(error)
      }
    },
    transaction,
    batch,
    listen,
    close: async () => {
      closed = true
      const open = listeners.splice(0)
      await Promise.all([reads.close(), writes.close(), pool.end(), ...open.map((client) => client.end())])
    },
  }
}
