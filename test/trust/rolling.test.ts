import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from '../world/call.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { Patient } from '../world/patient.ts'
import { freePort, newWorld, type World } from '../world/world.ts'
import { createSessions, lostOf } from './load.ts'

const isInstalled = spawnSync('haproxy', ['-v']).status === 0
if (!isInstalled)
  console.error('LEFT OUT: haproxy is not installed, so a rolling restart behind a proxy (F11) is not tested.')

const folder = mkdtempSync(join(tmpdir(), 'fyr-rolling-'))

/** As docs/operations.md says it: ready nodes only, and nothing is sent twice that was sent once. */
const configuration = (port: number, nodes: readonly number[]): string => `
global
  maxconn 1000
defaults
  mode http
  timeout connect 5s
  timeout client 40s
  timeout server 40s
  option redispatch
  retries 3
frontend triage
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk GET /readyz
  default-server check inter 500ms fall 2 rise 1
${nodes.map((node, at) => `  server node${at} 127.0.0.1:${node}`).join('\n')}
`

describe.skipIf(!isInstalled && process.env.CI !== 'true')('F11 three nodes behind a proxy', () => {
  let world: World
  let ports: number[]
  let nodes: Node[]
  let proxy: ReturnType<typeof spawn>
  let url: string

  const start = (port: number): Promise<Node> =>
    spawnNode({
      DATABASE_URL: world.databaseUrl,
      MASTER_KEY: world.masterKey.toString('base64'),
      REQUESTS_PER_SECOND_PER_KEY: '0',
      REQUESTS_PER_SECOND_PER_USER: '0',
      GRACE_SECONDS: '5',
      PORT: String(port),
    })

  beforeAll(async () => {
    world = await newWorld()
    ports = [await freePort(), await freePort(), await freePort()]
    nodes = await Promise.all(ports.map(start))
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const file = join(folder, 'haproxy.cfg')
    writeFileSync(file, configuration(port, ports))
    proxy = spawn('haproxy', ['-f', file, '-db'], { stdio: 'ignore' })
    while ((await send(`${url}/readyz`, 'GET').catch(() => null))?.status !== 200) await wait(100)
  })
  afterAll(async () => {
    proxy.kill('SIGKILL')
    await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
    await world.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('are restarted one after another under load, and no request fails', async () => {
    const clinic = await world.clinic()
    const patient = new Patient(url)
    await patient.enterOpen(clinic.slug)
    const loads = [false, true].map((keepAlive) =>
      createSessions(url, clinic.key, { clients: 5, pauseMs: 60, keepAlive }),
    )
    for (const [at, port] of ports.entries()) {
      expect(await nodes[at]?.stop('SIGTERM')).toBe(0)
      nodes[at] = await start(port)
      await wait(2_000) // until the proxy has seen that it is ready
      expect((await patient.look()).status).toBe(200)
    }
    for (const load of loads) {
      await load.stop()
      expect(load.failures).toEqual([])
      expect([...load.statuses.keys()]).toEqual([201])
      expect(load.acknowledged.length).toBeGreaterThan(100)
      expect(await lostOf(url, clinic.key, load.acknowledged)).toEqual([])
    }
    await patient.answerThrough({}, (_asked, { ledger }) => ledger.length >= 3)
    expect(patient.now.ledger.length).toBeGreaterThanOrEqual(3)
  }, 300_000)
})
