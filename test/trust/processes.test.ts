// @module-tag thorough
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configurationOf } from '../../src/account/provision.ts'
import { processesFor, processesWithin, shareOfConnections } from '../../src/main/processes.ts'
import { activate, placeOf } from '../../src/session/content/activate.ts'
import { DEPLOYMENT } from '../../src/store/accounts.ts'
import { findActivation } from '../../src/store/content/activations.ts'
import { send } from '../world/call.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { freePort } from '../world/ports.ts'
import { newWorld, type World } from '../world/world.ts'
import { childrenOf, noDatabaseOn, startRefused } from './started.ts'

const GIB = 1024 ** 3

let world: World
let environment: Record<string, string>
beforeAll(async () => {
  world = await newWorld({ WEBHOOK_CONCURRENCY: '0' })
  environment = {
    DATABASE_URL: world.databaseUrl,
    MASTER_KEY: world.masterKey.toString('base64'),
    REQUESTS_PER_SECOND_PER_KEY: '0',
    PROCESSES: '2',
  }
})
afterAll(() => world.close())

const figure = async ({ metricsPort }: Node, name: string): Promise<number> => {
  const text = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(
    (reply) => reply.text(),
    () => '',
  )
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}
const bothServe = (node: Node) => expect.poll(() => figure(node, 'fyr_processes'), { timeout: 60_000 }).toBe(2)

/** Creates sessions one after the other until told to stop; what was acknowledged, and how often nobody answered. */
function creating(url: string, key: string) {
  const made: string[] = []
  let [unanswered, isOver] = [0, false]
  const run = async () => {
    while (!isOver) {
      const reply = await send(`${url}/api/v1/session`, 'POST', { key }).catch(() => null)
      if (!reply) unanswered++
      else if (reply.status === 201) made.push((reply.body as { sessionId: string }).sessionId)
      else expect(reply.status).toBe(503)
    }
  }
  const running = Promise.all([run(), run(), run(), run()])
  return {
    made,
    unanswered: () => unanswered,
    end: async () => {
      isOver = true
      await running
    },
  }
}

