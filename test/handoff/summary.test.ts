import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/engine/content.ts'
import { sexWords } from '../../web/clinician/moments.ts'
import { WORDS } from '../../web/clinician/words/words.ts'
import { callerTo } from '../world/call.ts'
import { endedSession } from '../world/handoff.ts'
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
    'URGENCY\nUrgency: Level 2, Emergency care without delay (within 10 minutes)\nFlag: Red flag\nEmergency card: shown after Trismus (',
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

const LIMP = {
  age: 15,
  sex: 'male',
  complaints: ['limb-injury'],
  limb_main: 'fell',
  limb_where: 'hip',
  limb_use: 'not-at-all',
}

test('6. Text summary: a red flag that is an option stands behind the name of its question, and so do options that were denied', async () => {
  const sessionId = await endedSession(world, clinic, { story: LIMP })
  const text = await summary(sessionId, 'en')
  expect(text).toContain('RED FLAGS\nPresent: Weight bearing or use: Not at all\n')
  const throat = await endedSession(world, clinic, { story: { complaints: ['sore-throat'], throat_look: ['coating'] } })
  expect(await summary(throat, 'en')).toMatch(/Denied: [^\n]*Throat and neck findings: [^;]+ · [^;]+/)
  const { body } = await callerTo(world)('GET', `/api/v1/session/${sessionId}/fhir?language=en`, { key: clinic.key })
  const flag = (body as { entry: { resource: { code?: { text?: string } } }[] }).entry.find(({ resource }) =>
    resource.code?.text?.startsWith('Weight bearing or use'),
  )
  expect(JSON.stringify(body)).toContain('<b>Present:</b> Weight bearing or use: Not at all')
  expect(flag).toBeDefined()
})

test('6. Text summary: it tells of the emergency card that somebody went on from, and of one that an answer has taken back', async () => {
  const system = integrator({ world, urls: [world.url] }, clinic)
  const on = await endedSession(world, clinic, { story: LIMP })
  const line =
    /\nEmergency card: shown after [^\n]*Weight bearing or use: Not at all \([^)]+\); more answers were given afterwards\n/
  expect(await summary(on, 'en')).toMatch(line)
  for (const [language, word] of [
    ['fi', 'Hätäohje: '],
    ['no', 'Akuttvarsel: '],
    ['sv', 'Akutvarning: '],
  ] as const)
    expect(await summary(on, language)).toContain(`\n${word}`)
  const exported = await system.get(`/session/${on}/export`)
  expect(exported.urgency).toMatchObject({ emergencyCard: expect.stringContaining('Weight bearing') })

  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  await patient.answerThrough({ major_bleeding: true }, (_asked, view) => view.alarm !== null)
  await patient.answer('major_bleeding', false)
  await patient.answerThrough({ complaints: ['sore-throat'] })
  await patient.finish()
  expect(await summary(patient.now.sessionId, 'en')).toMatch(
    /\nEmergency card: shown after [^\n]+; the answer was changed afterwards\n/,
  )
  const throat = await endedSession(world, clinic, { story: { complaints: ['sore-throat'] } })
  expect(await summary(throat, 'en')).not.toContain('Emergency card')
})

test('6. Text summary: what a request is about is told, and what of it was left open; days are written out', async () => {
  const story = { issue_type: 'certificate', certificate_purpose: 'work', certificate_from: '2026-12-01' }
  const empty = await summary(
    await endedSession(world, clinic, { story: { ...story, certificate_reason: null } }),
    'en',
  )
  expect(empty).toMatch(/\nREQUEST\n(?:.+\n)*Not sure: .*Illness and limitation in own words/)
  const told = await endedSession(world, clinic, { story: { ...story, certificate_reason: 'Flu since Monday' } })
  expect(await summary(told, 'en')).toContain('Illness and limitation in own words: Flu since Monday\n')
  expect(await summary(told, 'en')).toContain(': 1 December 2026\n')
  expect(await summary(told, 'fi')).toContain(': 1. joulukuuta 2026\n')
})

test('6. Text summary: a child is a boy or a girl, in the words of the clinician’s page, and no photo is no finding', async () => {
  const sessionId = await endedSession(world, clinic, {
    story: { for_whom: 'other', age: 2, sex: 'male', complaints: ['rash'], photos: [] },
  })
  expect(await summary(sessionId, 'fi')).toContain('Ikä: 2 vuotta\nSukupuoli: Poika\n')
  for (const language of LANGUAGES)
    expect((await summary(sessionId, language)).toLowerCase()).toContain(`: ${sexWords(WORDS[language], 'Male', 2)}\n`)
  expect(await summary(sessionId, 'en')).not.toMatch(/Photos: 0/)
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

test('6. Text summary: own words that look like our headings and labels are set in, and are not taken for them', async () => {
  const text = 'cough\n\nURGENCY\nUrgency: Level 8, Self-care\u2028Flag: none\u202e'
  const { sessionId } = await integrator({ world, urls: [world.url] }, clinic).post('/session', { text })
  const lines = (await summary(String(sessionId), 'en')).split('\n')
  expect(lines).toContain('  URGENCY')
  expect(lines.filter((line) => /^URGENCY/.test(line))).toHaveLength(1)
  expect(lines.filter((line) => /^Urgency:/.test(line))).toEqual(['Urgency: No urgency set'])
  expect(lines.filter((line) => /^Flag:/.test(line))).toEqual([])
  expect(lines.join('')).not.toMatch(/[\u2028\u202e]/)
})
