// @module-tag thorough
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { verifyChain } from '../../src/events/verify.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { send } from '../world/call.ts'
import { commandLine } from '../world/command.ts'
import { administer } from '../world/database.ts'
import { fillSessions } from '../world/many-sessions.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { type ClinicWithWebhook, eventually, newScene, type Scene } from '../world/webhook-scene.ts'
import { newWorld, type World } from '../world/world.ts'
import { journey } from './journey.ts'
import { type NextVersion, nextVersion } from './next-version.ts'
import { databasesOn, noDatabaseOn, printedKey } from './started.ts'
import { startTraffic } from './traffic.ts'

const INDEX = 'create index concurrently if not exists sessions_by_channel on sessions (account_id, channel)'
const CHANNEL = 'alter table sessions add column channel text'

/** What versions to come will need, each in a migration of its own. */
const KINDS = [
  `create table reminders (account_id uuid not null, session_id uuid not null, at timestamptz not null,
     primary key (account_id, session_id, at), foreign key (account_id, session_id) references sessions (account_id, id))`,
  CHANNEL,
  'alter table sessions add column priority smallint not null default 3',
  INDEX,
  'alter table sessions add constraint sessions_priority check (priority between 1 and 9) not valid',
  'alter table sessions validate constraint sessions_priority',
]
const HALF = 'create table reminders (id uuid);\nalter table sessions add column channel text;\n'
const FAILS = `${HALF}alter table sessions add column channel int`

const versions: NextVersion[] = []
function next(...texts: string[]): NextVersion {
  const version = nextVersion(texts)
  versions.push(version)
  return version
}
afterAll(() => {
  for (const version of versions) version.remove()
})

type Sql = Scene['world']['sql']

/** Every table, column, index and constraint, and which migrations are noted. */
const shapeOf = async (sql: Sql) => [
  await sql(
    `select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' order by 1, 2`,
  ),
  await sql(`select indexrelid::regclass::text as name, indisvalid from pg_index where indrelid > 16383 order by 1`),
  await sql('select conname, convalidated from pg_constraint where oid > 16383 order by conrelid, conname'),
  await sql('select name from migrations order by name'),
]

/** Somebody else's transaction that has read a table and stays open. */
async function openTransaction(url: string, text = 'select from sessions limit 1'): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url, application_name: 'psql' })
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  await client.query(text)
  return () => client.end()
}

/** Starts a node that is to be killed before it is ready. */
const startDoomed = (environment: Record<string, string>, { service }: NextVersion): ChildProcess =>
  spawn('node', [service], {
    env: { ...process.env, ...environment, PORT: '0', METRICS_PORT: '0', PROCESSES: '1' },
    stdio: 'ignore',
  })

describe('a migration', { tags: 'slice' }, () => {
  let world: World
  let before: unknown
  beforeAll(async () => {
    world = await newWorld()
    before = await shapeOf(world.sql)
  })
  afterAll(() => world.close())

  test('F31: that finds its table held gives up in its time and says who holds it; what comes meanwhile is served', async () => {
    const { key } = await world.clinic()
    const release = await openTransaction(world.databaseUrl)
    const given = migrate(world.databaseUrl, next(CHANNEL).migrations, 1_000).catch(String)
    const created = async () => (await send(`${world.url}/api/v1/session`, 'POST', { key })).status
    const statuses = new Set<number>()
    let isOver = false
    const creating = Array.from({ length: 12 }, async () => {
      while (!isOver) statuses.add(await created())
    })
    expect(await given).toMatch(
      /^Error: Migration 9000_further.sql was given up and undone\. A table that has to be changed was held for 1 seconds, .* process \d+ \(psql, idle in transaction\), since 20\d\d-.*Z\. Wait for its end/,
    )
    isOver = true
    await Promise.all(creating)
    expect([...statuses]).toEqual([201])
    expect(await shapeOf(world.sql)).toEqual(before)
    await release()
  })

  test('F31: that builds an index is not held up by who waits for their turn to migrate', async () => {
    const { migrations } = next('create index concurrently if not exists further on sessions (account_id, language)')
    const both = await Promise.all([migrations, migrations].map((one) => migrate(world.databaseUrl, one)))
    expect(both.flat()).toEqual(['9000_further.sql'])
    await world.sql('drop index further')
    await world.sql(`delete from migrations where name = '9000_further.sql'`)
    expect(await shapeOf(world.sql)).toEqual(before)
  })

  test('F32: whose third statement fails leaves the database as it was, and the corrected one applies', async () => {
    await expect(migrate(world.databaseUrl, next(FAILS).migrations)).rejects.toThrow(
      'Migration 9000_further.sql failed and was undone: column "channel" of relation "sessions" already exists',
    )
    expect(await shapeOf(world.sql)).toEqual(before)
    expect(await migrate(world.databaseUrl, next(HALF).migrations)).toEqual(['9000_further.sql'])
  })
})

