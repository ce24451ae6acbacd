import type pg from 'pg'
import { DatabaseAway } from '../database/db.ts'
import { Connection, endClient, RECONNECT_PATIENCE_MS, START_PATIENCE_MS, streamOf, type Watch } from './connection.ts'
import { ServerClient, type Servers, type SessionSettings, UnfitServer } from './servers.ts'

export const RECONNECT_MS = 250

/**
 * Connections that pipeline short statements. A dead one is replaced in the background, and only the statements on it
 * fail.
 */
export class PipelinedConnections {
  readonly #servers: Servers
  readonly #config: pg.ClientConfig
  readonly #settings: SessionSettings
  readonly #watch: Watch
  readonly #live: (Connection | null)[] = []
  readonly #corked = new Set<Connection>()
  #closed = false

  constructor(servers: Servers, config: pg.ClientConfig, settings: SessionSettings, watch: Watch) {
    this.#servers = servers
    this.#config = { ...config, pipeline: true } as pg.ClientConfig
    this.#settings = settings
    this.#watch = watch
  }

  async open(count: number): Promise<void> {
    const connected = (_: unknown, at: number) => this.#servers.inTurn(() => this.#connect(at, START_PATIENCE_MS))
    await Promise.all(Array.from({ length: count }, connected))
  }

  async #connect(at: number, patienceMs = RECONNECT_PATIENCE_MS): Promise<void> {
    const client = new ServerClient({ ...this.#config, servers: this.#servers })
    const line = new Connection(client)
    let isGone = false
    const gone = () => {
      isGone = true
      if (this.#live[at] !== line) return
      this.#live[at] = null
      this.#watch.remove(line)
      client.end().catch(() => {})
      this.#retry(at)
    }
    client.on('error', gone)
    client.on('end', gone)
    let isGreeted = false
    client.once('connect', () => {
      isGreeted = true
    })
    try {
      await this.#servers.open(client, this.#settings, patienceMs)
    } catch (error) {
      if (!isGreeted || error instanceof UnfitServer) throw error
      isGone = true
    }
    if (isGone) return this.#retry(at) // it ended while it was being opened
    if (this.#closed) return endClient(client)
    this.#live[at] = this.#watch.add(line)
  }

  #retry(at: number): void {
    if (this.#closed) return
    setTimeout(() => {
      if (!this.#closed) this.#connect(at).catch(() => this.#retry(at))
    }, RECONNECT_MS).unref()
  }

  /** The least busy one, so that a waiting statement is in nobody else's way. */
  pick(): Connection {
    let best: Connection | null = null
    for (const line of this.#live) if (line && (!best || line.outstanding < best.outstanding)) best = line
    if (!best) throw new DatabaseAway('database away')
    this.#cork(best)
    return best
  }

  /**
   * Statements of one turn of the event loop go out in one write: a system call for each would cost more than the rest.
   */
  #cork(line: Connection): void {
    if (this.#corked.has(line)) return
    if (this.#corked.size === 0) setImmediate(() => this.#uncork())
    this.#corked.add(line)
    streamOf(line.client).cork()
  }

  #uncork(): void {
    for (const line of this.#corked) streamOf(line.client).uncork()
    this.#corked.clear()
  }

  async close(): Promise<void> {
    this.#closed = true
    const open = this.#live.splice(0)
    await Promise.all(open.map((line) => line && endClient(line.client as pg.Client)))
  }
}
