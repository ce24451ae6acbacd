import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Value } from '../../src/engine/content.ts'
import { ABOUT, Patient } from '../world/patient.ts'
import { integrator } from '../world/stage.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(() => world.close())

async function entered(): Promise<Patient> {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  return patient
}

async function at(question: string, story = {}): Promise<Patient> {
  const patient = await entered()
  await patient.answerThrough(story, (asked) => asked === question)
  expect(patient.screen).toContain(question)
  return patient
}

const codeOf = (reply: { body: { type?: string } }) => reply.body.type?.split('/').at(-1)

describe('answers that do not fit are refused and change nothing', () => {
  test('B08: a number is a number: texts, full-width and Arabic-Indic digits are refused, never read as something else', async () => {
    const patient = await at('age')
    for (const value of ['38,5', '38.5 ', '３８', '٣٨', '34', true, ['34']]) {
      const reply = await patient.answer('age', value as never)
      expect([reply.status, codeOf(reply)], String(value)).toEqual([400, 'invalid-answer'])
    }
    expect((await patient.look()).status).toBe(200)
    expect(patient.now.version).toBe(0)
  })

  test('B09: ages outside 0 to 130 are refused, the bounds are taken', async () => {
    for (const [age, status] of [
      [-1, 400],
      [131, 400],
      [151, 400],
      [0, 200],
      [0.5, 200],
      [130, 200],
    ] as const) {
      const patient = await at('age')
      expect((await patient.answer('age', age)).status, String(age)).toBe(status)
    }
    const system = integrator({ world, urls: [world.url] }, clinic)
    for (const birthDate of ['2999-01-01', '2023-02-29', '0001-01-01', '1895-01-01', '29.2.2020']) {
      expect((await system.post('/session', { patient: { birthDate } })).status, birthDate).toBe(400)
    }
    expect((await system.post('/session', { patient: { birthDate: '2024-02-29' } })).status).toBe(201)
    expect((await system.post('/session', { patient: { birthDate: '2024-02-29', age: 40 } })).status).toBe(400)
  })

  test('B10: NUL and half characters are refused; direction marks and piles of accents come back exactly', async () => {
    const patient = await at('matter')
    const send = (json: string) =>
      fetch(`${world.url}/api/triage/v1/session/answers`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: patient.cookie ?? '', 'sec-fetch-site': 'same-origin' },
        body: json,
      })
    for (const text of ['a\\u0000b', 'a\\ud800b']) {
      const body = `{"id":"${randomUUID()}","answers":[{"question":"matter","value":"${text}"},{"question":"issue_type","value":"regular"}],"version":${patient.now.version}}`
      expect((await send(body)).status).toBe(400)
    }
    const odd = `\u202eabc\u200d ${`e${'\u0301'.repeat(900)}`}`
    expect((await patient.answer('matter', odd)).status).toBe(200)
    expect(patient.now.ledger.find(({ question }) => question === 'matter')?.value).toBe(odd)
  })

  test('B11: 2,000 characters are taken and come back exactly, emoji and Sámi letters too; one more is refused', async () => {
    const patient = await at('matter')
    const long = `Čáhci đ ŋ ž 👩‍⚕️ שלום ${'ä'.repeat(2_000)}`
    const exact = [...long].slice(0, 2_000).join('')
    expect((await patient.answer('matter', `${exact}x`)).status).toBe(400)
    expect((await patient.answer('matter', exact)).status).toBe(200)
    const info = await integrator({ world, urls: [world.url] }, clinic).get(`/session/${patient.now.sessionId}`)
    expect(info.descriptionOfMatter).toBe(exact)
  })

  test('B19: a question that is not asked now is refused with the session as it is', async () => {
    const patient = await entered()
    const reply = await patient.answer('complaints', ['sore-throat'])
    expect([reply.status, codeOf(reply)]).toEqual([409, 'unexpected-question'])
    expect(reply.body.current?.step).toMatchObject({
      kind: 'ask',
      questions: [{ id: 'for_whom' }, { id: 'age' }, { id: 'sex' }],
    })
    expect(codeOf(await patient.answer('no_such_question', true))).toBe('unexpected-question')
    expect(codeOf(await patient.answer('__proto__', true))).toBe('unexpected-question')
  })

  test('a screen is answered as a whole: one answer missing is 400, a foreign one 409, one twice 400, and nothing is stored', async () => {
    const patient = await entered()
    const [forWhom, age, sex] = ABOUT
    if (!forWhom || !age || !sex) throw new Error('The first screen asks three things.')
    const missing = await patient.give([forWhom, age])
    expect([missing.status, codeOf(missing)]).toEqual([400, 'invalid-answer'])
    expect(missing.body.errors).toEqual([{ pointer: '/answers', message: 'The answer to "sex" is missing.' }])
    const foreign = await patient.give([...ABOUT, { question: 'matter', value: 'x' }])
    expect([foreign.status, codeOf(foreign)]).toEqual([409, 'unexpected-question'])
    const twice = await patient.give([...ABOUT, age])
    expect([twice.status, codeOf(twice)]).toEqual([400, 'invalid-answer'])
    const wrong = await patient.give([forWhom, { question: 'age', value: -1 }, sex])
    expect(wrong.body.errors).toMatchObject([{ pointer: '/answers/1/value' }])
    await patient.look()
    expect([patient.now.version, patient.now.ledger]).toEqual([0, []])
    expect((await patient.give([sex, age, forWhom])).status).toBe(200)
    expect(patient.now.ledger.map(({ question }) => question)).toEqual(['for_whom', 'age', 'sex'])
    expect(
      await world.sql('select count(*)::int as n from answers where session_id = $1', [patient.now.sessionId]),
    ).toEqual([{ n: 1 }])
    expect((await patient.back()).status).toBe(200)
    expect([patient.screen, patient.now.ledger]).toEqual([['for_whom', 'age', 'sex'], []])
  })

  test('a follow-up is answered where another answer on the screen calls for it, and nowhere else', async () => {
    const patient = await at('background', { complaints: ['sore-throat'], fever: 'no' })
    const say = async (said: Record<string, Value>) =>
      (await patient.give(Object.entries(said).map(([question, value]) => ({ question, value })))).status
    expect(patient.screen).toEqual(expect.arrayContaining(['illnesses', 'medicines', 'medicine_names', 'allergies']))
    const [background, medicines, names] = [['medicine'], ['anticoagulant'], 'warfarin']
    expect(await say({ background })).toBe(400)
    expect(await say({ background, medicines })).toBe(400)
    expect(await say({ background, medicines: ['none'], medicine_names: names })).toBe(409)
    expect(await say({ background: ['none'], medicines, medicine_names: names })).toBe(409)
    expect(await say({ background, medicines, medicine_names: names, allergies: ['none'] })).toBe(409)
    expect(await say({ background, medicines, medicine_names: names })).toBe(200)
  })

  test('B20: options that were not offered, two on a single choice, and an empty choice are refused', async () => {
    const patient = await at('for_whom')
    for (const value of ['nobody', ['self', 'other'], 'toString', 1])
      expect((await patient.answer('for_whom', value as never)).status, String(value)).toBe(400)
    const looking = await at('throat_look', { complaints: ['sore-throat'] })
    for (const value of [[], ['none', 'coating'], ['no-such-look'], ['coating', 'coating'], 'coating', true])
      expect((await looking.answer('throat_look', value as never)).status, String(value)).toBe(400)
    const man = await at('general_area', { sex: 'male', complaints: ['general'] })
    expect((await man.answer('general_area', ['pregnancy'])).status).toBe(400)
    const choosing = await at('complaints')
    for (const value of [[], ['sore-throat', 'chest-pain', 'abdominal-pain', 'general'], ['prescription']]) {
      expect((await choosing.answer('complaints', value)).status, String(value)).toBe(400)
    }
  })

  test('B20: a sign is there, not there or not known; a list takes no other answer and no sign that was not offered', async () => {
    const patient = await at('major_bleeding')
    const { version } = patient.now
    expect(patient.screen).not.toContain('unconscious_or_fitting') // of oneself nobody is asked that
    for (const value of ['yes', 'none', 1, [], ['major_bleeding']])
      expect((await patient.answer('major_bleeding', value as never)).status, String(value)).toBe(400)
    const list = patient.screen.map((question) => ({ question, value: false }))
    const foreign = await patient.give([...list, { question: 'unconscious_or_fitting', value: true }])
    expect([foreign.status, codeOf(foreign)]).toEqual([409, 'unexpected-question'])
    expect((await patient.give(list.slice(1))).status).toBe(400)
    await patient.look()
    expect(patient.now.version).toBe(version)
    const [first, second] = patient.screen
    const said = list.map(({ question }) => ({ question, value: question === second ? null : question === first }))
    expect((await patient.give(said)).status).toBe(200)
    expect(patient.now.ledger.at(-1)).toMatchObject({ question: first, kind: 'sign', value: [first] })
    expect(patient.now.ledger.at(-1)?.signs?.map(({ question, value }) => ({ question, value }))).toEqual(said)
    expect(patient.now.ledger.at(-1)?.answer).toMatch(/^Heavy bleeding.*; Not sure: About to faint/)
  })

  test('B21: after the end and after expiry nothing is taken, and nothing changes', async () => {
    const patient = await entered()
    await patient.answerThrough({ issue_type: 'admin' })
    await patient.finish()
    const ended = await world.sql('select * from sessions where id = $1', [patient.now.sessionId])
    for (const reply of [await patient.answer('for_whom', 'other'), await patient.back()])
      expect([reply.status, codeOf(reply)]).toEqual([409, 'session-finished'])
    expect(await world.sql('select * from sessions where id = $1', [patient.now.sessionId])).toEqual(ended)

    const late = await entered()
    await late.answerThrough({ issue_type: 'admin' })
    await world.sql("update sessions set active_until = now() - interval '1 second' where id = $1", [
      late.now.sessionId,
    ])
    const expired = await world.sql('select * from sessions where id = $1', [late.now.sessionId])
    for (const reply of [await late.answer('for_whom', 'other'), await late.back(), await late.finish()])
      expect([reply.status, codeOf(reply)]).toEqual([410, 'session-expired'])
    expect(await world.sql('select * from sessions where id = $1', [late.now.sessionId])).toEqual(expired)
  })

  test('unparsable, doubled and oversized bodies are refused', async () => {
    const patient = await entered()
    const send = (body: string, type = 'application/json') =>
      fetch(`${world.url}/api/triage/v1/session/answers`, {
        method: 'POST',
        headers: { 'content-type': type, cookie: patient.cookie ?? '', 'sec-fetch-site': 'same-origin' },
        body,
      })
    expect((await send('{"id":')).status).toBe(400)
    expect((await send('{"version":0,"version":1}')).status).toBe(400)
    expect((await send('x', 'text/plain')).status).toBe(415)
    expect((await send('--x\r\n\r\n--x--', 'multipart/form-data; boundary=x')).status).toBe(415)
    expect((await send(`{"id":"${'x'.repeat(70_000)}"}`)).status).toBe(413)
  })
})

