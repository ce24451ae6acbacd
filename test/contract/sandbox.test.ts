import { afterAll, beforeAll, expect, test } from 'vitest'
import { configurationOf, issueKey, keysOf, rotateKey } from '../../src/account/provision.ts'
import { type Call, callerTo } from '../world/call.ts'
import { visiting } from '../world/clinician.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let call: Call
let clinic: Clinic
let sandbox: string
let test_: string
let real: string

/** A session made with this key and answered to its end. */
async function ended(key: string): Promise<string> {
  const { body } = await call('POST', '/api/v1/session', { key })
  const { sessionId, url } = body as { sessionId: string; url: string }
  const patient = new Patient(world.url)
  await patient.enter(url)
  await patient.answerThrough({})
  await patient.finish()
  return sessionId
}

const metric = async (event: string): Promise<number> => {
  const page = await fetch(world.metricsUrl).then((reply) => reply.text())
  return Number(new RegExp(`^fyr_sessions_total\\{event="${event}"\\} (\\d+)$`, 'm').exec(page)?.[1] ?? 0)
}

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  clinic = await world.clinic()
  const { key } = await issueKey(world.app.core, await configurationOf(world.app.core, clinic.slug), {
    isSandbox: true,
  })
  sandbox = key
  test_ = await ended(sandbox)
  real = await ended(clinic.key)
  await call('POST', '/api/v1/session', { key: sandbox })
})
afterAll(() => world.close())

test('what a sandbox key creates is in no count, no statistics and no metric, whichever key asks', async () => {
  const half = new Date(Date.now() - 60_000).toISOString()
  for (const key of [clinic.key, sandbox]) {
    for (const query of ['', `?start=${half}`])
      expect((await call('GET', `/api/v1/accessControl/sessionCount${query}`, { key })).body).toEqual({
        completed: 1,
        active: 0,
      })
    const { body } = await call('GET', '/api/v1/statistics', { key })
    expect((body as { total: object }).total).toMatchObject({ created: 1, started: 1, finished: 1 })
  }
  expect(await Promise.all(['created', 'started', 'finished'].map(metric))).toEqual([1, 1, 1])
})

test('the answer to an idempotency key of a sandbox key is never that of a real one', async () => {
  const made = async (key: string) => {
    const { body } = await call('POST', '/api/v1/session', {
      key,
      headers: { 'Idempotency-Key': 'visit-17' },
      json: {},
    })
    return (body as { sessionId: string }).sessionId
  }
  const [trial, booked] = [await made(sandbox), await made(clinic.key)]
  expect(booked).not.toBe(trial)
  expect([await made(sandbox), await made(clinic.key)]).toEqual([trial, booked])
})

test('it is a test in the listing and on the clinician’s page, and the ten endpoints say no more than ever', async () => {
  const { body } = await call('GET', '/api/v1/sessions?status=Ended', { key: clinic.key })
  const { sessions } = body as { sessions: { sessionId: string; isTest: boolean }[] }
  expect(new Map(sessions.map(({ sessionId, isTest }) => [sessionId, isTest]))).toEqual(
    new Map([
      [test_, true],
      [real, false],
    ]),
  )
  const reference = await call('GET', `/api/v1/sessions?shortReference=${test_.slice(0, 8)}`, { key: clinic.key })
  expect(reference.body).toMatchObject({ sessions: [{ isTest: true }] })
  for (const [id, isTest] of [
    [test_, true],
    [real, false],
  ] as const)
    expect((await (await visiting(world, clinic, id)).picture()).session.isTest).toBe(isTest)
  const info = await call('GET', `/api/v1/session/${test_}`, { key: sandbox })
  expect(JSON.stringify(info.body)).not.toMatch(/test/i)
})

test('a session cannot be made a test, or a test a session, past the program', async () => {
  await world.sql('update sessions set is_test = not is_test where id = $1', [real])
  expect((await call('GET', `/api/v1/session/${real}`, { key: clinic.key })).status).toBe(500)
  await world.sql('update sessions set is_test = not is_test where id = $1', [real])
})

test('a key that takes over from a sandbox key is one too', async () => {
  const { core } = world.app
  const configuration = await configurationOf(core, clinic.slug)
  const { id } = await issueKey(core, configuration, { isSandbox: true })
  const fresh = await rotateKey(core, configuration, id, 60)
  const kinds = (await keysOf(core, configuration)).filter((key) => [id, fresh.id].includes(key.id))
  expect(kinds.map((key) => key.is_sandbox)).toEqual([true, true])
})
