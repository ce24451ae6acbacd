// @module-tag thorough
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refuseSharedSessions } from '../../src/store/connections/own-session.ts'
import { asOrdinaryUser } from '../../src/store/database/cluster.ts'
import { spawnNode } from '../world/nodes.ts'
import { Patient } from '../world/patient.ts'
import { freePort } from '../world/ports.ts'
import { isReachable } from '../world/reachable.ts'
import { newWorld, type World } from '../world/world.ts'
import { startRefused } from './started.ts'

const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0
if (!isInstalled)
  console.error('LEFT OUT: pgbouncer is not installed, so that a pooler of transactions is refused is not tested.')

const folder = mkdtempSync(join(tmpdir(), 'fyr-pooler-'))
const running: ReturnType<typeof spawn>[] = []
let world: World

const SENTENCE = /^The database is reached through a pooler .* set pool_mode = session .* Nothing was changed\.$/

type Mode = 'session' | 'transaction' | 'statement'

/** PgBouncer as Debian installs it, with nothing but its mode chosen; its address of the world's database. */
async function pooler(mode: Mode, more = ''): Promise<string> {
  const port = await freePort()
  const { host, port: serverPort, user, password, database } = new pg.Client({ connectionString: world.databaseUrl })
  const file = join(folder, `${mode}-${port}.ini`)
  writeFileSync(
    file,
    `[databases]
${database} = host=${host} port=${serverPort} user=${user}${password ? ` password=${password}` : ''}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
${more}
`,
  )
  const [command = '', ...args] = asOrdinaryUser(['pgbouncer', '--quiet', file])
  running.push(spawn(command, args, { stdio: 'ignore' }))
  const url = `postgres://${user}@127.0.0.1:${port}/${database}`
  await expect.poll(() => isReachable(url), { timeout: 20_000 }).toBe(true)
  return url
}

describe.skipIf(!isInstalled && process.env.CI !== 'true')('a pooler before the database', () => {
  beforeAll(async () => {
    world = await newWorld()
  })
  afterAll(async () => {
    for (const one of running) one.kill('SIGKILL')
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const keys = () => ({ MASTER_KEY: world.masterKey.toString('base64') })
  const locks = () =>
    world.sql(
      `select pid from pg_locks where locktype = 'advisory' and granted and pid <> pg_backend_pid()
         and database = (select oid from pg_database where datname = current_database())`,
    )

  test('that pools by transaction is refused by the service in one sentence, and nothing is left behind', async () => {
    const url = await pooler('transaction')
    const before = await locks()
    const { code, words } = await startRefused({ DATABASE_URL: url, ...keys() })
    expect(code).toBe(1)
    expect(words.trim()).toMatch(SENTENCE)
    expect(await locks()).toEqual(before) // none that whoever is given the server's session next would hold
  })

  test.each([
    ['transaction', 'server_round_robin = 1'],
    ['transaction', 'ignore_startup_parameters = statement_timeout,lock_timeout,options'],
    ['statement', ''],
  ] as const)('that pools by %s (%s) is told by what it does', async (mode, more) => {
    await expect(refuseSharedSessions(await pooler(mode, more))).rejects.toThrow(SENTENCE)
  })

  test('that pools by transaction is told while others use it', { tags: 'slice' }, async () => {
    const url = await pooler('transaction')
    const others = Array.from({ length: 6 }, () => new pg.Client({ connectionString: url }))
    await Promise.all(others.map((other) => other.connect()))
    let isOver = false
    const busy = others.map(async (other) => {
      while (!isOver) await other.query('select 1')
    })
    await expect(refuseSharedSessions(url)).rejects.toThrow(SENTENCE)
    isOver = true
    await Promise.all(busy)
    await Promise.all(others.map((other) => other.end()))
  })

  test('that keeps a session for its connection serves as the database itself does', async () => {
    const url = await pooler('session', 'default_pool_size = 60')
    const clinic = await world.clinic()
    const node = await spawnNode({ DATABASE_URL: url, ...keys() })
    try {
      const patient = new Patient(node.url)
      await patient.enterOpen(clinic.slug)
      await patient.answerThrough({}, (_asked, { ledger }) => ledger.length >= 3)
      expect(patient.now.ledger.length).toBeGreaterThanOrEqual(3)
    } finally {
      expect(await node.stop()).toBe(0)
    }
  })
})
