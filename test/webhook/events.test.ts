import { afterAll, beforeAll, expect, test } from 'vitest'
import { setWebhook } from '../../src/account/webhook.ts'
import { brokenInvariants } from '../world/invariants.ts'
import { Patient } from '../world/patient.ts'
import { type ClinicWithWebhook, deliveriesIn, eventually, newScene, type Scene } from '../world/webhook-scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await newScene()
})
afterAll(() => scene.close())

const choose = ({ configuration, url }: ClinicWithWebhook, ...events: string[]) =>
  setWebhook(scene.world.app.core, scene.guard, configuration, { url, events })

/** A user of the clinic who came by its link, with extended data, and stands before the first question. */
async function entered(clinic: ClinicWithWebhook): Promise<Patient> {
  const reply = await fetch(`${scene.world.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'x-service-api-key': clinic.key, 'content-type': 'application/json' },
    body: JSON.stringify({ extendedData: { bed: 7 }, text: 'canary-matter' }),
  })
  const patient = new Patient(scene.world.url)
  await patient.enter(((await reply.json()) as { url: string }).url)
  return patient
}

/** Answers up to the emergency card. */
async function alarm(patient: Patient): Promise<void> {
  await patient.answerThrough({ overdose_or_poisoning: true }, (_asked, view) => view.alarm !== null)
  expect(patient.now.alarm?.level).toBe('Level1')
}

/** The clinic's deliveries, once so many are there and arrived. */
const told = (clinic: ClinicWithWebhook, count: number) =>
  eventually(
    () => deliveriesIn(scene, clinic),
    (all) => all.length === count && all.every(({ row }) => row.state === 'delivered'),
  )
const typesIn = async (clinic: ClinicWithWebhook) => (await deliveriesIn(scene, clinic)).map(({ row }) => row.type)

test('an endpoint that chose nothing hears of the end and of nothing else', async () => {
  const clinic = await scene.clinic('plain')
  const patient = await entered(clinic)
  await alarm(patient)
  expect(await typesIn(clinic)).toEqual([])
  await patient.stop()
  await told(clinic, 1)
  expect(await typesIn(clinic)).toEqual(['session.completed'])
})

test('F41: a red flag is told the moment it appears, once, while the session goes on; signed, and without a word of health', async () => {
  const clinic = await scene.clinic('alarmed')
  await choose(clinic, 'session.completed', 'session.alarm')
  const patient = await entered(clinic)
  await alarm(patient)
  await told(clinic, 1)
  const [arrived] = scene.receiver.arrived('alarmed')
  expect(arrived?.verifiedBy).toEqual([clinic.secret])
  expect(JSON.parse(arrived?.body ?? '')).toEqual({
    id: arrived?.headers['webhook-id'],
    type: 'session.alarm',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
    sessionId: patient.now.sessionId,
    extendedData: { bed: 7 },
    data: {},
  })
  const info = await fetch(`${scene.world.url}/api/v1/session/${patient.now.sessionId}`, {
    headers: { 'x-service-api-key': clinic.key },
  })
  expect(await info.json()).toMatchObject({ urgency: 'Level1', sessionCompletedTimestamp: null })

  await patient.back()
  expect(patient.now.alarm).toBeNull()
  await alarm(patient)
  expect(await typesIn(clinic)).toEqual(['session.alarm'])
  await patient.stop()
  await told(clinic, 2)
  expect((await typesIn(clinic)).sort()).toEqual(['session.alarm', 'session.completed'])
})

test('F41: the event and the answer that raised it are stored together or not at all', async () => {
  const clinic = await scene.clinic('together')
  await choose(clinic, 'session.alarm')
  const patient = await entered(clinic)
  await scene.world.sql(
    `alter table webhook_deliveries add constraint no_alarm check (type <> 'session.alarm') not valid`,
  )
  try {
    await expect(alarm(patient)).rejects.toThrow('500')
  } finally {
    await scene.world.sql(`alter table webhook_deliveries drop constraint no_alarm`)
  }
  const { version } = patient.now
  await patient.look()
  expect(patient.now).toMatchObject({ version, alarm: null })
  await alarm(patient)
  await told(clinic, 1)
})

test('F41: an answer that is not taken tells nothing', async () => {
  const clinic = await scene.clinic('stale')
  await choose(clinic, 'session.started', 'session.alarm')
  const patient = await entered(clinic)
  // Another node moves the session on without this one's cache knowing.
  await scene.world.sql(`update sessions set version = version + 1 where id = $1`, [patient.now.sessionId])
  const { status } = await patient.answer(patient.asked, 'self')
  expect(status).toBeGreaterThanOrEqual(400)
  expect(await typesIn(clinic)).toEqual([])
})

test('a session is told to have started with the first answer, once, not by entering', async () => {
  const clinic = await scene.clinic('started')
  await choose(clinic, 'session.started')
  const patient = await entered(clinic)
  expect(await typesIn(clinic)).toEqual([])
  patient.sendsTwice = true
  await patient.answer(patient.asked, 'self')
  await patient.back()
  await patient.answerThrough({ issue_type: 'admin' })
  await patient.finish()
  await told(clinic, 1)
  const [arrived] = scene.receiver.arrived('started')
  const [{ started } = {}] = await scene.world.sql('select started_at as started from sessions where id = $1', [
    patient.now.sessionId,
  ])
  expect(JSON.parse(arrived?.body ?? '')).toMatchObject({
    type: 'session.started',
    sessionId: patient.now.sessionId,
    data: { userStartedTimestamp: (started as Date).toISOString() },
  })
})

test('the first answer raising a red flag in parallel requests is told once', async () => {
  const clinic = await scene.clinic('parallel')
  await choose(clinic, 'session.alarm')
  const patient = await entered(clinic)
  await patient.answerThrough({}, (asked) => asked === 'overdose_or_poisoning')
  const { version, step } = patient.now
  const answers =
    step.kind === 'ask' ? step.questions.map(({ id }) => ({ question: id, value: id === 'overdose_or_poisoning' })) : []
  const replies = await Promise.all(Array.from({ length: 20 }, () => patient.give(answers, { version })))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  await told(clinic, 1)
})

test.each([[['session.deleted']], [['webhook.test']], [[]]])(
  'the choice %j is refused with a pointer',
  async (events) => {
    const clinic = await scene.clinic('choosing')
    await expect(choose(clinic, ...events)).rejects.toMatchObject({
      status: 400,
      extra: { errors: [{ pointer: '/events', message: expect.stringContaining('session.alarm') }] },
    })
  },
)

test('choices stay when the address changes, and the invariants hold after all of this', async () => {
  const clinic = await scene.clinic('staying')
  await choose(clinic, 'session.alarm')
  await setWebhook(scene.world.app.core, scene.guard, clinic.configuration, { url: clinic.url })
  const [row] = await scene.world.sql('select events from webhook_endpoints where configuration_id = $1', [
    clinic.configurationId,
  ])
  expect(row?.events).toEqual(['session.alarm'])
  expect(await brokenInvariants(scene.world)).toEqual([])
})
