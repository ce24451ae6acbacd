import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/engine/content.ts'
import type { PictureBody } from '../../src/http/decision-support/schemas.ts'
import { callerTo, expectProblem, send } from '../world/call.ts'
import { answered, CHEST_PAIN, SORE_THROAT, visiting } from '../world/clinician.ts'
import { pointAt } from '../world/content.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(() => world.close())

const seen = async (sessionId: string, language = 'en') => (await visiting(world, clinic, sessionId)).picture(language)
const flagged = ({ redFlags }: PictureBody, state: string) =>
  redFlags.filter((flag) => flag.state === state).map(({ label }) => label)

describe('a finished session', () => {
  let picture: PictureBody
  let sessionId: string
  beforeAll(async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough(CHEST_PAIN, (asked) => asked === 'cold_sweat')
    await patient.answer('cold_sweat', null)
    await patient.back()
    await patient.answerThrough(CHEST_PAIN, (asked) => asked !== 'cold_sweat')
    await patient.answer('chest_timing', 'stabs')
    await patient.answer('chest_timing', 'now')
    await patient.answerThrough(CHEST_PAIN)
    await patient.finish()
    sessionId = patient.now.sessionId
    picture = await seen(sessionId)
  })

  test('says how urgent it is, with time frame and flag', () => {
    expect(picture.urgency).toEqual({
      level: 'Level1',
      flag: 'red',
      title: 'Emergency, now',
      time: 'within 10 minutes',
      isFinal: true,
    })
    expect(picture.patient).toEqual({ age: 67, sex: 'Male', userWasPatient: true })
    expect(picture.complaints).toEqual(['Chest pain'])
    expect(picture.notReviewed).toBe(true)
  })

  test('tells after which answer the emergency card was shown to somebody who answered on', () => {
    expect(picture.card).toMatchObject({ after: expect.stringMatching(/\S/), takenBack: false })
  })

  test('has the patient’s own words exactly as they were written', () => {
    expect(picture.matter).toBe(CHEST_PAIN.matter)
  })

  test('says why: the rule, the answers it rests on, and its source', () => {
    const [reason] = picture.reasons
    expect(reason?.label).toBe('Ongoing pain with typical features: possible acute coronary syndrome')
    expect(reason?.answers).toContainEqual({
      label: 'Central',
      of: 'Site and radiation',
      value: null,
      state: 'present',
    })
    expect(reason?.answers).toContainEqual({
      label: 'Presence and time',
      of: null,
      value: 'Present now',
      state: 'present',
    })
    expect(reason?.sources.length).toBeGreaterThan(0)
    expect(picture.alsoTrue.every(({ level }) => level > 'Level1')).toBe(true)
  })

  test('counts durations that would change the level as people do', () => {
    const told = picture.changes.flatMap(({ alternatives }) => alternatives.map(({ words }) => words))
    for (const words of told) expect(Number(/^(\d+) hours$/.exec(words)?.[1] ?? 0)).toBeLessThanOrEqual(48)
  })

  test('says what would change the level, and whether further questions would decide', () => {
    expect(picture.changes.length).toBeGreaterThan(0)
    for (const change of picture.changes) {
      expect(change.more).toBe(false) // nothing is more urgent than Level1
      expect(change.alternatives.length).toBeGreaterThan(0)
    }
    expect(picture.changes).toContainEqual(
      expect.objectContaining({
        label: 'Site and radiation',
        alternatives: expect.arrayContaining([{ kind: 'without', words: 'Central' }]),
      }),
    )
  })

  test('tells red flags that are there from denied ones and from those that were not asked', () => {
    expect(flagged(picture, 'present')).toEqual(['Cold sweat', 'Central', 'Arm or jaw', 'Nausea or vomiting'])
    expect(flagged(picture, 'denied')).toContain('Syncope')
    expect(flagged(picture, 'not-asked')).toContain('Sudden marked fatigue')
    expect(flagged(picture, 'denied')).not.toContain('Sudden marked fatigue')
  })

  test('has the history in sections, what is there first, and free words untouched', () => {
    const section = (name: string) => picture.history.find((one) => one.section === name)
    expect(section('timing')?.present).toContainEqual(
      expect.objectContaining({ label: 'Time since onset', values: ['3 hours'] }),
    )
    expect(section('medicines')?.present).toContainEqual({
      label: 'Medicine names',
      values: ['Bisoprolol 5 mg'],
      words: true,
      redFlag: false,
    })
    expect(section('medicines')?.denied).toContain('Anticoagulant')
    expect(section('history')?.present[0]?.values).toEqual(['Hypertension'])
    expect(section('history')?.present.map(({ label }) => label)).not.toContain('Background')
  })

  test('has conditions to consider with what speaks for and against', () => {
    expect(picture.considerations[0]?.label).toBe('Acute coronary syndrome')
    expect(picture.considerations[0]?.for.map(({ label }) => label)).toContain('Hypertension')
  })

  test('has the whole interview in order, with the edit and the withdrawal', () => {
    const timing = picture.interview.filter(({ label }) => label === 'Presence and time')
    expect(timing.map(({ kind, counts }) => [kind, counts])).toEqual([
      ['answered', false],
      ['changed', false],
      ['changed', true],
    ])
    expect(timing[2]).toMatchObject({
      answer: 'Yes, it is there now',
      before: 'Only brief stabs or flutters, seconds to a minute, then wholly gone',
    })
    const danger = picture.interview.filter(({ label }) => label === 'Cold sweat')
    expect(danger.map(({ kind }) => kind)).toEqual(['answered', 'withdrawn', 'answered'])
    const moments = picture.interview.map(({ at }) => at)
    expect(moments).toEqual([...moments].sort())
  })

  test('is the same in four languages but for the words, whatever the patient used', async () => {
    const shape = ({ reasons, redFlags, history, changes, interview, considerations }: PictureBody) => [
      reasons.map(({ level, answers }) => [level, answers.length]),
      redFlags.map(({ state }) => state),
      history.map(({ section, present, denied, unknown }) => [section, present.length, denied.length, unknown.length]),
      changes.map(({ level, decided, alternatives }) => [level, decided, alternatives.length]),
      interview.map(({ kind, counts }) => [kind, counts]),
      considerations.length,
    ]
    const titles = new Set<string>()
    for (const language of LANGUAGES) {
      const told = await seen(sessionId, language)
      expect(shape(told)).toEqual(shape(picture))
      expect(told.matter).toBe(CHEST_PAIN.matter)
      titles.add(String(told.urgency.title))
    }
    expect(titles.size).toBe(4)
  })

  test('the summary is exactly what the interface gives, in every language', async () => {
    const clinician = await visiting(world, clinic, sessionId)
    for (const language of LANGUAGES) {
      const path = `/api/v1/session/${sessionId}/summary?language=${language}`
      const overInterface = await send(`${world.url}${path}`, 'GET', { key: clinic.key })
      expect((await clinician.call('GET', `/summary?language=${language}`)).body).toEqual(overInterface.body)
    }
  })

  test('every answer of the decision support API is as its document says', async () => {
    const clinician = await visiting(world, clinic, sessionId)
    const call = callerTo(world)
    const headers = { cookie: clinician.cookie, 'x-visit-id': clinician.visitId, 'sec-fetch-site': 'same-origin' }
    const base = '/api/decision-support/v1'
    for (const path of ['/picture', '/summary'])
      expect((await call('GET', `${base}${path}`, { headers })).status).toBe(200)
    expect((await call('POST', `${base}/alive`, { headers, json: {} })).status).toBe(200)
    expectProblem(
      await call('GET', `${base}/picture?language=de`, { headers }),
      400,
      'invalid-request',
      '/query/language',
    )
    expectProblem(await call('POST', `${base}/visits`, { headers, json: { token: 1 } }), 400, 'invalid-request')
    expectProblem(await call('GET', `${base}/picture`), 401, 'visit-missing')
    expectProblem(await call('DELETE', `${base}/picture`, { headers }), 405, 'method-not-allowed')
  })
})

