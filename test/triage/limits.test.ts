import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { ABOUT, Patient } from '../world/patient.ts'
import { newWorld, type World } from '../world/world.ts'

const codeOf = (reply: { body: { type?: string } }) => reply.body.type?.split('/').at(-1)

describe('A08: guessing', () => {
  let limited: World
  beforeAll(async () => {
    limited = await newWorld({ INVALID_KEYS_PER_MINUTE: '5' })
  })
  afterAll(() => limited.close())

  test('A13: a cookie that was signed out, has expired or whose session was erased is 401 and no guess, however often it comes', async () => {
    const { slug, accountId } = await limited.clinic()
    const [out, expired, erased] = [
      new Patient(limited.url),
      new Patient(limited.url),
      new Patient(limited.url),
    ] as const
    for (const patient of [out, expired, erased]) expect((await patient.enterOpen(slug)).status).toBe(201)
    const cookie = out.cookie
    await out.call('POST', '/sign-out')
    out.cookie = cookie
    const id = expired.now.sessionId
    await limited.sql("update user_cookies set expires_at = now() - interval '1 second' where session_id = $1", [id])
    await eraseSession(limited.app.core, accountId, erased.now.sessionId, 'operator')
    for (let round = 0; round < 6; round++)
      for (const patient of [out, expired, erased]) {
        const looked = await patient.call('GET', '/session')
        expect([looked.status, codeOf(looked)]).toEqual([401, 'credential-missing'])
        const given = { id: randomUUID(), answers: ABOUT, version: 0 }
        expect((await patient.call('POST', '/session/answers', given)).status).toBe(401)
      }
    expect(await limited.sql('select 1 from answers where session_id = $1', [id])).toEqual([])

    const guesser = new Patient(limited.url)
    const statuses: number[] = []
    for (let guess = 0; guess < 8; guess++) {
      guesser.cookie = `fyr-user=${String(guess).repeat(43)}`
      statuses.push((await guesser.call('GET', '/session')).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    expect((await expired.call('GET', '/session')).status).toBe(401)
  })
})

describe('A31: what is asked before there is a session', () => {
  let limited: World
  beforeAll(async () => {
    limited = await newWorld({ LOOKS_PER_SECOND_PER_ADDRESS: '1' })
  })
  afterAll(() => limited.close())

  test('looks at a configuration and the emergency check have a budget each, and spend nobody else’s', async () => {
    const { slug } = await limited.clinic()
    const anyone = new Patient(limited.url)
    const check = () => anyone.call('POST', `/configurations/${slug}/emergency-check`, { answers: [] })
    const looks = await Promise.all(Array.from({ length: 40 }, () => anyone.call('GET', `/configurations/${slug}`)))
    const refused = looks.filter(({ status }) => status === 429)
    expect(looks.length - refused.length).toBeGreaterThanOrEqual(10)
    expect(refused.length).toBeGreaterThan(10)
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await check()).status).toBe(200)
    const checks = await Promise.all(Array.from({ length: 40 }, check))
    expect(checks.filter(({ status }) => status === 429).length).toBeGreaterThan(10)
    expect((await anyone.enterOpen(slug)).status).toBe(201)
  })

  test('a check takes no more answers than it has questions for', async () => {
    const { slug } = await limited.clinic()
    const answers = Array.from({ length: 61 }, () => ({ question: 'for_whom', value: 'self' }))
    const send = () => new Patient(limited.url).call('POST', `/configurations/${slug}/emergency-check`, { answers })
    await expect.poll(async () => (await send()).status, { timeout: 30_000, interval: 500 }).toBe(400)
  })

  test('a check takes no own words: it does not ask for them, and reading them would be work for nothing', async () => {
    const { slug } = await limited.clinic()
    const answers = [{ question: 'matter', value: 'moclobemid '.repeat(180) }]
    const send = () => new Patient(limited.url).call('POST', `/configurations/${slug}/emergency-check`, { answers })
    await expect.poll(async () => codeOf(await send()), { timeout: 30_000, interval: 500 }).toBe('invalid-answer')
  })
})

describe('A30: one user', () => {
  let world: World
  beforeAll(async () => {
    world = await newWorld()
  })
  afterAll(() => world.close())

  async function entered(): Promise<Patient> {
    const patient = new Patient(world.url)
    await patient.enterOpen((await world.clinic()).slug)
    return patient
  }

  test('gets no more than ten files at once into a session, however many are announced in one moment', async () => {
    const patient = await entered()
    const announce = () => patient.call('POST', '/session/files', { id: randomUUID(), name: 'a.jpg', size: 10 })
    const replies = await Promise.all(Array.from({ length: 30 }, announce))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect([reply.status, codeOf(reply)]).toEqual([409, 'too-many-files'])
  })

  test('cannot add and remove files for ever: a thousand are refused from the fifty-first on', async () => {
    const patient = await entered()
    let taken = 0
    for (let count = 0; count < 60; count++) {
      const id = randomUUID()
      const { status } = await patient.call('POST', '/session/files', { id, name: 'a.jpg', size: 10 })
      if (status === 200) taken++
      else expect(status).toBe(409)
      await patient.call('DELETE', `/session/files/${id}`)
    }
    expect(taken).toBe(50)
  })

  test('cannot answer for ever: a session takes a thousand answers and changes, and can be ended after them', {
    tags: 'thorough',
  }, async () => {
    const patient = await entered()
    await patient.answerThrough({ issue_type: 'admin' })
    while (patient.now.version < 1_000) expect((await patient.answer('age', 41)).status).toBe(200)
    const refused = await patient.answer('age', 42)
    expect([refused.status, codeOf(refused)]).toEqual([409, 'too-many-answers'])
    expect((await patient.back()).status).toBe(409)
    expect((await patient.finish()).status).toBe(200)
  })
})

test('A30 and A31: floods of sessions and answers are slowed down, and refused ones are not counted', async () => {
  const limited = await newWorld({ REQUESTS_PER_SECOND_PER_USER: '1' })
  try {
    const { slug, accountId } = await limited.clinic()
    const crowd = await Promise.all(Array.from({ length: 60 }, () => new Patient(limited.url).enterOpen(slug)))
    const refused = crowd.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(20)
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
    const [stored] = await limited.sql('select count(*)::int as n from sessions where account_id = $1', [accountId])
    expect(stored).toEqual({ n: crowd.length - refused.length })
    const patient = new Patient(limited.url)
    while ((await patient.enterOpen(slug)).status === 429) await new Promise((done) => setTimeout(done, 300))
    const looks = await Promise.all(Array.from({ length: 40 }, () => patient.call('GET', '/session')))
    expect(looks.some(({ status }) => status === 429)).toBe(true)
    const flood = await Promise.all(
      Array.from({ length: 200 }, () => patient.answer('for_whom', 'self', { version: 0 })),
    )
    expect(flood.filter(({ status }) => status === 429).length).toBeGreaterThan(100)
    const answers = await limited.sql('select 1 from answers where session_id = $1', [patient.now.sessionId])
    expect(answers.length).toBeLessThanOrEqual(1)
  } finally {
    await limited.close()
  }
})
