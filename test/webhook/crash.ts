import type { ChildProcess } from 'node:child_process'
import { Registry } from 'prom-client'
import { expect } from 'vitest'
import { setWebhook } from '../../src/account/webhook.ts'
import { startDeliverer } from '../../src/events/delivery/deliverer.ts'
import { newLogger } from '../../src/log.ts'
import { readSettings } from '../../src/settings.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { Patient } from '../world/patient.ts'
import {
  answeredSession,
  type ClinicWithWebhook,
  eventually,
  newScene,
  passTheWait,
  type Scene,
} from '../world/webhook-scene.ts'
import { startWire, targetOf, type Wire } from './wire.ts'

const NEVER = Number.POSITIVE_INFINITY
const NAME = 'crash'

/**
 * Kills a node at chosen messages on its wires, to the database and to the receiver, from the ending of a session to the
 * end of its delivery. `choose` is told how many messages an undisturbed run has.
 */
export async function sweepCrashes(choose: (messages: number) => readonly number[]): Promise<number> {
  const stage = await newStage()
  try {
    const messages = await stage.run(NEVER)
    const points = choose(messages)
    for (const point of points) await stage.run(point)
    return points.length
  } finally {
    await stage.close()
  }
}

async function newStage() {
  const scene = await newScene({ WEBHOOK_CONCURRENCY: '0' })
  let victim: ChildProcess | null = null
  let counted = 0
  let killAt = NEVER
  let isArmed = false
  const wires: Wire[] = []
  const pass = (): boolean => {
    if (isArmed && ++counted >= killAt && victim?.signalCode === null && !victim.killed) {
      victim.kill('SIGKILL')
      for (const wire of wires) wire.cut()
    }
    return !victim?.killed
  }
  const database = await startWire(targetOf(scene.world.databaseUrl), pass)
  const receiver = await startWire({ host: '127.0.0.1', port: scene.receiver.port }, pass)
  wires.push(database, receiver)
  const clinic = await scene.clinic(NAME)
  const url = `https://localhost:${receiver.port}/${NAME}`
  await setWebhook(scene.world.app.core, scene.guard, clinic.configuration, { url })

  return {
    run: async (at: number): Promise<number> => {
      const patient = await answeredSession(scene.world, clinic)
      const { sessionId } = patient.now
      counted = 0
      killAt = at
      victim = null
      const node = await startVictim(scene, database.port)
      victim = node.process
      isArmed = true
      const isAcknowledged = finishOn(node, patient)
      if (at === NEVER) await deliveryOf(scene, sessionId, (state) => state === 'delivered')
      else await eventually(() => node.process.signalCode !== null)
      isArmed = false
      const messages = counted
      if (at === NEVER) await node.stop('SIGKILL')
      victim = null
      await judge(scene, clinic, sessionId, isAcknowledged(), at)
      return messages
    },
    close: async () => {
      for (const wire of wires) wire.close()
      await scene.close()
    },
  }
}

/** A whole node, started to be killed; its way to the database is the counted wire. */
function startVictim(scene: Scene, databasePort: number): Promise<Node> {
  const url = new URL(scene.world.databaseUrl)
  url.searchParams.delete('host')
  url.searchParams.set('application_name', 'victim')
  url.host = `127.0.0.1:${databasePort}`
  return spawnNode({ ...scene.environment, DATABASE_URL: url.toString(), WEBHOOK_CONCURRENCY: '10' })
}

/** Sends the interview through the node; answers whether it ever said that it was taken. */
function finishOn(node: Node, { cookie, now }: Patient): () => boolean {
  let isAcknowledged = false
  const user = new Patient(node.url)
  user.cookie = cookie
  user.view = now
  user.finish().then(
    ({ status }) => {
      isAcknowledged = status === 200
    },
    () => {},
  )
  return () => isAcknowledged
}

async function deliveryOf(scene: Scene, sessionId: string, isThere: (state: unknown) => boolean): Promise<void> {
  await eventually(
    async () =>
      (await scene.world.sql(`select state from webhook_deliveries where session_id = $1`, [sessionId]))[0]?.state,
    isThere,
  )
}

/** Whatever the moment: an ended session is told, under one id; one that did not end is not. */
async function judge(scene: Scene, clinic: ClinicWithWebhook, sessionId: string, isAcknowledged: boolean, at: number) {
  const left = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'victim'`
  await eventually(
    () => scene.world.sql(left),
    (rows) => rows.length === 0,
  )
  const [session] = await scene.world.sql(`select status from sessions where id = $1`, [sessionId])
  const isEnded = session?.status === 'Ended'
  if (isAcknowledged) expect([at, isEnded]).toEqual([at, true])
  const settings = readSettings({ ...scene.environment, WEBHOOK_CONCURRENCY: '10' })
  const survivor = await startDeliverer(scene.world.app.core, settings, newLogger({ LOG_LEVEL: 'silent' }), {
    registry: new Registry(),
  })
  await passTheWait(scene, clinic) // the dead node's lease is over
  if (isEnded) await deliveryOf(scene, sessionId, (state) => state === 'delivered')
  await survivor.stop()
  const deliveries = await scene.world.sql(`select id from webhook_deliveries where session_id = $1`, [sessionId])
  const arrived = scene.receiver.arrived(NAME).filter(({ body }) => JSON.parse(body).sessionId === sessionId)
  const ids = new Set(arrived.map(({ headers }) => headers['webhook-id']))
  expect([at, deliveries.length, [...ids]]).toEqual([at, isEnded ? 1 : 0, isEnded ? [deliveries[0]?.id] : []])
}
