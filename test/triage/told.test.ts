import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Call, callerTo } from '../world/call.ts'
import { visiting } from '../world/clinician.ts'
import { ABOUT, Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
let call: Call
beforeAll(async () => {
  world = await newWorld({ LOG_LEVEL: 'trace' })
  clinic = await world.clinic()
  call = callerTo(world)
})
afterAll(() => world.close())

const SIGNS = { muffled_voice: true, mouth_hardly_opens: false }

async function sent(json: object): Promise<{ patient: Patient; sessionId: string }> {
  const made = await call('POST', '/api/v1/session', { key: clinic.key, json })
  expect(made.status).toBe(201)
  const { sessionId, url } = made.body as { sessionId: string; url: string }
  const patient = new Patient(world.url)
  await patient.enter(url)
  return { patient, sessionId }
}

async function toTheMenu(patient: Patient, matter = '', forWhom = 'self'): Promise<void> {
  await patient.give(ABOUT.map((one) => (one.question === 'for_whom' ? { ...one, value: forWhom } : one)))
  await patient.give([
    { question: 'matter', value: matter },
    { question: 'issue_type', value: 'regular' },
  ])
}

test('D32: signs told at creation are shown once as proposals, true or false, and count when confirmed', async () => {
  const { patient, sessionId } = await sent({ signs: SIGNS, userIsPatient: true })
  await toTheMenu(patient)
  expect(patient.now.step).toMatchObject({ screen: 'understood' })
  expect(patient.screen).toEqual(['complaints', 'muffled_voice', 'mouth_hardly_opens'])
  expect(patient.question('muffled_voice')).toMatchObject({
    given: true,
    proposal: { from: 'integrator', answer: 'Yes' },
  })
  expect(patient.question('mouth_hardly_opens')).toMatchObject({ given: false, proposal: { answer: 'No' } })
  await patient.give([
    { question: 'complaints', value: ['sore-throat'] },
    { question: 'muffled_voice', value: true },
    { question: 'mouth_hardly_opens', value: false },
  ])
  expect(patient.now.alarm?.level).toMatch(/Level[123]/)
  const asked: string[] = []
  await patient.answerThrough({}, (id) => {
    asked.push(id)
    return false
  })
  expect(asked.filter((id) => id in SIGNS)).toEqual([])
  const { interview } = await (await visiting(world, clinic, sessionId)).picture('en')
  const told = interview.filter(({ from }) => from === 'integrator').map(({ answer }) => answer)
  expect(told).toEqual(['Yes', 'No'])
  const fhir = await call('GET', `/api/v1/session/${sessionId}/fhir`, { key: clinic.key })
  expect(fhir.text).toContain('Told by the integrator, confirmed')
})

test('D32: what is not confirmed is no answer: it decides nothing and is asked', async () => {
  const { patient } = await sent({ signs: SIGNS })
  await toTheMenu(patient, 'sore throat')
  await patient.give([{ question: 'complaints', value: ['sore-throat'] }])
  expect(patient.now.alarm).toBeNull()
  const asked: string[] = []
  await patient.answerThrough({}, (id) => {
    asked.push(id)
    return false
  })
  expect(asked).toEqual(expect.arrayContaining(['muffled_voice', 'mouth_hardly_opens']))
})

test('D32: signs told of one person are not held of another', async () => {
  const { patient } = await sent({ signs: SIGNS, userIsPatient: true })
  await toTheMenu(patient, '', 'other')
  expect(patient.screen).toEqual(['complaints'])
})

test('D32: they are sealed, in no log, and gone with the session', async () => {
  const { sessionId } = await sent({ signs: { testicle_pain_strong_new: true } })
  const [row] = await world.sql(
    'select row_to_json(s)::text as text, sealed_given_signs from sessions s where id = $1',
    [sessionId],
  )
  expect(String(row?.text)).not.toContain('testicle')
  expect(Buffer.from(row?.sealed_given_signs as Buffer).toString('latin1')).not.toContain('testicle')
  expect(world.log()).not.toContain('testicle')
})
