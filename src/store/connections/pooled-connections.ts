import pg from 'pg'
import { BEGIN, COMMIT, DatabaseAway, type Db, ROLLBACK, translated } from '../database/db.ts'
import { Connection, RECONNECT_PATIENCE_MS, type Watch } from './connection.ts'
import { ServerClient, type Servers, type SessionSettings } from './servers.ts'

const LAST_WORDS_MS = 2_000

/** A pool: each connection is lent to one borrower at a time. They are opened when needed, and dead ones are replaced. */
export class PooledConnections {
  readonly #pool: pg.Pool
  readonly #watch: Watch

  constructor(servers: Servers, config: pg.ClientConfig, settings: SessionSettings, most: number, watch: Watch) {
    const made = {
      Client: ServerClient,
      servers,
      onConnect: (client: ServerClient) => servers.settle(client, settings),
    }
    this.#pool = new pg.Pool({
      ...config,
      ...(made as unknown as pg.PoolConfig),
      max: most,
      connectionTimeoutMillis: RECONNECT_PATIENCE_MS, // also the longest wait for one that is lent
      idleTimeoutMillis: 30_000,
    })
    this.#pool.on('error', () => {}) // an idle one failed; the next borrower gets another
    this.#watch = watch
  }

  /** Lends a connection. One that dies meanwhile fails its statement and is discarded. */
  async lend<T>(work: (line: Connection) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error) => {
      throw translated(error)
    })
    let isDead = false
    const died = () => {
      isDead = true
    }
    client.on('error', died)
    const line = this.#watch.add(new Connection(client))
    try {
      return await work(line)
    } catch (error) {
      isDead ||= error instanceof DatabaseAway
      throw error
    } finally {
      this.#watch.remove(line)
      if (isDead) line.cut()
      client.release(isDead)
      client.off('error', died)
    }
  }

  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    return this.lend(async (line) => {
      const tx = line.asDb()
      await tx.query(BEGIN)
      try {
        const result = await work(tx)
        await tx.query(COMMIT)
        return result
      } catch (error) {
        if (!(error instanceof DatabaseAway)) await tx.query(ROLLBACK)
        throw error
      }
    })
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((done) => {
      timer = setTimeout(done, LAST_WORDS_MS)
    })
    await Promise.race([this.#pool.end(), late])
    clearTimeout(timer)
  }
}
