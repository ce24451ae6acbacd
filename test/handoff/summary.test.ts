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
  expect(texts[0]).toContain('PATIENT\nAge: 61 years\nSex: Female\n')
  expect(texts[0]).toContain('URGENCY\nUrgency: No urgency set\nInterview: Not completed; this is how it stands\n')
  for (const labels of [
    ['Ikä: 61', 'Sukupuoli: Nainen'],
    ['Alder: 61', 'Kjønn: Kvinne'],
    ['Ålder: 61', 'Kön: Kvinna'],
  ])
    expect(texts.some((one) => labels.every((label) => one.includes(`\n${label}`)))).toBe(true)
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
    'PATIENT\nAge: 34 years\nSex: Female\nAnswered by: the patient\n',
    'URGENCY\nUrgency: Level 2, Emergency care without delay (within 10 minutes)\nFlag: Red flag\nWhy this urgency: ',
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

test('6. Text summary: under patient and urgency every line has its label, also of what is not known', async () => {
  const { sessionId } = await integrator({ world, urls: [world.url] }, clinic).post('/session')
  const text = await summary(String(sessionId), 'en')
  expect(text).toContain('PATIENT\nAge: not known\nSex: not known\n\nURGENCY\nUrgency: No urgency set\n')
  for (const language of ['en', 'fi', 'no', 'sv']) {
    const [, patient = '', urgency = ''] = (await summary(String(sessionId), language)).split('\n\n').slice(1)
    for (const section of [patient, urgency]) {
      expect(section).toMatch(/^\p{Lu}+\n/u)
      for (const line of section.split('\n').slice(1)) expect(line).toMatch(/^\p{Lu}[^:]*: \S/u)
    }
  }
})

test('6. Text summary: of a matter without urgency it says what info says', async () => {
  const system = integrator({ world, urls: [world.url] }, clinic)
  for (const issue_type of ['prescription', 'certificate', 'admin']) {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ issue_type })
    await patient.finish()
    const { sessionId } = patient.now
    const { urgency } = await system.get(`/session/${sessionId}`)
    expect(urgency).toBe('No urgency set')
    expect(await summary(sessionId, 'en')).toContain(`URGENCY\nUrgency: ${urgency}\n`)
  }
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