test('F03 of two processes one is killed: requests go on, it is started again, and nothing acknowledged is lost', async () => {
  const { key, accountId } = await world.clinic()
  const node = await spawnNode(environment)
  await bothServe(node)
  const pids = childrenOf(node.process.pid ?? 0)
  expect(pids).toHaveLength(2)
  const work = creating(node.url, key)
  await expect.poll(() => work.made.length).toBeGreaterThan(20)

  process.kill(pids[0] ?? 0, 'SIGKILL')
  const before = work.made.length
  await expect.poll(() => work.made.length, { timeout: 20_000 }).toBeGreaterThan(before + 20)
  await expect.poll(() => figure(node, 'fyr_process_restarts_total'), { timeout: 60_000 }).toBe(1)
  await bothServe(node)
  expect(node.log()).toMatch(/"how":"ended by SIGKILL","waitMs":0,"msg":"a process ended; it is started again"/)
  expect(work.unanswered()).toBeLessThanOrEqual(4) // those that the killed process was working on

  const toldAt = performance.now()
  const ended = node.stop('SIGTERM')
  expect(await ended).toBe(0)
  expect(performance.now() - toldAt).toBeLessThan(30_000)
  await work.end()
  expect(pids.concat(childrenOf(node.process.pid ?? 0)).filter(isAlive)).toEqual([])
  const rows = await world.sql('select id from sessions where account_id = $1', [accountId])
  const kept = new Set(rows.map(({ id }) => id))
  expect(work.made.filter((id) => !kept.has(id))).toEqual([])
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('on one page the metrics tell of every process, and log lines are whole and say whose they are', async () => {
  const node = await spawnNode({ ...environment, LOG_LEVEL: 'debug', GRACE_SECONDS: '20', DRAIN_SECONDS: '5' })
  await bothServe(node)
  await Promise.all(Array.from({ length: 200 }, () => send(`${node.url}/healthz`, 'GET')))
  const text = await (await fetch(`http://127.0.0.1:${node.metricsPort}/metrics`)).text()
  for (const number of [1, 2])
    expect(text).toMatch(new RegExp(`^fyr_http_request_seconds_count\\{.*process="${number}"\\} \\d+$`, 'm'))
  for (const line of node.log().trim().split('\n')) expect(() => JSON.parse(line), line).not.toThrow()
  expect(node.log()).toMatch(/"process":1,.*"listening"/)
  expect(node.log()).toMatch(/"process":2,.*"listening"/)

  // A signal to the whole group, as systemd and a terminal send it, is one telling: the grace is kept.
  const ended = node.stop('SIGTERM')
  for (const pid of childrenOf(node.process.pid ?? 0)) process.kill(pid, 'SIGTERM')
  for (let look = 0; look < 6; look++) {
    await expect.poll(async () => (await send(`${node.url}/readyz`, 'GET')).status).toBe(503)
    expect((await send(`${node.url}/healthz`, 'GET')).status).toBe(200)
  }
  node.process.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('what content new sessions begin with is said once for the service, at its start and after each activation', async () => {
  const { core } = world.app
  const { version: own = '' } = (await findActivation(core.db, DEPLOYMENT, DEPLOYMENT)) ?? {}
  const { slug } = await world.clinic()
  const node = await spawnNode({ ...environment, LOG_LEVEL: 'debug' })
  await bothServe(node)
  await activate(core, placeOf(await configurationOf(core, slug)), own, 'test')
  const said = (level: number) =>
    node.log().match(new RegExp(`"level":${level},.*new sessions (of this configuration )?begin with`, 'g'))?.length
  await expect.poll(() => said(20)).toBe(2) // the other process knows it too
  expect(said(30)).toBe(2)
  expect(await node.stop()).toBe(0)
})

test('an embedded database is started once for all, greeted for once, and ends with a supervisor that is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-processes-'))
  try {
    const first = await spawnNode({ DATA_DIR: folder, PROCESSES: '2' })
    await bothServe(first)
    expect(first.log().match(/Fyr is ready, with a demo clinic/g)).toHaveLength(1)
    expect(await first.stop('SIGTERM')).toBe(0)
    expect(await noDatabaseOn(folder)).toBe(true)

    const second = await spawnNode({ DATA_DIR: folder, PROCESSES: '2' })
    await expect.poll(second.log).toContain('Fyr answers at')
    const pids = childrenOf(second.process.pid ?? 0)
    await second.stop('SIGKILL')
    await expect.poll(() => pids.filter(isAlive), { timeout: 20_000 }).toEqual([])
    expect(await noDatabaseOn(folder)).toBe(true)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('what keeps the first process from serving is said once, and all end with 1', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  const { code, words } = await startRefused({ ...environment }, port)
  other.close()
  expect(code).toBe(1)
  expect(words.match(/Port \d+ is taken/g)).toHaveLength(1)
})

test('a database that cannot be reached is one sentence: the process that was begun meanwhile says nothing', async () => {
  const { code, words } = await startRefused({ ...environment, DATABASE_URL: 'postgres://fyr:x@localhost:1/x' })
  expect(code).toBe(1)
  expect(words.trim().split('\n')).toEqual([expect.stringMatching(/^The database cannot be reached: /)])
})

describe('how many processes', () => {
  const absent = { PROCESSES: null, DATABASE_CONNECTIONS: 10 }

  test('one for each core, as far as the memory reaches; what was asked for is not changed', { tags: 'slice' }, () => {
    expect(processesFor(absent, { cores: 8, memoryBytes: 32 * GIB })).toBe(8)
    expect(processesFor(absent, { cores: 8, memoryBytes: 3 * GIB })).toBe(3)
    expect(processesFor(absent, { cores: 4, memoryBytes: 0.5 * GIB })).toBe(1)
    expect(processesFor({ PROCESSES: 5 }, { cores: 2, memoryBytes: GIB })).toBe(5)
  })

  test('half of the database’s connections are left to others, and DATABASE_CONNECTIONS is shared out', () => {
    expect(processesWithin(absent, 8, 500)).toBe(8)
    expect(processesWithin(absent, 8, 100)).toBe(2)
    expect(processesWithin(absent, 8, 20)).toBe(1)
    expect(processesWithin({ ...absent, PROCESSES: 8 }, 8, 20)).toBe(8)
    expect([1, 2, 8].map((processes) => shareOfConnections(10, processes))).toEqual([10, 5, 4])
  })
})
