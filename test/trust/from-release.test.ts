// @module-tag thorough
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { send } from '../world/call.ts'
import { newAuthority } from '../world/certificates.ts'
import { type Run, runFyr } from '../world/command.ts'
import { freshDatabase } from '../world/database.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { Patient } from '../world/patient.ts'
import { startReceiver } from '../world/receiver.ts'
import { eventually } from '../world/webhook-scene.ts'
import type { World } from '../world/world.ts'
import { hasReleased, lastReleased, type Released } from './released.ts'
import { startTraffic } from './traffic.ts'

/** What is read of a session with its key, and stays the same in whichever version. */
const KEPT = ['', '/status', '/files', '/judgements', '/contact']
/** This version, from its sources as well. */
const SERVICE = 'src/main.ts'
const FYR = 'src/cli/main.ts'

/** What a version may tell in its own words. */
const TOLD = ['/summary', '/summary?language=sv', '/fhir', '/pdf']

describe.skipIf(!hasReleased())('from the version that was released last', () => {
  let released: Released
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let client: pg.Client
  let environment: Record<string, string>
  let clinic: { key: string; slug: string }
  const closing: (() => unknown)[] = []
  const nodes: Node[] = []

  const start = async (program = SERVICE): Promise<Node> => {
    const node = await spawnNode(environment, program)
    nodes.push(node)
    return node
  }
  const json = async <T>(program: string, ...args: string[]): Promise<T> => {
    const run: Run = await runFyr([...args, '--json'], environment, program)
    expect(run.code, run.err).toBe(0)
    return JSON.parse(run.out)
  }
  const world: Pick<World, 'sql'> = { sql: async (text, values = []) => (await client.query(text, values)).rows }

  beforeAll(async () => {
    released = lastReleased()
    database = await freshDatabase(inject('serverUrl'), 'template0')
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const authority = newAuthority()
    const receiver = await startReceiver(authority.issue(['localhost', '127.0.0.1']))
    closing.push(receiver.stop)
    environment = {
      DATABASE_URL: database.url,
      MASTER_KEY: randomBytes(32).toString('base64'),
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      WEBHOOK_CA_FILE: authority.caFile,
      REQUESTS_PER_SECOND_PER_KEY: '0',
      REQUESTS_PER_SECOND_PER_USER: '0',
      DRAIN_SECONDS: '1',
      PUBLIC_URL: 'https://triage.example.org',
    }
    await start(released.service)
    const { fyr } = released
    await json(fyr, 'account', 'create', '--name', 'My clinic')
    await json(fyr, 'configuration', 'create', '--slug', 'my-clinic', '--country', 'FI')
    const { key } = await json<{ key: string }>(fyr, 'key', 'issue', '--configuration', 'my-clinic')
    const url = `https://localhost:${receiver.port}/upgrade`
    const hook = ['webhook', 'set', '--configuration', 'my-clinic', '--url', url]
    const { secret } = await json<{ secret: string }>(fyr, ...hook)
    await receiver.expect('upgrade', secret)
    clinic = { key, slug: 'my-clinic' }
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
    await Promise.all(closing.map((close) => close()))
    await client.end()
    await database.drop()
    released.remove()
  })

  test('F31: one node after another is replaced under load, with both versions at work; no request fails, and everything kept is read as before', async () => {
    const [first] = nodes as [Node]
    const second = await start(released.service)
    const where = [first.url]
    const half = new Patient(where)
    await half.enterOpen(clinic.slug)
    await half.answerThrough({}, (_asked, { ledger }) => ledger.length >= 4)
    const whole = new Patient(first.url)
    await whole.enterOpen(clinic.slug)
    await whole.answerThrough({ matter: 'My throat hurts', complaints: ['sore-throat'] })
    expect((await whole.finish()).status).toBe(200)
    const before = await readOf(second.url, whole.now.sessionId)

    const upgrading = startTraffic({ world }, clinic, [first.url, second.url])
    await eventually(() => upgrading.acknowledged() > 50)
    const third = await start() // it brings its migrations
    const many = upgrading.acknowledged() + 100
    await eventually(() => upgrading.acknowledged() > many)
    await upgrading.endUnharmed()
    const beside = startTraffic({ world }, clinic, [second.url, third.url])
    expect(await first.stop()).toBe(0)
    const fourth = await start()
    await eventually(() => beside.acknowledged() > 100)
    await beside.endUnharmed()
    expect(await second.stop()).toBe(0)

    for (const { url } of [third, fourth]) expect(await readOf(url, whole.now.sessionId)).toEqual(before)
    where[0] = fourth.url
    await half.answerThrough({})
    expect((await half.finish()).status).toBe(200)
    for (const node of nodes) expect(node.log()).not.toContain('"internal error"')
    expect(await json<{ ok: boolean }[]>(FYR, 'audit', 'verify')).toEqual([
      expect.objectContaining({ ok: true }),
      expect.objectContaining({ ok: true }),
    ])
  })

  test('F31: the released version serves on what the new one has made of the database, until the new one is started again', async () => {
    const back = await start(released.service)
    const traffic = startTraffic({ world }, clinic, [back.url])
    await eventually(() => traffic.acknowledged() > 50)
    const again = await start()
    await traffic.endUnharmed()
    const patient = new Patient(again.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ issue_type: 'admin' })
    expect((await patient.finish()).status).toBe(200)
  })

  async function readOf(url: string, id: string): Promise<unknown[]> {
    const read = async (path: string) => send(`${url}/api/v1/session/${id}${path}`, 'GET', { key: clinic.key })
    for (const path of TOLD) expect((await read(path)).status, path).toBe(200)
    return Promise.all(
      KEPT.map(async (path) => {
        const { status, body } = await read(path)
        return { path, status, body }
      }),
    )
  }
})