describe('any status', () => {
  test('a session whose patient has not begun shows what was given', async () => {
    const body = { patient: { age: 0.5, sex: 'Female' }, text: 'She coughs at night', userIsPatient: false }
    const made = await send(`${world.url}/api/v1/session`, 'POST', { key: clinic.key, json: body })
    const { sessionId } = made.body as { sessionId: string }
    const picture = await seen(sessionId)
    expect(picture.session).toMatchObject({ status: 'Created', startedTimestamp: null, ongoing: false })
    expect(picture).toMatchObject({
      matter: 'She coughs at night',
      urgency: { level: null, isFinal: false },
      interview: [],
    })
    expect(picture.patient).toEqual({ age: 0.5, sex: 'Female', userWasPatient: null })
  })

  test('a session that could not be set up is shown, too', async () => {
    const broken = await world.clinic()
    await pointAt(world, broken, 'not-published')
    const made = await send(`${world.url}/api/v1/session`, 'POST', { key: broken.key, json: { text: 'My knee' } })
    const { sessionId } = made.body as { sessionId: string }
    const picture = await (await visiting(world, broken, sessionId)).picture()
    expect(picture).toMatchObject({ matter: 'My knee', session: { status: 'AiSessionNotCreated' }, history: [] })
  })

  test('while the patient answers, the place in the interview and an alarm are shown at once', async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough(CHEST_PAIN, (asked) => asked === 'chest_pressure_5_minutes')
    const clinician = await visiting(world, clinic, patient.now.sessionId)
    const before = await clinician.picture()
    expect(before.session.ongoing).toBe(true)
    expect(before.now).toMatchObject({
      question: 'You wrote something that matters to us. Is any of this true?',
      left: expect.any(Number),
    })
    expect(before.urgency).toMatchObject({ level: null, isFinal: false })
    await patient.answerThrough(CHEST_PAIN, (asked) => asked === 'major_bleeding')
    await patient.answer('major_bleeding', true)
    const alarmed = await clinician.picture()
    expect(alarmed.urgency).toMatchObject({ level: 'Level1', flag: 'red', isFinal: false })
    expect(alarmed.reasons[0]?.label).toBe('Major haemorrhage')
    expect(alarmed.told).toBeNull()
    await patient.stop()
    expect(await clinician.picture()).toMatchObject({ urgency: { level: 'Level1', isFinal: true }, complete: false })
  })

  test('what the patient was warned of stands there before the last answer', async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    const words = { ...SORE_THROAT, matter: 'I think of ending my life' }
    await patient.answerThrough(words, (asked) => asked === 'suicidal_thoughts')
    await patient.answer('suicidal_thoughts', true)
    const { urgency } = await (await visiting(world, clinic, patient.now.sessionId)).picture()
    expect(urgency).toMatchObject({ level: 'Level4', isFinal: false })
  })

  test('a session left unfinished is said to be left', async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    const clinician = await visiting(world, clinic, patient.now.sessionId)
    await world.sql(`update sessions set active_until = now() - interval '1 minute' where id = $1`, [
      patient.now.sessionId,
    ])
    expect(await clinician.picture()).toMatchObject({ session: { ongoing: false }, now: null })
  })

  test('what a patient has none of is denied where its details would stand', async () => {
    const { sessionId } = await answered(world.url, clinic, SORE_THROAT)
    const { history } = await seen(sessionId)
    const denied = (name: string) => history.find(({ section }) => section === name)?.denied
    expect(denied('allergies')).toEqual(['Allergy'])
    expect(denied('medicines')).toEqual(['Regular or current medicines'])
    expect(denied('history')).toEqual(expect.arrayContaining(['Long-term illness', 'Weakened immune system']))
  })

  test('a plain no is denied by what was asked; an answer that says what is stands as it was given', async () => {
    const whom = { matter: 'bumped my head', complaints: ['head-injury'], age: 30, sex: 'male' }
    const bump = { hinj_how: 'standing', happened: { amount: 2, unit: 'hours' as const } }
    const well = { hinj_out: 'none-out', hinj_vomit: 'none-vomit', hinj_headache: 'none-headache' }
    const { sessionId } = await answered(world.url, clinic, { ...whom, ...bump, ...well })
    const { history } = await seen(sessionId)
    expect(history.flatMap(({ denied }) => denied)).not.toContain('Headache')
    expect(history.flatMap(({ present }) => present)).toContainEqual(
      expect.objectContaining({ label: 'Headache', values: ['None'] }),
    )
    const throat = await seen((await answered(world.url, clinic, SORE_THROAT)).sessionId)
    expect(throat.history.flatMap(({ denied }) => denied)).toContain('Fever')
  })

  test('what a patient does not know is unsure, not denied', async () => {
    const { sessionId } = await answered(world.url, clinic, { ...SORE_THROAT, breathless_no_sentence: null })
    const picture = await seen(sessionId)
    expect(flagged(picture, 'unsure')).toContain('Severe dyspnoea, cannot complete sentences')
    expect(flagged(picture, 'denied')).not.toContain('Severe dyspnoea, cannot complete sentences')
    expect(picture.history.find(({ section }) => section === 'findings')?.unknown.length).toBeGreaterThan(0)
  })
})

