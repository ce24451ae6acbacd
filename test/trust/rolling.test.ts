// @module-tag thorough
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Node, spawnNode } from '../world/nodes.ts'
import { Patient } from '../world/patient.ts'
import { freePort } from '../world/ports.ts'
import { newWorld, type World } from '../world/world.ts'
import { hasHaproxy, startHaproxy } from './haproxy.ts'
import { createSessions, lostOf } from './load.ts'

const isInstalled = hasHaproxy('a rolling restart behind a proxy (F11)')

describe.skipIf(!isInstalled && process.env.CI !== 'true')('F11 three nodes behind a proxy', () => {
  let world: World
  let ports: number[]
  let nodes: Node[]
  let proxy: Awaited<ReturnType<typeof startHaproxy>>
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
    proxy = await startHaproxy(ports)
    url = proxy.url
  })
  afterAll(async () => {
    proxy.stop()
    await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
    await world.close()
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
