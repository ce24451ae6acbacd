import { afterAll, beforeAll, expect, test } from 'vitest'
import { Patient } from '../world/patient.ts'
import { integrator } from '../world/stage.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(() => world.close())

async function summary(sessionId: string, language: string): Promise<string> {
  const reply = await integrator({ world, urls: [world.url] }, clinic).get(
    `/session/${sessionId}/summary?language=${language}`,
  )
  return String(reply.data)
}

test('6. Text summary: what create was given is told in four languages before anyone has entered', async () => {
  const text = 'Kipu rinnassa\nja hengästyttää: portaissa'
  const created = await integrator({ world, urls: [world.url] }, clinic).post('/session', {
    patient: { age: 61, sex: 'Female' },
    text,
    userIsPatient: true,
  })
  const texts = await Promise.all(
    ['en', 'fi', 'no', 'sv'].map((language) => summary(String(created.sessionId), language)),
  )
  for (const one of texts) {
    expect(one).toContain(text)
    expect(one).toContain('61')
    expect(one).toContain(String(created.sessionId))
    expect(one).not.toMatch(/\r|undefined|null|\{|\}/)
  }
  expect(new Set(texts).size).toBe(4)
  expect(texts[0]).toContain('PATIENT\n61 years\nFemale')
})

test('6. Text summary: a finished session tells urgency, reasons, flags, findings and facts; the same answers give the same text', async () => {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  await patient.answerThrough({
    matter: 'sore throat since Monday',
    complaints: ['sore-throat'],
    mouth_hardly_opens: true,
    medicines: ['anticoagulant'],
    allergies: ['penicillin'],
    throat_cough: null,
  })
  await patient.finish()
  const text = await summary(patient.now.sessionId, 'en')
  for (const part of [
    'MATTER IN OWN WORDS\nsore throat since Monday\nComplaint: Sore throat',
    'URGENCY\nLevel 2, Emergency care without delay (within 10 minutes). Red flag',
    'Why this urgency: ',
    'RED FLAGS\nPresent: ',
    'Denied: ',
    'Not sure: ',
    'MEDICINES\n',
    'Anticoagulant',
    'ALLERGIES\n',
    'Penicillin',
    'Content: ',
  ]) {
    expect(text).toContain(part)
  }
  expect(await summary(patient.now.sessionId, 'en')).toBe(text)
  for (const language of ['fi', 'no', 'sv'])
    expect(await summary(patient.now.sessionId, language)).toContain('sore throat since Monday')
})

test('6. Text summary: only red flags are listed as not asked', async () => {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  await patient.answerThrough(
    { complaints: ['sore-throat'], major_bleeding: true },
    (_asked, view) => view.alarm !== null,
  )
  await patient.stop()
  const text = await summary(patient.now.sessionId, 'en')
  expect(text.match(/Not asked: /g)).toHaveLength(1)
  expect(text).toContain('Stopped before the interview was complete')
})