describe('judgements', () => {
  const judge = (urgency: string, reason: string, id: string = randomUUID()) => ({ id, urgency, reason })
  const CANARY = 'canary-reason-7f3a: looks septic'

  test('are kept sealed, audited, shown, and read over the interface', async () => {
    const { sessionId } = await answered(world.url, clinic, SORE_THROAT)
    const clinician = await visiting(world, clinic, sessionId, 'dr.judge')
    const reply = await clinician.call('POST', '/judgements', { json: judge('Level3', CANARY) })
    expect(reply.status).toBe(201)
    const picture = await clinician.picture()
    const { level } = picture.urgency
    const expected = {
      judgementId: expect.any(String),
      judgedTimestamp: expect.stringMatching(/Z$/),
      auditUserIdentifier: 'dr.judge',
      urgency: 'Level3',
      sessionUrgency: level,
      reason: CANARY,
    }
    expect(picture.judgements).toEqual([expected])
    const call = callerTo(world)
    const read = await call('GET', `/api/v1/session/${sessionId}/judgements`, { key: clinic.key })
    expect(read.body).toEqual([expected])
    const [row] = await world.sql('select sealed_reason, j::text as text from judgements j where session_id = $1', [
      sessionId,
    ])
    expect(row?.text).toContain('dr.judge')
    expect(row?.text).not.toContain('canary-reason')
    expect(Buffer.from(row?.sealed_reason as Buffer).includes('canary-reason')).toBe(false)
    const audit = await world.sql('select actor, action, detail from audit_entries where subject = $1', [sessionId])
    expect(audit).toContainEqual(expect.objectContaining({ actor: 'clinician:dr.judge', action: 'judgement.made' }))
    expect(audit).toContainEqual(expect.objectContaining({ action: 'session.judgements.read' }))
    expect(JSON.stringify(audit)).not.toContain('canary-reason')
    expect(world.log()).not.toContain('canary-reason')
    // The patient's outcome is what it was.
    const info = await send(`${world.url}/api/v1/session/${sessionId}`, 'GET', { key: clinic.key })
    expect((info.body as { urgency: string }).urgency).toBe(level)
  })

  test('sent twice are one; without a reason or with another level they are refused', async () => {
    const { sessionId } = await answered(world.url, clinic, SORE_THROAT)
    const clinician = await visiting(world, clinic, sessionId)
    const one = judge('Level2', 'the same')
    await clinician.call('POST', '/judgements', { json: one })
    expect((await clinician.call('POST', '/judgements', { json: one })).body).toHaveLength(1)
    for (const [body, pointer] of [
      [judge('Level2', '   '), '/reason'],
      [judge('Level2', ''), '/reason'],
      [judge('Level9', 'x'), '/urgency'],
      [judge('Level2', 'x'.repeat(1_001)), '/reason'],
      [judge('Level2', 'x', 'no-uuid'), '/id'],
    ] as const)
      expectProblem(await clinician.call('POST', '/judgements', { json: body }), 400, 'invalid-request', pointer)
    expect((await clinician.picture()).judgements).toHaveLength(1)
  })

  test('follow the key’s order of checks: key, id, look-up', async () => {
    const call = callerTo(world)
    const other = await world.clinic()
    const { sessionId } = await answered(world.url, clinic, SORE_THROAT)
    const path = (id: string) => `/api/v1/session/${id}/judgements`
    expectProblem(await call('GET', path('nonsense')), 401, 'key-missing')
    expectProblem(await call('GET', path('nonsense'), { key: clinic.key }), 404, 'session-not-found')
    expectProblem(await call('GET', path(sessionId), { key: other.key }), 404, 'session-not-found')
    expect((await call('GET', path(sessionId.toUpperCase()), { key: clinic.key })).body).toEqual([])
  })
})
