import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Value } from '../../src/engine/content.ts'
import { listAuditEntries } from '../../src/store/audit.ts'
import { Patient, type View } from '../world/patient.ts'
import { readPdf } from '../world/pdf-reading.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(() => world.close())

async function play(story: Record<string, Value>, language = 'en'): Promise<Patient> {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug, { language })
  await patient.answerThrough(story, (_, view) => view.alarm !== null)
  return patient
}

function outcomeOf({ step }: View) {
  if (step.kind !== 'outcome') throw new Error(`The session is at ${step.kind}.`)
  return step.outcome
}

test('after a request nobody is promised an answer whom the clinic cannot reach', async () => {
  for (const [issue_type, promise] of [
    ['certificate', 'answers about'],
    ['prescription', 'tells you'],
    ['admin', 'answers in the way'],
  ] as const) {
    const patient = await play({ issue_type })
    await patient.finish()
    const { advice, next } = outcomeOf(patient.now)
    expect(advice.join(' '), issue_type).not.toContain(promise)
    expect(next.join(' '), issue_type).toMatch(/no number to reach you at.*If you hear nothing/)
  }
})

test('the emergency card says in the answers’ own words what made it appear, and what to do first', async () => {
  const patient = await play({ major_bleeding: true })
  const { alarm } = patient.now
  expect(alarm?.because).toEqual([patient.rowOf('major_bleeding')])
  expect(alarm?.firstActions[0]).toBe('Press hard on the bleeding with a cloth and keep pressing.')
  await patient.stop()
  const outcome = outcomeOf(patient.now)
  expect(outcome.because).toEqual(alarm?.because)
  expect(outcome.firstActions).toEqual(alarm?.firstActions)
  expect(outcome.say).toBe('Say where the blood comes from and that it does not stop.')
})

test('less urgent dangers are named beside the most urgent one, also to whoever is called, up to four', async () => {
  const patient = await play({ major_bleeding: true, confused_or_hard_to_wake: true })
  const { alarm } = patient.now
  expect(alarm?.level).toBe('Level1')
  expect(alarm?.because).toEqual(['major_bleeding', 'confused_or_hard_to_wake'].map((id) => patient.rowOf(id)))
  expect(alarm?.reasons).toHaveLength(2)
  expect(alarm?.say).toMatch(/Say.*Say/)
  await patient.stop()
  expect(outcomeOf(patient.now)).toMatchObject({
    because: alarm?.because,
    reasons: alarm?.reasons,
    say: alarm?.say,
  })
})

test('of many dangers the milder ones are left out, and two are said on the phone', async () => {
  const isTicked = ['major_bleeding', 'breathless_no_sentence', 'stroke_signs_last_day', 'chest_pressure_5_minutes']
  const ticked = Object.fromEntries([...isTicked, 'confused_or_hard_to_wake', 'about_to_faint'].map((id) => [id, true]))
  const { alarm } = (await play(ticked)).now
  const milder = (await play({ about_to_faint: true })).now.alarm
  expect([alarm?.level, milder?.level]).toEqual(['Level1', 'Level2'])
  expect(alarm?.reasons).not.toContain(milder?.reasons[0])
  expect(alarm?.say?.match(/Say/g)).toHaveLength(2)
})

test('of a rule with several ways to be true only what was answered is told', async () => {
  const patient = await play({ for_whom: 'other', age: 4, limp: true })
  const because = patient.now.alarm?.because ?? []
  expect(because).toEqual([patient.rowOf('limp')])
})

test('an answer that is no sign is told after its question', async () => {
  const patient = await play({
    complaints: ['chest-pain'],
    age: 58,
    chest_trouble: 'pain',
    chest_timing: 'now',
    chest_where: ['centre', 'arm-or-jaw'],
    chest_feel: ['pressure'],
    chest_worse: ['none'],
  })
  const because = patient.now.alarm?.because ?? []
  expect(because.some((line) => /\? .*middle/i.test(line) || /\? .*arm/i.test(line))).toBe(true)
  expect(because.join(' ')).not.toContain('58')
})

test('advice that several complaints give is said once', async () => {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  await patient.answerThrough({ complaints: ['sore-throat', 'chest-pain', 'abdominal-pain'] })
  await patient.finish()
  const { advice, safetyNet, reasons } = outcomeOf(patient.now)
  for (const list of [advice, safetyNet, reasons]) expect(new Set(list).size).toBe(list.length)
})

test('at the mild levels nothing is done first, and nobody is told what to say', async () => {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  await patient.answerThrough({ complaints: ['sore-throat'] })
  await patient.finish()
  expect(outcomeOf(patient.now)).toMatchObject({ firstActions: [], say: null })
})

test('the result is there as a PDF for its patient: what the page shows, in their language, and on record', async () => {
  const patient = await play({ major_bleeding: true }, 'sv')
  const fetchPdf = () => fetch(`${world.url}/api/triage/v1/session/pdf`, { headers: { cookie: patient.cookie ?? '' } })
  expect((await fetchPdf()).status).toBe(409)
  await patient.stop()
  const reply = await fetchPdf()
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const pdf = readPdf(Buffer.from(await reply.arrayBuffer()))
  const text = pdf.text.join(' ').replace(/\s+/g, ' ')
  const outcome = outcomeOf(patient.now)
  for (const line of [outcome.title, ...outcome.because, ...outcome.firstActions]) expect(text).toContain(line)
  expect(text).not.toContain(patient.rowOf('sex'))
  const entries = await listAuditEntries(world.app.core.db, clinic.accountId, {
    afterSeq: 0,
    subject: patient.now.sessionId,
    limit: 100,
  })
  expect(entries.filter(({ action }) => action === 'session.result.read')).toHaveLength(1)
})

test('nobody takes a result along who is not its user', async () => {
  expect((await fetch(`${world.url}/api/triage/v1/session/pdf`)).status).toBe(401)
})

test('closed, the gravest dangers are asked before age and sex, and one of them raises its card at once', async () => {
  const check = async (answers: { question: string; value: Value }[]) =>
    (await new Patient(world.url).call('POST', `/configurations/${clinic.slug}/emergency-check`, { answers })).body
  const first = await check([])
  const asked = (body: Record<string, unknown>) => (body.questions as { id: string; kind: string }[]) ?? []
  expect(asked(first).every(({ kind }) => kind === 'sign')).toBe(true)
  const no = asked(first).map(({ id }) => ({ question: id, value: false as Value }))
  for (const { id } of [...asked(first), ...asked(await check(no))]) {
    const body = await check([...no.filter(({ question }) => question !== id), { question: id, value: true }])
    const alarm = body.alarm as { level: string; because: string[]; firstActions: string[] } | null
    expect([id, alarm && alarm.level <= 'Level2']).toEqual([id, true])
    expect(alarm?.because).toHaveLength(1)
    expect(alarm?.firstActions.length).toBeGreaterThan(0)
  }
  const unsure = await check([{ question: 'major_bleeding', value: null }])
  expect(unsure.alarm).toMatchObject({ level: 'Level3' })
})
