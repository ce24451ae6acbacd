// @module-tag thorough
import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SERVICE } from '../world/bundle.ts'
import { callerTo, expectProblem } from '../world/call.ts'
import { freePort } from '../world/ports.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

const started: ChildProcess[] = []
let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await world.close()
})

type Lonely = { url: string; metrics: () => Promise<string>; child: ChildProcess; ended: Promise<number | null> }

/** A node whose standard output is what the test makes of it, with a line for every request. */
async function nodeWriting(to: 'pipe' | number): Promise<Lonely> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const child = spawn('node', [SERVICE], {
    env: {
      ...process.env,
      LOG_LEVEL: 'debug',
      PROCESSES: '1',
      DATABASE_URL: world.databaseUrl,
      MASTER_KEY: world.masterKey.toString('base64'),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      REQUESTS_PER_SECOND_PER_KEY: '0',
      npm_lifecycle_event: '',
    },
    stdio: ['ignore', to, 'inherit'],
  })
  started.push(child)
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; ; attempt++) {
    if (child.exitCode !== null || attempt > 4_000) throw new Error('The node did not start.')
    if (
      await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break
    await wait(50)
  }
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return { url, metrics, child, ended }
}

const droppedIn = (text: string): number => Number(/^fyr_log_lines_dropped_total (\d+)/m.exec(text)?.[1])
const residentIn = (text: string): number => Number(/^fyr_process_resident_memory_bytes (\S+)/m.exec(text)?.[1])

/** So many requests, each with a line in the log; all of them must be answered. */
async function ask({ url }: Lonely, count: number): Promise<void> {
  const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
  for (let at = 0; at < count; at += 50) {
    const replies = await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/healthz`, { headers })))
    for (const { status } of replies) expect(status).toBe(200)
  }
}

test('F38 a log that nobody reads holds up no request and no memory; what it loses is counted, and the node ends in order', async () => {
  const node = await nodeWriting('pipe')
  node.child.stdout?.pause()
  await ask(node, 2_000)
  const before = residentIn(await node.metrics())
  await vi.waitFor(
    async () => {
      await ask(node, 1_000)
      expect(droppedIn(await node.metrics())).toBeGreaterThan(1_000)
    },
    { timeout: 120_000, interval: 10 },
  )
  expect(residentIn(await node.metrics()) - before).toBeLessThan(100_000_000)
  node.child.kill('SIGTERM')
  expect(await node.ended).toBe(0)
})

test.runIf(process.platform === 'linux')(
  'F38 a reader that goes away, or a full disk, costs lines and nothing else',
  async () => {
    const [left, full] = [await nodeWriting('pipe'), await nodeWriting(openSync('/dev/full', 'w'))]
    left.child.stdout?.destroy()
    for (const node of [left, full]) {
      await ask(node, 200)
      expect(droppedIn(await node.metrics())).toBeGreaterThan(100)
      expect((await fetch(`${node.url}/readyz`)).status).toBe(200)
      node.child.kill('SIGTERM')
      expect(await node.ended).toBe(0)
    }
  },
)

test('F38 whoever asks for metrics and does not read them holds up nobody', { tags: 'slice' }, async () => {
  const { port } = new URL(world.metricsUrl)
  const sockets = Array.from({ length: 50 }, () => {
    const socket = connect(Number(port), '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n')
    return socket
  })
  const call = callerTo(world)
  for (let at = 0; at < 20; at++) expect((await call('POST', '/api/v1/session', { key: clinic.key })).status).toBe(201)
  expect((await fetch(world.metricsUrl)).status).toBe(200)
  for (const socket of sockets) socket.destroy()
})

test('F38 with the audit log blocked nothing is read: the refusal holds no data, and status, which is no health data, goes on', {
  tags: 'slice',
}, async () => {
  const call = callerTo(world)
  const { body } = await call('POST', '/api/v1/session', { key: clinic.key, json: { text: 'A matter of mine' } })
  const { sessionId } = body as { sessionId: string }
  await world.sql('begin')
  await world.sql('lock table audit_entries in share mode')
  const reads = ['', '/summary', '/files', '/pdf', '/fhir', '/judgements', '/decisionSupportLink?auditUserIdentifier=x']
  const replies = await Promise.all(
    reads.map((rest) => call('GET', `/api/v1/session/${sessionId}${rest}`, { key: clinic.key })),
  )
  expect((await call('GET', `/api/v1/session/${sessionId}/status`, { key: clinic.key })).status).toBe(200)
  await world.sql('rollback')
  for (const reply of replies) {
    expectProblem(reply, 503, 'overloaded')
    expect(reply.text).not.toContain('A matter of mine')
  }
  expect((await call('GET', `/api/v1/session/${sessionId}`, { key: clinic.key })).status).toBe(200)
})
