// @module-tag thorough
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { spawnNode } from '../world/nodes.ts'
import { attempted, completedSession, eventually, newScene, passTheWait } from '../world/webhook-scene.ts'
import { sweepCrashes } from './crash.ts'

test('F03: a node killed between the ending and the delivery loses no event and doubles no id (four steps)', async () => {
  const points = await sweepCrashes((messages) =>
    Array.from({ length: 4 }, (_, at) => 1 + Math.floor(((at + 0.5) * messages) / 4)),
  )
  expect(points).toBe(4)
})

test('F17: a node killed after sending and before noting it leaves its event to the next, which counts the attempt and sends it again', async () => {
  const scene = await newScene({ WEBHOOK_CONCURRENCY: '0' })
  try {
    const clinic = await scene.clinic('unanswered', 'hang')
    const first = await spawnNode({ ...scene.environment, WEBHOOK_CONCURRENCY: '10' })
    const heard = new Promise<void>((done) => scene.receiver.onArrival(() => done()))
    await completedSession(scene, clinic)
    await heard
    await first.stop('SIGKILL')
    const lease = `select extract(epoch from next_at - now())::float8 as seconds, claim is not null as is_claimed from webhook_deliveries`
    const [held] = await scene.world.sql(lease)
    expect(held).toMatchObject({ is_claimed: true })
    expect(held?.seconds).toBeLessThanOrEqual(60)

    await scene.receiver.behave('unanswered', 'ok')
    const second = await spawnNode({ ...scene.environment, WEBHOOK_CONCURRENCY: '10' })
    await wait(500)
    expect(scene.receiver.arrived('unanswered')).toHaveLength(1) // not while the lease holds
    await passTheWait(scene, clinic)
    const { row, attempts } = await attempted(scene, clinic, 2)
    await second.stop()
    expect(row).toMatchObject({ state: 'delivered', attempts: 2 })
    expect(attempts.map(({ error, status }) => [error, status])).toEqual([
      ['interrupted', null],
      [null, 200],
    ])
    const ids = scene.receiver.arrived('unanswered').map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual([row.id, row.id])
  } finally {
    await scene.close()
  }
})

test('a stopping node hands over what it was sending: it ends in time and the next node delivers, without a try lost', async () => {
  const scene = await newScene({ WEBHOOK_CONCURRENCY: '0' })
  try {
    const clinic = await scene.clinic('handover', 'hang')
    const first = await spawnNode({ ...scene.environment, WEBHOOK_CONCURRENCY: '10', DRAIN_SECONDS: '1' })
    await completedSession(scene, clinic)
    await eventually(() => scene.receiver.arrived('handover').length === 1)
    expect(await first.stop('SIGTERM')).toBe(0)
    await scene.receiver.behave('handover', 'ok')
    const second = await spawnNode({ ...scene.environment, WEBHOOK_CONCURRENCY: '10' })
    const { row } = await attempted(scene, clinic, 2)
    await second.stop()
    expect(row).toMatchObject({ state: 'delivered', tries: 1, attempts: 2 })
  } finally {
    await scene.close()
  }
})