describe('who may do what', () => {
  test('A40: with a cookie, changes from other sites are refused and nothing happens', async () => {
    const patient = await entered()
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ]) {
      const reply = await patient.call(
        'POST',
        '/session/answers',
        { id: randomUUID(), answers: ABOUT, version: 0 },
        headers,
      )
      expect([reply.status, codeOf(reply)]).toEqual([403, 'cross-site-request'])
    }
    const bare = (origin?: string) =>
      fetch(`${world.url}/api/triage/v1/session/answers`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: patient.cookie ?? '', ...(origin && { origin }) },
        body: JSON.stringify({ id: randomUUID(), answers: ABOUT, version: 0 }),
      })
    expect((await bare()).status).toBe(403)
    expect((await bare('https://evil.example')).status).toBe(403)
    expect((await bare('null')).status).toBe(403)
    await patient.look()
    expect(patient.now.version).toBe(0)
    expect((await bare(world.url.replace('127.0.0.1', 'localhost'))).status).toBe(200)
  })

  test('A11: a cookie value of the attacker’s choice is never adopted', async () => {
    const patient = new Patient(world.url)
    patient.cookie = `fyr-user=${'A'.repeat(43)}`
    await patient.enterOpen(clinic.slug)
    expect(patient.cookie).not.toContain('AAAAA')
    const stranger = new Patient(world.url)
    stranger.cookie = `fyr-user=${'A'.repeat(43)}`
    expect((await stranger.look()).status).toBe(401)
  })

  test('A12: a cookie opens its own session only; an app that believes in another one is told', async () => {
    const [one, other] = [await entered(), await entered()]
    const reply = await one.call('GET', '/session', undefined, { 'x-session-id': other.now.sessionId })
    expect([reply.status, codeOf(reply)]).toEqual([404, 'session-not-found'])
    expect((await one.call('GET', '/session', undefined, { 'x-session-id': one.now.sessionId })).status).toBe(200)
  })

  test('A02: an API key opens nothing here, and a user cookie nothing on the interface', async () => {
    const patient = await entered()
    const key = await fetch(`${world.url}/api/triage/v1/session`, { headers: { 'x-service-api-key': clinic.key } })
    expect(key.status).toBe(401)
    const cookie = await fetch(`${world.url}/api/v1/session/${patient.now.sessionId}`, {
      headers: { cookie: patient.cookie ?? '' },
    })
    expect(cookie.status).toBe(401)
  })

  test('A46: personal answers are never cached, and no path tricks a cache', async () => {
    const patient = await entered()
    const reply = await patient.look()
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect((await patient.call('GET', '/session/x.css')).status).toBe(404)
    expect((await patient.call('GET', '/session.css')).status).toBe(404)
  })

  test('A58: what the browser’s clock says plays no role', async () => {
    const patient = await entered()
    const reply = await patient.call(
      'POST',
      '/session/answers',
      { id: randomUUID(), answers: ABOUT, version: 0 },
      { date: new Date(0).toUTCString() },
    )
    expect(reply.status).toBe(200)
  })

  test('the cookie is bound to the host and kept from scripts; in a frame it is kept apart for each site', async () => {
    const secure = await newWorld({ PUBLIC_URL: 'https://triage.example.org' })
    try {
      const { slug } = await secure.clinic({ allowedOrigins: ['https://clinic.example.org'] })
      const enter = async (body: object) =>
        (
          await fetch(`${secure.url}/api/triage/v1/configurations/${slug}/sessions`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
            body: JSON.stringify(body),
          })
        ).headers.get('set-cookie')
      expect(await enter({})).toMatch(
        /^__Host-fyr-user=[\w-]{43}; Max-Age=259200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
      expect(await enter({ embedded: true })).toMatch(/^__Host-fyr-user=[\w-]{43}; .*Secure; .*SameSite=None/)
      expect(await enter({ embedded: true })).toContain('Partitioned')
    } finally {
      await secure.close()
    }
  })
})
