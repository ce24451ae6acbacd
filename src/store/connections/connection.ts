import type pg from 'pg'
import { DatabaseAway, type Db, type Statement, translated } from '../database/db.ts'

const TICK_MS = 500
/** Slightly longer than the database gives a statement: silence beyond that is no slow statement but nobody there. */
const SILENT_TICKS = 10

/** The part of the driver's socket that can gather writes and be destroyed. */
type Stream = { cork: () => void; uncork: () => void; destroy: (error?: Error) => void }

export const streamOf = (client: pg.ClientBase): Stream =>
  (client as unknown as { connection: { stream: Stream } }).connection.stream

/** One connection, counting what was sent and what was answered. */
export class Connection {
  readonly client: pg.ClientBase
  #sent = 0
  #answered = 0
  #answeredBefore = 0
  #quietTicks = 0
  #waitedTicks = 0
  #wasWaiting = false

  constructor(client: pg.ClientBase) {
    this.client = client
  }

  get outstanding(): number {
    return this.#sent - this.#answered
  }

  /** Something was sent, and nothing at all has come back for too long. */
  get isSilent(): boolean {
    return this.#waitedTicks >= SILENT_TICKS
  }

  /** Nothing has come back for too long, perhaps because nothing was sent. */
  get isQuiet(): boolean {
    return this.#quietTicks >= SILENT_TICKS
  }

  async run<Row>({ name, text }: Statement, values: unknown[] = []): Promise<Row[]> {
    this.#sent++
    try {
      return (await this.client.query({ name, text, values })).rows as Row[]
    } catch (error) {
      throw translated(error)
    } finally {
      this.#answered++
    }
  }

  tick(): void {
    const hasHeard = this.#answered !== this.#answeredBefore
    this.#answeredBefore = this.#answered
    this.#quietTicks = hasHeard ? 0 : this.#quietTicks + 1
    this.#waitedTicks = hasHeard || !this.#wasWaiting ? 0 : this.#waitedTicks + 1
    this.#wasWaiting = this.outstanding > 0
  }

  /** Destroys the connection without closing it in order: everything sent on it fails at once. */
  cut(): void {
    streamOf(this.client).destroy()
  }

  /** This connection as a `Db`. */
  asDb(): Db {
    const tx: Db = { query: (statement, values) => this.run(statement, values), transaction: (work) => work(tx) }
    return tx
  }
}

/**
 * Watches the connections. A database that takes statements and never answers (a frozen host, a network partition)
 * would hold them for ever: connections silent for five seconds are cut, together with all that were merely quiet as
 * long. A timer for each statement would cost more than the statement.
 */
export class Watch {
  readonly #lines = new Set<Connection>()
  readonly #timer = setInterval(() => this.#look(), TICK_MS).unref()

  add(line: Connection): Connection {
    this.#lines.add(line)
    return line
  }

  remove(line: Connection): void {
    this.#lines.delete(line)
  }

  #look(): void {
    let isAnySilent = false
    for (const line of this.#lines) {
      line.tick()
      isAnySilent ||= line.isSilent
    }
    if (!isAnySilent) return
    for (const line of this.#lines) if (line.isQuiet) line.cut()
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

const GOODBYE_MS = 2_000
/** At the start nobody waits for an answer yet: a slow database host should not keep a node from starting. */
export const START_PATIENCE_MS = 20_000
export const RECONNECT_PATIENCE_MS = 3_000

/** Long work has no limit of time, whatever the server sets for its roles or databases. */
export async function liftTimeouts(client: pg.Client): Promise<void> {
  await client.query(
    `select set_config(name, '0', false) from pg_settings
     where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
  )
}

export const connectWithin = (client: pg.Client, patienceMs: number): Promise<void> =>
  within(client, patienceMs, () => client.connect())

/**
 * Does something on a connection, or gives up. The patience is counted in ticks, so that time in which this process was
 * too busy to listen does not count; the driver's own limit would take the answer for missing that is waiting to be read.
 */
export async function within(client: pg.ClientBase, patienceMs: number, work: () => Promise<unknown>): Promise<void> {
  let ticks = Math.ceil(patienceMs / TICK_MS)
  const timer = setInterval(() => {
    if (ticks-- === 0) streamOf(client).destroy(new DatabaseAway('the database did not answer in time'))
  }, TICK_MS)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
}

/** Ends a connection in order, or abruptly when nobody answers. */
export async function endClient(client: pg.Client): Promise<void> {
  const cut = setTimeout(() => streamOf(client).destroy(), GOODBYE_MS)
  await client.end().catch(() => {})
  clearTimeout(cut)
}
