// @module-tag thorough
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDeliverer } from '../../src/events/delivery/deliverer.ts'
import { newLogger } from '../../src/log.ts'
import { readSettings } from '../../src/settings.ts'
import { send } from '../world/call.ts'
import { brokenInvariants } from '../world/invariants.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import {
  answeredSession,
  type ClinicWithWebhook,
  eventually,
  newScene,
  passTheWait,
  type Scene,
} from '../world/webhook-scene.ts'
import { expectNothingLost, insistentPatients } from './insistent.ts'

describe('a node that is paused, its connections open, and goes on later as if no time had passed', () => {
  let scene: Scene
  let clinic: ClinicWithWebhook

  beforeAll(async () => {
    scene = await newScene({ WEBHOOK_CONCURRENCY: '0' })
    clinic = await scene.clinic('paused')
  })
  afterAll(() => scene.close())

  test('F03 loses and doubles nothing: others take over what it was sending, and its late requests count once', async () => {
    const { world, receiver } = scene
    const unlimited = { REQUESTS_PER_SECOND_PER_USER: '0', LOOKS_PER_SECOND_PER_ADDRESS: '0' }
    const node: Node = await spawnNode({ ...scene.environment, ...unlimited, WEBHOOK_CONCURRENCY: '10' })
    const people = insistentPatients([world.url, node.url], clinic.slug, { patienceMs: 1_500 })
    // In the middle of sending: the receiver has the event, and the node has no answer yet.
    const paused = new Promise<void>((done) =>
      receiver.onArrival(() => {
        node.process.kill('SIGSTOP')
        done()
      }),
    )
    await paused
    receiver.onArrival(() => {})
    const before = people.finished.size
    await eventually(() => people.finished.size >= before + 4 || people.unforeseen.length > 0)
    await people.stop()
    await expectNothingLost(world, people)
    const settings = readSettings({ ...scene.environment, WEBHOOK_CONCURRENCY: '10' })
    const other = await startDeliverer(world.app.core, settings, newLogger({ LOG_LEVEL: 'silent' }), {
      registry: new Registry(),
    })
    await passTheWait(scene, clinic) // its leases are over
    const allTold = () =>
      eventually(
        () => world.sql(`select count(*)::int as n from webhook_deliveries where state <> 'delivered'`),
        ([row]) => row?.n === 0,
      )
    await allTold()
    await other.stop()

    node.process.kill('SIGCONT')
    await eventually(
      async () => (await send(`${node.url}/readyz`, 'GET')).status,
      (status) => status === 200,
    )
    const late = await answeredSession(node, clinic) // everything it had before comes before this
    expect((await late.finish()).status).toBe(200)
    await allTold()
    expect(await node.stop()).toBe(0)
    await expectNothingLost(world, people)
    const told = Map.groupBy(receiver.arrived('paused'), ({ body }) => JSON.parse(body).sessionId)
    expect([...told.keys()].sort()).toEqual([...people.finished, late.now.sessionId].sort())
    for (const [session, events] of told)
      expect(new Set(events.map(({ headers }) => headers['webhook-id'])).size, session).toBe(1)
    expect(await brokenInvariants(world)).toEqual([])
  })
})
