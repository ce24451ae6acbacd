import { setTimeout as wait } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { disableWebhook, enableWebhook, readWebhook } from '../../src/account/webhook.ts'
import { replayDelivery, replaySince, testWebhook } from '../../src/account/webhook-deliveries.ts'
import { startDeliverer } from '../../src/events/delivery/deliverer.ts'
import { newLogger } from '../../src/log.ts'
import { statusOf } from '../../src/session/status.ts'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { readSettings } from '../../src/settings.ts'
import {
  attempted,
  completedSession,
  deliveriesIn,
  eventually,
  newScene,
  passTheWait,
  type Scene,
} from '../world/webhook-scene.ts'

let scene: Scene
let registry: Registry
let node: { stop: () => Promise<void> }
beforeAll(async () => {
  scene = await newScene({ WEBHOOK_CONCURRENCY: '0' })
  registry = new Registry()
  const settings = readSettings({ ...scene.environment, WEBHOOK_CONCURRENCY: '10' })
  node = await startDeliverer(scene.world.app.core, settings, newLogger({ LOG_LEVEL: 'silent' }), { registry })
})
afterAll(async () => {
  await node.stop()
  await scene.close()
})

/** A figure as monitoring reads it. */
async function figure(name: string): Promise<number> {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await registry.metrics())?.[1])
}
const firstAttempts = () => figure('fyr_webhook_first_attempt_seconds_count')

test('a first attempt is counted once: not a retry, a replay, a missed session or a test', async () => {
  const { core } = scene.world.app
  const clinic = await scene.clinic('counted', 'status 500')
  await completedSession(scene, clinic)
  const { row } = await attempted(scene, clinic, 1)
  expect(await firstAttempts()).toBe(1)
  await passTheWait(scene, clinic)
  await attempted(scene, clinic, 2)
  await scene.receiver.behave('counted', 'ok')
  await replayDelivery(core, clinic.configuration, row.id)
  await attempted(scene, clinic, 3)
  expect(await firstAttempts()).toBe(1)

  await disableWebhook(core, clinic.configuration)
  await completedSession(scene, clinic)
  await enableWebhook(core, clinic.configuration)
  await replaySince(core, clinic.configuration, { since: new Date(Date.now() - 3_600_000), missed: true })
  await testWebhook(core, clinic.configuration)
  const all = await eventually(
    () => deliveriesIn(scene, clinic),
    (list) => list.length === 3 && list.every(({ row: { state } }) => state === 'delivered'),
  )
  expect(all).toHaveLength(3)
  expect(await firstAttempts()).toBe(1)

  await completedSession(scene, clinic)
  await eventually(firstAttempts, (count) => count === 2)
})

test('a test that failed was told to whoever made it: it is no delivery that was given up, and status is well', async () => {
  const { core } = scene.world.app
  const clinic = await scene.clinic('tried', 'status 500')
  await testWebhook(core, clinic.configuration)
  await eventually(
    () => deliveriesIn(scene, clinic),
    ([only]) => only?.row.state === 'failed',
  )
  expect(await readWebhook(core, clinic.configuration)).toMatchObject({ failed: 0, failingSince: null })
  expect((await statusOf(core, '0.1.0', new Date())).webhooks).toMatchObject({ dead: 0, troubles: [] })
})

test('what was given up needs somebody while it can be sent again, for as long as it is kept; of an erased session nothing can', async () => {
  const { core } = scene.world.app
  const clinic = await scene.clinic('given-up', 'status 500')
  await completedSession(scene, clinic)
  const { row } = await attempted(scene, clinic, 1)
  await scene.world.sql(
    `update webhook_deliveries set state = 'failed', created_at = now() - interval '29 days' where id = $1`,
    [row.id],
  )
  const { attention, webhooks } = await statusOf(core, '0.1.0', new Date())
  expect(webhooks).toMatchObject({ dead: 1 })
  expect(webhooks.troubles).toContainEqual({ trouble: 'dead', slug: clinic.slug, endpoint: 'main' })
  expect(attention.join()).toContain(`fyr webhook replay --configuration ${clinic.slug} --since 30d`)
  const thirtyDaysAgo = new Date(Date.now() - 30 * 86_400_000)
  await wait(5) // as from the command line to its statement
  expect(await replaySince(core, clinic.configuration, { since: thirtyDaysAgo })).toEqual({ count: 1 })
  const longAgo = new Date(Date.now() - 31 * 86_400_000)
  await expect(replaySince(core, clinic.configuration, { since: longAgo })).rejects.toThrow()

  await attempted(scene, clinic, 2)
  await eraseSession(core, clinic.accountId, row.session_id ?? '', 'operator:ann')
  await scene.world.sql(`update webhook_deliveries set state = 'failed' where id = $1`, [row.id])
  expect(await readWebhook(core, clinic.configuration)).toMatchObject({ failed: 0 })
  const { dead, troubles } = (await statusOf(core, '0.1.0', new Date())).webhooks
  expect([dead, troubles.map(({ trouble }) => trouble)]).toEqual([0, ['failing']])
})

test('a delivery that is sent again after weeks is pending since the replay, not for weeks', async () => {
  const pending = (count: number) =>
    eventually(
      () => figure('fyr_webhook_deliveries_pending'),
      (found) => found === count,
    )
  await pending(0)
  const clinic = await scene.clinic('weeks', 'status 500')
  await completedSession(scene, clinic)
  const { row } = await attempted(scene, clinic, 1)
  await scene.world.sql(
    `update webhook_deliveries set state = 'failed', created_at = now() - interval '20 days' where id = $1`,
    [row.id],
  )
  await replayDelivery(scene.world.app.core, clinic.configuration, row.id)
  await attempted(scene, clinic, 2)
  await pending(1)
  expect(await figure('fyr_webhook_oldest_pending_seconds')).toBeLessThan(86_400)
})
