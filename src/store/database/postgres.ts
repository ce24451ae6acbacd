import pg from 'pg'
import { Connection, endClient, liftTimeouts, START_PATIENCE_MS, Watch } from '../connections/connection.ts'
import { ListConnections } from '../connections/list-connections.ts'
import { PipelinedConnections, RECONNECT_MS } from '../connections/pipelined-connections.ts'
import { PooledConnections } from '../connections/pooled-connections.ts'
import { ServerClient, Servers } from '../connections/servers.ts'
import {
  BEGIN,
  COMMIT,
  type Database,
  type Db,
  type Statement,
  StatementTimeout,
  type Step,
  sql,
  translated,
  Unprepared,
} from './db.ts'
import { type RoomOptions, withRoom } from './room.ts'

const READ_PIPES = 3
const WRITE_PIPES = 4
const LIMITS = { statement_timeout: '4500ms', lock_timeout: '3s', idle_in_transaction_session_timeout: '10s' }
/** On a pipelined connection others wait behind a waiting statement, so it gives up soon and is retried elsewhere. */
const PIPE_LOCK_TIMEOUT = '300ms'
/** Pipelined statements look everything up by key. A planner without statistics would rather read whole tables. */
const BY_KEY = { enable_hashjoin: 'off', enable_mergejoin: 'off', enable_seqscan: 'off' }
const HEARTBEAT_MS = 2_000
const MOST_ATTEMPTS = 5

const PING = sql('ping', 'select 1')
/** A node may be held for long with its connections open (a paused machine): a turn ends when its holder gives no sign of life. */
const TAKE_TURN = sql(
  'turn_take',
  `select taken, set_config('idle_session_timeout', case when taken then '15s' else '0' end, false)
   from (select pg_try_advisory_lock($1) as taken offset 0) tried`,
)
const GIVE_TURN = sql('turn_give', `select pg_advisory_unlock($1), set_config('idle_session_timeout', '0', false)`)

/** Whether the database answers. */
export const ping = (db: Db): Promise<unknown> => db.query(PING)

/** Opens PostgreSQL, embedded or remote: they are the same thing behind the same methods. */
export async function openPostgres(
  database: string | Servers,
  connections: number,
  room: RoomOptions = {},
): Promise<Database> {
  const servers = Servers.at(database)
  const config: pg.ClientConfig = { application_name: 'fyr', keepAlive: true }
  const watch = new Watch()
  const piped = { ...LIMITS, lock_timeout: PIPE_LOCK_TIMEOUT, ...BY_KEY }
  const pipes = () => new PipelinedConnections(servers, config, piped, watch)
  const [reads, writes] = [pipes(), pipes()]
  const pool = new PooledConnections(servers, config, LIMITS, connections, watch)
  const lists = new ListConnections(servers, config, LIMITS, watch)
  await Promise.all([reads.open(READ_PIPES), writes.open(WRITE_PIPES)])
  const mostApart = Math.max(1, connections - 2)
  let nowApart = 0

  const transaction = <T>(work: (tx: Db) => Promise<T>): Promise<T> => pool.transaction(work)

  async function waitingTransaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    if (nowApart >= mostApart) throw new StatementTimeout('locked')
    nowApart++
    try {
      return await transaction(work)
    } finally {
      nowApart--
    }
  }

  /** Held by the connection, not by a transaction: one that stays open would hold back vacuum. */
  function exclusively<T>(turn: number, work: () => Promise<T>): Promise<T | null> {
    return pool.lend(async (line) => {
      const [row] = await line.run<{ taken: boolean }>(TAKE_TURN, [turn])
      if (!row?.taken) return null
      const signs = setInterval(() => line.run(PING).catch(() => {}), HEARTBEAT_MS)
      try {
        return await work()
      } finally {
        clearInterval(signs)
        await line.run(GIVE_TURN, [turn]).catch(() => line.cut()) // the turn ends with its connection
      }
    })
  }

  async function query<Row>(statement: Statement, values?: unknown[]): Promise<Row[]> {
    try {
      return await prepared(() => reads.pick().run<Row>(statement, values))
    } catch (error) {
      if (error instanceof StatementTimeout && error.why === 'locked')
        return waitingTransaction((tx) => tx.query<Row>(statement, values))
      throw error
    }
  }

  const batch = (steps: readonly Step[]): Promise<Record<string, unknown>[][]> =>
    prepared(() => sendBatch(writes.pick(), steps))

  async function apart<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new ServerClient({ ...config, application_name: 'fyr apart', servers })
    try {
      await servers.open(client, {}, START_PATIENCE_MS)
      await liftTimeouts(client)
      return await work(client)
    } catch (error) {
      throw translated(error)
    } finally {
      await endClient(client)
    }
  }

  const listeners = new Set<Connection>()
  let closed = false

  async function listen(channel: string, hear: (payload: string) => void, onGap?: () => void): Promise<void> {
    const client = new ServerClient({ ...config, servers })
    const line = new Connection(client)
    const again = () => {
      if (!listeners.delete(line)) return
      watch.remove(line)
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
    await servers.open(client, { ...LIMITS, statement_timeout: '0' }, START_PATIENCE_MS)
    listeners.add(watch.add(line))
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    if (closed) await endClient(client)
  }

  /** Nothing is ever sent on a listening connection, so its silence would go unnoticed. */
  const heartbeat = setInterval(() => {
    for (const line of listeners) if (line.outstanding === 0) line.run(PING).catch(() => {})
  }, HEARTBEAT_MS).unref()

  const opened: Database = {
    query,
    transaction,
    waitingTransaction: waitingTransaction,
    exclusively: exclusively,
    batch,
    lists: (accountId) => lists.of(accountId),
    listen,
    apart,
    isFull: () => false,
    close: async () => {
      closed = true
      clearInterval(heartbeat)
      const heard = [...listeners].map(({ client }) => endClient(client as pg.Client))
      listeners.clear()
      await Promise.all([reads.close(), writes.close(), pool.close(), lists.close(), ...heard])
      watch.stop()
    },
  }
  return withRoom(opened, room)
}

/**
 * All steps are queued together, so that nothing else can come between BEGIN and COMMIT on this connection. A statement
 * alone is a transaction by itself: with the two around it, it would cost twice as much here and there.
 */
async function sendBatch(line: Connection, steps: readonly Step[]): Promise<Record<string, unknown>[][]> {
  const [only] = steps
  if (only && steps.length === 1) return [await sendAlone(line, only)]
  const all = [[BEGIN, []] as const, ...steps, [COMMIT, []] as const].map(([statement, values]) =>
    line.run<Record<string, unknown>>(statement, [...values]),
  )
  const settled = await Promise.allSettled(all)
  const failed = settled.findIndex((one) => one.status === 'rejected')
  const fault = settled[failed]
  if (fault?.status === 'rejected')
    throw fault.reason instanceof Error ? Object.assign(fault.reason, { step: failed - 1 }) : fault.reason
  return settled.slice(1, -1).map((one) => (one.status === 'fulfilled' ? one.value : []))
}

async function sendAlone(line: Connection, [statement, values]: Step): Promise<Record<string, unknown>[]> {
  try {
    return await line.run<Record<string, unknown>>(statement, [...values])
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { step: 0 }) : error
  }
}

/** Statements that failed only because an earlier one did are sent again: nothing of them has run. */
async function prepared<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof Unprepared)) throw error
      if (attempt >= MOST_ATTEMPTS) throw new StatementTimeout('slow', { cause: error })
    }
  }
}
