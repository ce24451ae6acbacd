import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepHouse } from '../../src/session/upkeep/housekeeping.ts'
import { DatabaseAway, sql } from '../../src/store/database/db.ts'
import { openPostgres } from '../../src/store/database/postgres.ts'
import { callerTo } from '../world/call.ts'
import { spawnNode } from '../world/nodes.ts'
import { newWorld, type World } from '../world/world.ts'
import { createSessions, lostOf } from './load.ts'
import { shakyProxy } from './shaky-proxy.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

const HOUSEKEEPING_LOCK = 0x46_59_52_04

/** Does something while noting what would have ended the process. */
async function uncaughtDuring(work: () => Promise<void>): Promise<unknown[]> {
  const uncaught: unknown[] = []
  const note = (error: unknown) => uncaught.push(error)
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', note)
  try {
    await work()
    await wait(100)
  } finally {
    process.off('uncaughtException', note)
    for (const other of others) process.on('uncaughtException', other)
  }
  return uncaught
}

describe('connections that die', () => {
  test('F05 when every connection is cut under load requests are answered or are 503, never 500, and nothing acknowledged is lost', async () => {
    const clinics = [await world.clinic(), await world.clinic()]
    const environment = { DATABASE_URL: world.databaseUrl, MASTER_KEY: world.masterKey.toString('base64') }
    const node = await spawnNode({ ...environment, REQUESTS_PER_SECOND_PER_KEY: '0' })
    const loads = clinics.map(({ key }) => createSessions(node.url, key))
    const more = async () => {
      const before = loads.map(({ acknowledged }) => acknowledged.length)
      const grown = () => loads.every(({ acknowledged }, at) => acknowledged.length > (before[at] ?? 0) + 10)
      await expect.poll(grown, { timeout: 20_000 }).toBe(true)
    }
    for (let time = 0; time < 3; time++) {
      await more()
      const cut = await world.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
      expect(cut.length).toBeGreaterThan(1)
    }
    await more()
    for (const load of loads) await load.stop()
    for (const [at, { statuses, refusals, failures, acknowledged }] of loads.entries()) {
      expect(failures).toEqual([])
      expect([...statuses.keys()].filter((status) => status !== 201 && status !== 503)).toEqual([])
      for (const { headers } of refusals) expect(headers['retry-after']).toMatch(/^\d+$/)
      const { key = '', configurationId } = clinics[at] ?? {}
      expect(await lostOf(node.url, key, acknowledged)).toEqual([])
      const own = await world.sql('select id from sessions where configuration_id = $1', [configurationId])
      expect(own.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged)) // each in its own account
    }
    expect(await node.stop()).toBe(0)
  })

  test('F05 one that dies in the middle of a transaction fails that transaction, never the process', async () => {
    const { db } = world.app.core
    const uncaught = await uncaughtDuring(async () => {
      const cut = db.transaction(async (tx) => {
        const [row] = await tx.query<{ pid: number }>(sql('own_pid', 'select pg_backend_pid() as pid'))
        await world.sql('select pg_terminate_backend($1)', [row?.pid])
        await wait(300) // as long as other connections work meanwhile
        await tx.query(sql('one', 'select 1'))
      })
      await expect(cut).rejects.toBeInstanceOf(DatabaseAway)
    })
    expect(uncaught).toEqual([])
    expect(await db.transaction((tx) => tx.query(sql('two', 'select 2 as n')))).toEqual([{ n: 2 }])
  })

  test('F05 a node whose turn at housekeeping is cut off lives on, and the next round is done', async () => {
    await world.clinic()
    await world.sql('begin')
    await world.sql('lock table link_tokens in access exclusive mode')
    const uncaught = await uncaughtDuring(async () => {
      const round = keepHouse(world.app.core).catch((error: unknown) => error)
      const holder = await pidOfTurn()
      await world.sql('select pg_terminate_backend($1)', [holder])
      await wait(100)
      await world.sql('commit')
      await round
    })
    expect(uncaught).toEqual([])
    expect(await keepHouse(world.app.core)).not.toBeNull()
  })

  test('housekeeping keeps no transaction open while it works', async () => {
    await world.sql('begin')
    await world.sql('lock table link_tokens in access exclusive mode')
    const round = keepHouse(world.app.core).catch((error: unknown) => error)
    const holder = await pidOfTurn()
    const [row] = await world.sql('select state from pg_stat_activity where pid = $1', [holder])
    await world.sql('commit')
    await round
    expect(row?.state).toBe('idle')
  })

  test('a connection that dies in the moment it was made is replaced, not kept', async () => {
    const proxy = await shakyProxy(world.databaseUrl)
    const db = await openPostgres(proxy.url, 2)
    try {
      const asked = async () => {
        const answers = await Promise.all(
          Array.from({ length: 24 }, () =>
            db.query(sql('one', 'select 1')).then(
              () => true,
              () => false,
            ),
          ),
        )
        return answers.every(Boolean)
      }
      expect(proxy.broken()).toBeGreaterThan(0)
      await expect.poll(asked, { timeout: 20_000 }).toBe(true)
      for (let round = 0; round < 10; round++) expect(await asked()).toBe(true)
    } finally {
      await db.close()
      await proxy.close()
    }
  })
})

describe('statements that fail together', () => {
  test('what relied on a statement that could not be prepared fails for the same reason, not for one of its own', async () => {
    const { db } = world.app.core
    const missing = sql('of_nothing', 'select * from no_such_table')
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => db.query(missing)))
    const codes = results.map((one) => (one.status === 'rejected' ? one.reason.code : 'fulfilled'))
    expect(codes).toEqual(Array.from({ length: 12 }, () => '42P01'))
  })
})

/** Throws where nobody catches, when it is told to. */
const FAULTY = `data:text/javascript,${encodeURIComponent(
  `process.on('SIGUSR2', () => { throw new TypeError('the words of a patient') })
   process.on('SIGWINCH', () => { Promise.reject(new RangeError('the words of a patient')) })`,
)}`

describe('what nobody caught', () => {
  test.each([
    ['SIGUSR2', 'TypeError'],
    ['SIGWINCH', 'RangeError'],
  ] as const)(
    'F36 ends the node in order after %s, for its supervisor to start anew, and says no more than its name',
    { tags: 'thorough' },
    async (signal, name) => {
      const { key } = await world.clinic()
      const node = await spawnNode({
        DATABASE_URL: world.databaseUrl,
        MASTER_KEY: world.masterKey.toString('base64'),
        NODE_OPTIONS: `--import ${FAULTY}`,
      })
      await world.sql('begin')
      await world.sql('lock table sessions in access exclusive mode')
      const running = callerTo({ ...world, url: node.url })('POST', '/api/v1/session', { key })
      await wait(200)
      const ended = node.stop(signal)
      await wait(200)
      await world.sql('commit')
      expect((await running).status).toBe(201)
      expect(await ended).toBe(1)
      expect(node.log()).toContain(`"name":"${name}"`)
      expect(node.log()).not.toContain('the words of a patient')
    },
  )
})

async function pidOfTurn(): Promise<unknown> {
  let pid: unknown
  await expect
    .poll(
      async () => {
        const [row] = await world.sql(
          `select pid from pg_locks where locktype = 'advisory' and objid = $1 and granted
             and database = (select oid from pg_database where datname = current_database())`,
          [HOUSEKEEPING_LOCK],
        )
        pid = row?.pid
        return pid
      },
      { timeout: 20_000 },
    )
    .toBeTruthy()
  return pid
}
