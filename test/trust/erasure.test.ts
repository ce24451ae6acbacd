import { afterAll, beforeAll, expect, test } from 'vitest'
import { replayDelivery, replaySince } from '../../src/account/webhook-deliveries.ts'
import { verifyChain } from '../../src/events/verify.ts'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { expectProblem, send } from '../world/call.ts'
import { Clinician, linkTo, SORE_THROAT } from '../world/clinician.ts'
import { picture, upload } from '../world/handoff.ts'
import { Patient } from '../world/patient.ts'
import { attempted, type ClinicWithWebhook, newScene, type Scene } from '../world/webhook-scene.ts'

const CANARY = 'kanarie-9c1e-vogel'

let scene: Scene
let clinic: ClinicWithWebhook
beforeAll(async () => {
  scene = await newScene({ LOG_LEVEL: 'trace' })
  clinic = await scene.clinic('erased', `say ${CANARY}`)
})
afterAll(() => scene.close())

type ApiDocument = { paths: Record<string, Record<string, { operationId: string }>> }

/** Every operation of the interface that reads something of a session, from its own document. */
async function readsOf(sessionId: string, fileId: string): Promise<string[]> {
  const document: ApiDocument = await fetch(`${scene.world.url}/api/openapi.json`).then((reply) => reply.json())
  return Object.entries(document.paths)
    .filter(([path, methods]) => path.startsWith('/api/v1/session/{') && 'get' in methods)
    .map(([path]) => path.replace('{sessionId}', sessionId).replace(/\{\w+\}/, fileId))
}

/** A session with everything that can hang on one, and every way into it that was ever handed out. */
async function fullSession() {
  const { world } = scene
  const made = await send(`${world.url}/api/v1/session`, 'POST', {
    key: clinic.key,
    json: { text: `${CANARY} hurts`, extendedData: { [CANARY]: CANARY }, patient: { age: 40 } },
  })
  const { sessionId, url } = made.body as { sessionId: string; url: string }
  const patient = new Patient(world.url)
  await patient.enter(url)
  const fileId = await upload(patient, `${CANARY}.jpg`, await picture(40, 30, 5))
  await patient.answerThrough({ ...SORE_THROAT, matter: `${CANARY} hurts more` })
  expect((await patient.finish()).status).toBe(200)
  const { token } = await linkTo(world.url, clinic, sessionId)
  const clinician = new Clinician(world.url, clinic.slug)
  await clinician.open(token)
  const judgement = { id: crypto.randomUUID(), urgency: 'Level2', reason: CANARY }
  expect((await clinician.call('POST', '/judgements', { json: judgement })).status).toBe(201)
  const listed = await send(`${world.url}/api/v1/session/${sessionId}/files`, 'GET', { key: clinic.key })
  const [file] = listed.body as { downloadUrl: string }[]
  return { sessionId, url, patient, fileId, token, clinician, fileUrl: new URL(file?.downloadUrl ?? '').pathname }
}

test('A51: what was erased is read by nobody, told by no replay and in no log, and the chain is whole', async () => {
  const { world } = scene
  const { core } = world.app
  const { sessionId, url, patient, fileId, token, clinician, fileUrl } = await fullSession()
  const { row } = await attempted(scene, clinic, 1)
  const reads = await readsOf(sessionId, fileId)
  expect(reads.length).toBeGreaterThan(7)
  const readAll = () =>
    Promise.all(reads.map((path) => send(`${world.url}${path}?auditUserIdentifier=dr`, 'GET', { key: clinic.key })))
  expect((await readAll()).map(({ status }) => status)).toEqual(reads.map(() => 200))
  expect((await send(`${world.url}${fileUrl}`, 'GET')).status).toBe(200)

  await eraseSession(core, clinic.accountId, sessionId, 'operator')

  for (const reply of await readAll()) {
    expect(reply.status).toBe(404)
    expect(reply.text).not.toContain(CANARY)
  }
  expect((await send(`${world.url}/api/v1/sessions`, 'GET', { key: clinic.key })).text).not.toContain(sessionId)
  expect((await send(`${world.url}${fileUrl}`, 'GET')).status).toBe(404)
  expect((await patient.look()).status).toBe(401)
  expect((await new Patient(world.url).enter(url)).status).toBeGreaterThanOrEqual(400)
  expectProblem(await clinician.call('GET', '/picture'), 401, 'visit-missing')
  expectProblem(await new Clinician(world.url, clinic.slug).open(token), 404, 'link-not-found')

  const heard = scene.receiver.arrived('erased').length
  await expect(replayDelivery(core, clinic.configuration, row.id)).rejects.toMatchObject({ code: 'session-not-found' })
  const since = new Date(Date.now() - 3_600_000)
  expect(await replaySince(core, clinic.configuration, { since })).toEqual({ count: 0 })
  expect(await replaySince(core, clinic.configuration, { since, missed: true })).toEqual({ count: 0 })
  expect(scene.receiver.arrived('erased')).toHaveLength(heard)

  expect(world.log()).toContain('/api/v1/session/:sessionId/summary') // it is the log of what happened
  for (const planted of [CANARY, token, url.slice(url.indexOf('#') + 1), fileUrl.split('/').at(-1) ?? ''])
    expect(world.log()).not.toContain(planted)
  const entries = await world.sql(
    'select e::text as text, action from audit_entries e where subject = $1 order by seq',
    [sessionId],
  )
  expect(entries.at(-1)?.action).toBe('session.erased')
  expect(entries.map(({ text }) => text).join()).not.toContain(CANARY)
  expect(await verifyChain(core, clinic.accountId, [])).toMatchObject({ ok: true })
  const [kept] = await world.sql('select sealed_key from sessions where id = $1', [sessionId])
  expect(kept).toEqual({ sealed_key: null }) // nobody can open what some copy still holds, not even we
})

test('whoever reads a session in the moment it is erased is told that it is gone, and nobody is alarmed', async () => {
  const { world } = scene
  for (let round = 0; round < 6; round++) {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ matter: 'a cough' })
    await patient.finish()
    const { sessionId } = patient.now
    const at = `${world.url}/api/v1/session/${sessionId}`
    const replies = await Promise.all([
      send(at, 'DELETE', { key: clinic.key }),
      ...['/summary', '/export', '/info', '/summary'].map((path) => send(`${at}${path}`, 'GET', { key: clinic.key })),
    ])
    expect(replies.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
  }
  expect(world.log()).not.toContain('seal-broken')
})
