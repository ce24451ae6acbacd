import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { keysOf } from '../../src/account/webhook.ts'
import { completionEffect } from '../../src/events/completion.ts'
import { SessionSeal } from '../../src/session/sealed.ts'
import { hashOf } from '../../src/store/seal.ts'
import { INSERT_SESSION } from '../../src/store/sessions.ts'
import { END } from '../world/ending.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { type ClinicWithWebhook, eventually, newScene, type Scene } from '../world/webhook-scene.ts'

/** Makes and ends many sessions, each in one transaction with its event. */
export async function endMany(scene: Scene, clinic: ClinicWithWebhook, count: number): Promise<string[]> {
  const { core } = scene.world.app
  const { accountId, configurationId } = clinic
  const { accountKey } = await keysOf(core, accountId)
  const ids = Array.from({ length: count }, () => randomUUID())
  const end = (id: string) => {
    const { sealedKey } = SessionSeal.fresh(accountId, accountKey, id)
    const row = {
      id,
      configuration_id: configurationId,
      status: 'StartedChat',
      enter_hours: 24,
      active_hours: 24,
      flow: 'Standard',
      language: 'en',
      secret_hash: hashOf(id).toString('hex'),
      sealed_key: sealedKey.toString('hex'),
    }
    const effects = [
      { statement: INSERT_SESSION, row },
      { statement: END, row: { id } },
      completionEffect(configurationId, id),
    ]
    return core.recorder.record({ accountId, actor: 'test', action: 'session.finished', subject: id, effects })
  }
  await Promise.all(ids.map(end))
  return ids
}

/** Three nodes, one database, many due events: each is delivered exactly once, none is skipped. */
export async function deliverOnThreeNodes(count: number): Promise<void> {
  const scene = await newScene({ WEBHOOK_CONCURRENCY: '0' })
  const environment = { ...scene.environment, WEBHOOK_CONCURRENCY: '10', DRAIN_SECONDS: '20' }
  const nodes: Node[] = []
  try {
    for (let at = 0; at < 3; at++) nodes.push(await spawnNode(environment)) // one by one: starting is heavy
    const clinic = await scene.clinic('busy')
    const sessions = await endMany(scene, clinic, count)
    await eventually(
      () => scene.world.sql(`select count(*)::int as count from webhook_deliveries where state = 'delivered'`),
      ([row]) => row?.count === count,
      count * 100 + 60_000,
    )
    const arrived = scene.receiver.arrived('busy')
    expect(arrived.map(({ body }) => JSON.parse(body).sessionId).sort()).toEqual(sessions.sort())
    expect(new Set(arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(count)
    expect(arrived.every(({ verifiedBy }) => verifiedBy.length === 1)).toBe(true)
    const shares = await Promise.all(nodes.map(({ metricsPort }) => deliveredBy(metricsPort)))
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(count)
    expect(Math.min(...shares)).toBeGreaterThan(0) // all three took part
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await scene.close()
  }
}

async function deliveredBy(metricsPort: number): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^fyr_webhook_attempts_total\{outcome="2xx"\} (\d+)$/m.exec(page)?.[1] ?? 0)
}
