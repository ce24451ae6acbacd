import pg from 'pg'
import { databaseServers } from '../../setting-values.ts'
import { DatabaseAway, StoreUnavailable } from '../database/db.ts'
import { endClient, RECONNECT_PATIENCE_MS, START_PATIENCE_MS, within } from './connection.ts'

/** What is set on a connection before its first use. */
export type SessionSettings = Readonly<Record<string, string>>

/** The server is a standby, or was made read-only. */
export class ReadOnlyServer extends DatabaseAway {
  constructor() {
    super(
      'The database takes no writes: it is a standby, or read-only. Point DATABASE_URL at the primary, or name every server there: postgres://user:password@host1:5432,host2:5432/database.',
    )
  }
}

/** The servers that a database address names. One of them takes writes; after a failover it is another. */
export class Servers {
  readonly #addresses: readonly string[]
  #at = 0

  constructor(address: string) {
    this.#addresses = databaseServers(address)
  }

  /** The one that took writes last. */
  get address(): string {
    return this.#addresses[this.#at] ?? ''
  }

  /** Opens a connection, or gives up; then the next one goes to the next server. */
  open(client: ServerClient, settings: SessionSettings, patienceMs: number): Promise<void> {
    return this.#orLeave(client, () =>
      within(client, patienceMs, async () => {
        await client.connect()
        await settle(client, settings)
      }).catch(async (error) => {
        await endClient(client)
        throw error
      }),
    )
  }

  /** The same for a connection that the driver's pool has opened. */
  settle(client: ServerClient, settings: SessionSettings): Promise<void> {
    return this.#orLeave(client, () => within(client, RECONNECT_PATIENCE_MS, () => settle(client, settings)))
  }

  /** Tries once for each server: an attempt that fails leaves its server. */
  async inTurn<T>(attempt: () => Promise<T>): Promise<T> {
    const faults: unknown[] = []
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        faults.push(error)
        if (faults.length < this.#addresses.length) continue
        if (faults.length === 1) throw error
        const found = faults.map((fault) => (fault instanceof ReadOnlyServer ? 'takes no writes' : wordsOf(fault)))
        throw new StoreUnavailable(`No server of DATABASE_URL can be used: one ${found.join('; one ')}.`)
      }
    }
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

/** A connection, not yet opened, to the server that took writes last. */
export class ServerClient extends pg.Client {
  readonly address: string

  constructor({ servers, ...config }: pg.ClientConfig & { servers: Servers }) {
    const { address } = servers
    super({ ...config, connectionString: address })
    this.address = address
    this.on('error', () => {}) // the statement on it fails, and says so
  }
}

/** A connection to the server of an address that takes writes, for whoever needs only one. */
export function connectedTo(address: string, config: pg.ClientConfig): Promise<pg.Client> {
  const servers = new Servers(address)
  return servers.inTurn(async () => {
    const client = new ServerClient({ ...config, servers })
    await servers.open(client, {}, START_PATIENCE_MS)
    return client
  })
}

/**
 * Sets by a statement what could be said in the greeting: poolers refuse a greeting with settings they do not know. Only
 * a server that takes writes is taken.
 */
async function settle(client: pg.ClientBase, settings: SessionSettings): Promise<void> {
  const names = Object.keys(settings)
  const columns = names.map((_, at) => `, set_config($${at * 2 + 1}, $${at * 2 + 2}, false)`)
  const { rows } = await client.query(
    `select current_setting('transaction_read_only') = 'on' as "isReadOnly"${columns.join('')}`,
    names.flatMap((name) => [name, settings[name]]),
  )
  if (rows[0].isReadOnly) throw new ReadOnlyServer()
}

const wordsOf = (fault: unknown): string => {
  const { message = '', code = '' } = fault instanceof Error ? (fault as Error & { code?: string }) : {}
  return `says "${message || code}"`
}
