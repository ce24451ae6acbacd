import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { expect } from 'vitest'
import { send } from '../world/call.ts'
import { brokenInvariants } from '../world/invariants.ts'
import { Patient, screenAnswers } from '../world/patient.ts'
import { type ClinicWithWebhook, eventually, newScene, passTheWait, type Scene } from '../world/webhook-scene.ts'
import { type Fault, FaultyDatabase } from './faults.ts'

/** Steps of the service itself, taken whenever their time has come and not because of the journey. */
const BY_THE_CLOCK = /^(ping|turn_|node_|master_key|room_|audit_checkpoint)/

/**
 * A journey from creating a session to erasing it, once for each chosen fault in a step of the database. Whatever is not
 * acknowledged is sent again; afterwards everything happened once. `choose` is told the steps of an undisturbed journey.
 */
export async function sweepFaults(choose: (faults: readonly Fault[]) => readonly Fault[]): Promise<number> {
  const database = new FaultyDatabase()
  const scene = await newScene({}, undefined, (db) => database.around(db))
  try {
    const clinic = await scene.clinic('sweep')
    await journey(scene, clinic) // caches are filled as in a service that runs
    database.plant(null)
    await journey(scene, clinic)
    const faults = database.steps
      .filter(({ statement }) => !BY_THE_CLOCK.test(statement))
      .flatMap((step) => [{ ...step, how: 'refused' } as const, { ...step, how: 'unanswered' } as const])
    const chosen = choose(faults)
    for (const fault of chosen) {
      database.plant(fault)
      const name = `${fault.statement} (${fault.time}) ${fault.how}`
      try {
        await journey(scene, clinic)
        expect(await brokenInvariants(scene.world)).toEqual([])
      } catch (error) {
        throw new Error(`with the fault FAULT='${JSON.stringify(fault)}'`, { cause: error })
      }
      if (!database.hasFailed) console.warn(`not met this time: ${name}`)
    }
    return chosen.length
  } finally {
    database.plant(null)
    await scene.close()
  }
}

async function journey(scene: Scene, clinic: ClinicWithWebhook): Promise<void> {
  const { url, sql } = scene.world
  const { key, slug } = clinic

  const byKey = (method: string, path: string, ask: Parameters<typeof send>[2] = {}) =>
    surely(() => send(`${url}/api/v1${path}`, method, { key, ...ask }))
  const idempotent = { json: { text: 'A cough' }, headers: { 'Idempotency-Key': randomUUID() } }
  const created = (await byKey('POST', '/session', idempotent)).body as { sessionId: string }

  const patient = new Patient(url)
  const id = `${randomUUID()}${randomUUID()}`.replaceAll('-', '').slice(0, 43)
  await surely(() => patient.enterOpen(slug, { id }))
  const screens: string[] = []
  for (;;) {
    const { step, version } = patient.now
    if (step.kind !== 'ask') break
    const screen = randomUUID()
    screens.push(screen)
    const answers = screenAnswers(step.questions, { issue_type: 'admin' })
    await surely(() => patient.give(answers, { id: screen, version }))
  }
  await addPicture(patient)
  await surely(() => patient.finish())
  const { sessionId } = patient.now

  const stored = await sql('select id from answers where session_id = $1', [sessionId])
  expect(stored.map((row) => row.id).sort()).toEqual([...screens].sort())
  expect(await sql('select id from uploads where session_id = $1', [sessionId])).toHaveLength(1)
  await eventually(async () => {
    await passTheWait(scene, clinic) // an attempt whose end was not noted is made again when its lease is over
    await wait(50)
    const [row] = await sql('select state from webhook_deliveries where session_id = $1', [sessionId])
    return row?.state === 'delivered'
  })
  const told = scene.receiver.arrived('sweep').filter(({ body }) => JSON.parse(body).sessionId === sessionId)
  expect(new Set(told.map(({ headers }) => headers['webhook-id'])).size).toBe(1)

  expect((await byKey('GET', `/session/${sessionId}`)).status).toBe(200)
  for (const one of [sessionId, created.sessionId]) {
    await byKey('DELETE', `/session/${one}`)
    const look = async () => (await send(`${url}/api/v1/session/${one}`, 'GET', { key })).status
    expect(await eventually(look, (status) => status !== 503)).toBe(404)
    expect(await sql('select from answers where session_id = $1', [one])).toEqual([])
  }
}

async function addPicture(patient: Patient): Promise<void> {
  const bytes = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const id = randomUUID()
  await surely(() => patient.call('POST', '/session/files', { id, name: 'a.jpg', size: bytes.length }))
  await surely(async () => {
    const reply = await patient.call('PATCH', `/session/files/${id}`, bytes, { 'upload-offset': '0' })
    // It had arrived: an app goes on from there.
    return reply.status === 409 && reply.body.received === bytes.length ? { ...reply, status: 200 } : reply
  })
}

const MOST_TRIES = 20

/** Sends until it is acknowledged. What was erased by a try that nobody was told of is gone for the next. */
async function surely<R extends { status: number; body: unknown }>(ask: () => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries++) {
    const reply = await ask()
    if (reply.status < 300 || (reply.status === 404 && tries > 1)) return reply
    if (reply.status !== 503 || tries === MOST_TRIES)
      throw new Error(`${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`)
    await wait(50)
  }
}
