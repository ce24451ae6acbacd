import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { expect } from 'vitest'
import { send } from '../world/call.ts'
import { Patient, screenAnswers } from '../world/patient.ts'
import { type ClinicWithWebhook, eventually, passTheWait, type Scene } from '../world/webhook-scene.ts'

type Answer = { status: number; body: unknown }

/** Where a journey goes: the address of a node, and whether the node may be away for a while and the connection to it break. */
type Way = { url: string; mayBreak: boolean }

/**
 * From creating a session to erasing it. Whatever is not acknowledged is sent again, with the same id; afterwards
 * everything happened once.
 */
export async function journey(
  scene: Scene,
  clinic: ClinicWithWebhook,
  way: Way = { url: scene.world.url, mayBreak: false },
): Promise<void> {
  const { sql } = scene.world
  const { key, slug } = clinic
  const { url } = way
  const surely = sender(way)

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
  await addPicture(patient, surely)
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
    const gone = await surely(() => send(`${url}/api/v1/session/${one}`, 'GET', { key }), [404])
    expect(gone.status).toBe(404)
    expect(await sql('select from answers where session_id = $1', [one])).toEqual([])
  }
}

async function addPicture(patient: Patient, surely: ReturnType<typeof sender>): Promise<void> {
  const bytes = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const id = randomUUID()
  await surely(() => patient.call('POST', '/session/files', { id, name: 'a.jpg', size: bytes.length }))
  let from = 0
  await surely(async () => {
    const reply = await patient.call('PATCH', `/session/files/${id}`, bytes.subarray(from), {
      'upload-offset': String(from),
    })
    if (reply.status !== 409) return reply
    from = Number(reply.body.received) // so much had arrived: an app goes on from there
    return { ...reply, status: from === bytes.length ? 200 : 503 }
  })
}

const MOST_TRIES = 20
const PATIENCE_MS = 240_000

/** Sends until it is acknowledged. What was erased by a try that nobody was told of is gone for the next. */
function sender({ mayBreak }: Way) {
  return async <R extends Answer>(ask: () => Promise<R>, expected: readonly number[] = []): Promise<R> => {
    const until = Date.now() + PATIENCE_MS
    for (let tries = 1; ; tries++) {
      const reply = await ask().catch((error: unknown) => {
        if (!mayBreak) throw error
        return null
      })
      if (reply && (reply.status < 300 || expected.includes(reply.status) || (reply.status === 404 && tries > 1)))
        return reply
      const isOver = mayBreak ? Date.now() > until : tries === MOST_TRIES
      if (isOver || (reply && reply.status !== 503))
        throw new Error(`${reply?.status} ${JSON.stringify(reply?.body).slice(0, 300)}`)
      await wait(50)
    }
  }
}
