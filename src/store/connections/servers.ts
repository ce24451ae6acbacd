import pg from 'pg'
import { databaseServers } from '../../setting-values.ts'
import { DatabaseAway, StoreUnavailable } from '../database/db.ts'
import { endClient, RECONNECT_PATIENCE_MS, START_PATIENCE_MS, within } from './connection.ts'

/** What is set on a connection before its first use. */
export type SessionSettings = Readonly<Record<string, string>>

/** The server is not the one to use: told briefly among others, and in a sentence for itself. */
export class UnfitServer extends DatabaseAway {
  readonly brief: string

  constructor(brief: string, sentence: string) {
    super(sentence)
    this.brief = brief
  }
}

const readOnly = () =>
  new UnfitServer(
    'takes no writes',
    'The database takes no writes: it is a standby, or read-only. Point DATABASE_URL at the primary, or name every server there: postgres://user:password@host1:5432,host2:5432/database.',
  )

const leftBehind = () =>
  new UnfitServer(
    'was the primary before another was promoted',
    'This server was the primary before another was promoted: it must not run beside it.',
  )

/** The servers that a database address names. One of them takes writes; after a failover it is another. */
export class Servers {
  readonly #addresses: readonly string[]
  #at = 0
  /** The newest history of the database that was seen: each promotion begins a new one. */
  #timeline = 0
  #isLookedAt = false

  constructor(address: string) {
    this.#addresses = databaseServers(address)
  }

  /** Those of an address, or those already known. */
  static at(database: string | Servers): Servers {
    return typeof database === 'string' ? new Servers(database) : database
  }

  /** The one that took writes last. */
  get address(): string {
    return this.#addresses[this.#at] ?? ''
  }

  /** Opens a connection, or gives up; then the next one goes to the next server. */
  open(client: ServerClient, settings: SessionSettings, patienceMs: number): Promise<void> {
    return this.#orLeave(client, () => this.#opened(client, settings, patienceMs))
  }

  /** The same for a connection that the driver's pool has opened. */
  settle(client: ServerClient, settings: SessionSettings): Promise<void> {
    return this.#orLeave(client, () => within(client, RECONNECT_PATIENCE_MS, () => this.#settle(client, settings)))
  }

  /** Tries once for each server: an attempt that fails leaves its server. */
  async inTurn<T>(attempt: () => Promise<T>): Promise<T> {
    await this.#lookAtAll()
    const faults: unknown[] = []
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        faults.push(error)
        if (faults.length < this.#addresses.length) continue
        if (faults.length === 1) throw error
        throw new StoreUnavailable(`No server of DATABASE_URL can be used: one ${faults.map(briefly).join('; one ')}.`)
      }
    }
  }

  /** At the start a primary of before, which came back after another was promoted, looks like any: all tell their history. */
  async #lookAtAll(): Promise<void> {
    if (this.#isLookedAt || this.#addresses.length === 1) return
    this.#isLookedAt = true
    const looks = this.#addresses.map(async (address) => {
      const client = new ServerClient({ servers: { address } })
      await this.#opened(client, {}, RECONNECT_PATIENCE_MS)
      await endClient(client)
    })
    await Promise.allSettled(looks) // whoever wants to use one is told what is wrong with it
  }

  async #opened(client: ServerClient, settings: SessionSettings, patienceMs: number): Promise<void> {
    try {
      await within(client, patienceMs, async () => {
        await client.connect()
        await this.#settle(client, settings)
      })
    } catch (error) {
      await endClient(client)
      throw error
    }
  }

  /**
   * Sets by a statement what could be said in the greeting: poolers refuse a greeting with settings they do not know.
   * Takes only a server that takes writes, and of several never one that another has followed.
   */
  async #settle(client: ServerClient, settings: SessionSettings): Promise<void> {
    const names = Object.keys(settings)
    const columns = [
      `current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
      ...(this.#addresses.length > 1 ? [TIMELINE] : []),
      ...names.map((_, at) => `set_config($${at * 2 + 1}, $${at * 2 + 2}, false)`),
    ]
    const values = names.flatMap((name) => [name, settings[name]])
    const { rows } = await client.query(`select ${columns.join(', ')}`, values)
    const { isReadOnly, timeline = 0 } = rows[0]
    if (isReadOnly) throw readOnly()
    if (timeline < this.#timeline) throw leftBehind()
    this.#timeline = timeline
  }

  /** Whoever finds a server unfit after others have left it changes nothing. */
  async #orLeave(client: ServerClient, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (client.address === this.address) this.#at = (this.#at + 1) % this.#addresses.length
      throw error
    }
  }
}

const TIMELINE = `case when pg_is_in_recovery() then 0
  else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`

/** A connection, not yet opened, to the server that took writes last. */
export class ServerClient extends pg.Client {
  readonly address: string

  constructor({ servers, ...config }: pg.ClientConfig & { servers: Pick<Servers, 'address'> }) {
    const { address } = servers
    super({ ...config, connectionString: address })
    this.address = address
    this.on('error', () => {}) // the statement on it fails, and says so
  }
}

/** A connection to the server of a database that takes writes, for whoever needs only one. */
export function connectedTo(database: string | Servers, config: pg.ClientConfig): Promise<pg.Client> {
  const servers = Servers.at(database)
  return servers.inTurn(async () => {
    const client = new ServerClient({ ...config, servers })
    await servers.open(client, {}, START_PATIENCE_MS)
    return client
  })
}

function briefly(fault: unknown): string {
  if (fault instanceof UnfitServer) return fault.brief
  const { message = '', code = '' } = fault instanceof Error ? (fault as Error & { code?: string }) : {}
  return `says "${message || code}"`
}