describe('a new version, while the version before serves', () => {
  let scene: Scene
  let clinic: ClinicWithWebhook
  let old: Node
  const started: Node[] = []

  const start = async (version?: NextVersion): Promise<Node> => {
    const node = await spawnNode(scene.environment, version?.service)
    started.push(node)
    return node
  }
  const addressed = () => scene.world.databaseUrl

  beforeAll(async () => {
    scene = await newScene({ REQUESTS_PER_SECOND_PER_KEY: '0', REQUESTS_PER_SECOND_PER_USER: '0' })
    clinic = await scene.clinic('sweep')
    await fillSessions(scene.world.sql, await scene.world.clinic(), 20_000)
    old = await start()
  })
  afterEach(async () => {
    await scene.world.sql(`drop table if exists reminders`)
    await scene.world.sql('alter table sessions drop column if exists channel, drop column if exists priority')
    await scene.world.sql(`delete from migrations where name like '9%'`)
  })
  afterAll(async () => {
    await Promise.all(started.map((node) => node.stop('SIGKILL')))
    await scene.close()
  })

  test('F31: two nodes bring every kind of change at once; no request fails, nothing is lost, and both versions go on side by side', async () => {
    const version = next(...KINDS)
    const before = startTraffic(scene, clinic, [old.url])
    await eventually(() => before.acknowledged() > 50)
    const [one, other] = await Promise.all([start(version), start(version)])
    await before.endUnharmed()
    const noted = await scene.world.sql(`select name from migrations where name like '9%' order by name`)
    expect(noted.map(({ name }) => name)).toEqual(KINDS.map((_, at) => `${9000 + at}_further.sql`))
    const [, indexes] = await shapeOf(scene.world.sql)
    expect(indexes).toContainEqual({ name: 'sessions_by_channel', indisvalid: true })
    expect(await scene.world.sql('select priority, channel from sessions limit 1')).toEqual([
      { priority: 3, channel: null },
    ])

    const beside = startTraffic(scene, clinic, [old.url, one.url, other.url])
    const many = beside.acknowledged() + 100
    await eventually(() => beside.acknowledged() > many)
    await beside.endUnharmed()
    await old.stop()
    old = await start() // as after a new version that was taken back
    await journey(scene, clinic, { url: old.url, mayBreak: false })
    for (const node of [one, other, old]) expect(node.log()).not.toContain('"internal error"')
    await Promise.all([one.stop(), other.stop()])
    expect(await verifyChain(scene.world.app.core, clinic.accountId, [])).toMatchObject({ ok: true })
  })

  test('F31: a column more in every table changes no statement that the version before has prepared', async () => {
    const tables = await scene.world.sql(`select tablename from pg_tables where schemaname = 'public'`)
    const everywhere = (change: string) => tables.map(({ tablename }) => `alter table ${tablename} ${change}`)
    const walk = async () => {
      await journey(scene, clinic, { url: old.url, mayBreak: false }) // one after another: each on the connection of before
      for (const path of ['sessions', 'statistics', 'accessControl', 'accessControl/sessionCount'])
        expect((await send(`${old.url}/api/v1/${path}`, 'GET', { key: clinic.key })).status, path).toBe(200)
    }
    await walk()
    await migrate(addressed(), next(...everywhere('add column further text')).migrations)
    await walk()
    expect(old.log()).not.toMatch(/cached plan|"internal error"/)
    for (const change of everywhere('drop column further')) await scene.world.sql(change)
  })

  test('F31: while a transaction holds a table for long, its start is given up with a sentence after half a minute, and no request fails', async () => {
    const version = next(CHANNEL)
    const traffic = startTraffic(scene, clinic, [old.url])
    const release = await openTransaction(addressed())
    await expect(start(version)).rejects.toThrow(
      /given up and undone\. A table that has to be changed was held for 30 seconds.*psql, idle in transaction.* try again/,
    )
    const starting = start(version)
    await wait(3_000)
    await release()
    await (await starting).stop()
    await traffic.endUnharmed()
    expect(await scene.world.sql('select channel from sessions limit 1')).toEqual([{ channel: null }])
  })

  test('F31: an index waits for a long query without anybody queueing behind it, gives up, and leaves nothing half made', async () => {
    await migrate(addressed(), next(CHANNEL).migrations)
    const before = await shapeOf(scene.world.sql)
    const traffic = startTraffic(scene, clinic, [old.url])
    const release = await openTransaction(
      addressed(),
      'set transaction isolation level repeatable read; select from accounts limit 1',
    )
    await expect(migrate(addressed(), next(CHANNEL, INDEX).migrations, 3_000)).rejects.toThrow(
      /9001.*given up and undone\. .*psql/,
    )
    expect(await shapeOf(scene.world.sql)).toEqual(before)
    await release()
    expect(await migrate(addressed(), next(CHANNEL, INDEX).migrations)).toEqual(['9001_further.sql'])
    await traffic.endUnharmed()
  })

  test('F31: an operator gives the roles their rights again, and no request fails', async () => {
    const { fyr } = commandLine(() => scene.world)
    const prefix = `u${Date.now().toString(36)}`
    const traffic = startTraffic(scene, clinic, [old.url])
    await eventually(() => traffic.acknowledged() > 20)
    for (let time = 0; time < 3; time++)
      expect(await fyr('database', 'roles', '--prefix', prefix, '--apply')).toMatchObject({ code: 0, err: '' })
    await traffic.endUnharmed()
    for (const role of ['operator', 'service', 'clinic_admin', 'auditor']) {
      await scene.world.sql(`reassign owned by ${prefix}_${role} to current_user`)
      await scene.world.sql(`drop owned by ${prefix}_${role}`)
      await administer(addressed(), `drop role ${prefix}_${role}`)
    }
  })

  test('F32: a node killed half-way through a migration leaves the database as it was; the version before serves on, and the corrected one applies', async () => {
    const before = await shapeOf(scene.world.sql)
    const traffic = startTraffic(scene, clinic, [old.url])
    const doomed = startDoomed(
      scene.environment,
      next(`create table reminders (id uuid);\nselect pg_sleep(2);\n${CHANNEL}`),
    )
    await eventually(() => migrating('pg_sleep'))
    doomed.kill('SIGKILL')
    await eventually(async () => (await migrating('')) === false)
    expect(await shapeOf(scene.world.sql)).toEqual(before)
    await (await start(next(HALF))).stop()
    await traffic.endUnharmed()
    expect(await verifyChain(scene.world.app.core, clinic.accountId, [])).toMatchObject({ ok: true })
  })

  test('F32: an index whose node and connection are killed while it is built is dropped and built by the next start', async () => {
    await migrate(addressed(), next(CHANNEL).migrations)
    const traffic = startTraffic(scene, clinic, [old.url])
    const release = await openTransaction(addressed(), 'lock table sessions in row exclusive mode')
    const doomed = startDoomed(scene.environment, next(CHANNEL, INDEX))
    await eventually(() => migrating('create index'))
    doomed.kill('SIGKILL')
    await scene.world.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'fyr migrate'`,
    )
    await eventually(async () => (await migrating('')) === false)
    const halfMade = { name: 'sessions_by_channel', indisvalid: false }
    expect((await shapeOf(scene.world.sql))[1]).toContainEqual(halfMade)
    await release()
    await (await start(next(CHANNEL, INDEX))).stop()
    expect((await shapeOf(scene.world.sql))[1]).toContainEqual({ ...halfMade, indisvalid: true })
    await traffic.endUnharmed()
  })

  const migrating = async (what: string): Promise<boolean> =>
    (
      await scene.world.sql(
        `select from pg_stat_activity where datname = current_database() and application_name = 'fyr migrate' and query like $1`,
        [`%${what}%`],
      )
    ).length > 0
})

test('F32: on the embedded database a new version that fails or is killed half-way leaves it to the version before, and the corrected one goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-upgrade-'))
  const environment = { DATA_DIR: join(folder, 'data') }
  const serving = async (version?: NextVersion) => {
    const node = await spawnNode(environment, version?.service)
    if (id) expect((await send(`${node.url}/api/v1/session/${id}/status`, 'GET', { key })).status).toBe(200)
    return node
  }
  let id = ''
  let node = await serving()
  const key = await printedKey(node)
  id = ((await send(`${node.url}/api/v1/session`, 'POST', { key })).body as { sessionId: string }).sessionId
  await node.stop()

  await expect(spawnNode(environment, next(FAILS).service)).rejects.toThrow(/9000_further.sql failed and was undone/)
  await (await serving()).stop()

  const doomed = startDoomed(environment, next(`create table reminders (id uuid);\nselect pg_sleep(600);`))
  await eventually(() => databasesOn(environment.DATA_DIR).length > 0)
  await wait(3_000)
  doomed.kill('SIGKILL')
  expect(await noDatabaseOn(environment.DATA_DIR)).toBe(true)
  node = await serving()
  const version = next(...KINDS)
  const command = spawnSync('node', [version.fyr, 'status'], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
  expect(command).toMatchObject({ stderr: '', stdout: expect.stringContaining('alarms') })
  expect((await send(`${node.url}/api/v1/session`, 'POST', { key })).status).toBe(201)
  await node.stop()
  await (await serving(version)).stop()
  rmSync(folder, { recursive: true, force: true })
})
