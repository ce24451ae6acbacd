import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newApiKey } from '../../src/account/key.ts'
import { changeConfiguration, configurationOf, keysOf, revokeKey } from '../../src/account/provision.ts'
import { type Ask, type Call, callerTo, expectProblem } from '../world/call.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import { ENDPOINTS, someId } from './endpoints.ts'

let world: World
let call: Call
let good: Clinic
let sessionId: string
const keys: Record<string, string> = {}

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  good = await world.clinic()
  sessionId = (await createdBy(good.key)).sessionId
  keys.revoked = await revoked()
  keys.expired = await expired()
  keys.missing = await withConfiguration((id) => world.sql('delete from configurations where id = $1', [id]))
  keys.disabled = await disabled()
  keys.faulty = await withConfiguration((id) =>
    world.sql(`update configurations set document = '{"name": 5}' where id = $1`, [id]),
  )
})
afterAll(() => world.close())

async function createdBy(key: string): Promise<{ sessionId: string }> {
  const reply = await call('POST', '/api/v1/session', { key })
  expect(reply.status).toBe(201)
  return reply.body as { sessionId: string }
}

async function revoked(): Promise<string> {
  const { key, slug } = await world.clinic()
  const configuration = await configurationOf(world.app.core, slug)
  const [issued] = await keysOf(world.app.core, configuration)
  await revokeKey(world.app.core, configuration, issued?.id ?? '')
  return key
}

async function expired(): Promise<string> {
  const { key, accountId } = await world.clinic()
  await world.sql(`update api_keys set expires_at = now() - interval '1 second' where account_id = $1`, [accountId])
  return key
}

async function withConfiguration(spoil: (configurationId: string) => Promise<unknown>): Promise<string> {
  const { key, configurationId } = await world.clinic()
  await spoil(configurationId)
  return key
}

async function disabled(): Promise<string> {
  const { key, slug } = await world.clinic()
  await changeConfiguration(world.app.core, await configurationOf(world.app.core, slug), { enabled: false })
  return key
}

const flipped = (text: string) => (text.endsWith('A') ? `${text.slice(0, -1)}B` : `${text.slice(0, -1)}A`)

for (const { section, method, path, json, ok } of ENDPOINTS) {
  describe(section, () => {
    const ask = (more: Ask): Promise<Awaited<ReturnType<Call>>> =>
      call(method, path(sessionId), { ...(json && { json }), ...more })

    test('Authentication 1: a valid key is answered', async () => {
      expect((await ask({ key: good.key })).status).toBe(ok)
    })

    test('Authentication 2: without the header the answer is 401 and says what to send', async () => {
      const reply = await ask({})
      expectProblem(reply, 401, 'key-missing')
      expect(reply.headers['www-authenticate']).toMatch(/^ApiKey/)
    })

    test('Authentication 2: a blank header is no header', async () => {
      for (const key of ['', ' ', '\t ']) expectProblem(await ask({ key }), 401, 'key-missing')
    })

    test('A05 a key in the query or the body is no key', async () => {
      const inQuery = `${path(sessionId)}${path('').includes('?') ? '&' : '?'}X-Service-API-Key=${good.key}`
      expectProblem(await call(method, inQuery, { ...(json && { json }) }), 401, 'key-missing')
      const body = { ...json, 'X-Service-API-Key': good.key }
      if (json) expectProblem(await call(method, path(sessionId), { json: body }), 401, 'key-missing')
    })

    test('Authentication 3, A06: a malformed key is refused', async () => {
      const { key } = good
      const malformed = [
        'x',
        'fyr_',
        key.slice(0, -1),
        `${key}x`,
        key.slice(4),
        flipped(key),
        key.toLowerCase(),
        `Bearer ${key}`,
        `"${key}"`,
        'é'.repeat(20),
      ]
      for (const one of malformed) expectProblem(await ask({ key: one }), 403, 'key-invalid')
    })

    test('Authentication 3, A05: the header sent twice is refused, even with the same good key', async () => {
      expectProblem(await ask({ key: [good.key, good.key] }), 403, 'key-invalid')
      expectProblem(await ask({ key: [good.key, newApiKey()] }), 403, 'key-invalid')
    })

    test('Authentication 3: an unknown key is refused', async () => {
      expectProblem(await ask({ key: newApiKey() }), 403, 'key-invalid')
    })

    for (const state of ['revoked', 'expired']) {
      test(`Authentication 3: a ${state} key is refused`, async () => {
        expectProblem(await ask({ key: keys[state] ?? '' }), 403, 'key-invalid')
      })
    }

    for (const state of ['missing', 'disabled', 'faulty']) {
      test(`Authentication 4: a good key whose configuration is ${state} is answered 404`, async () => {
        expectProblem(await ask({ key: keys[state] ?? '' }), 404, 'configuration-not-found')
      })
    }

    test('the key comes before the id, the query and the body', async () => {
      const bad = path('not-a-uuid').replace('auditUserIdentifier=dr-house', '')
      expectProblem(await call(method, bad, { raw: '{' }), 401, 'key-missing')
      expectProblem(await call(method, bad, { key: 'x', raw: '{' }), 403, 'key-invalid')
      expectProblem(await call(method, bad, { key: keys.disabled ?? '', raw: '{' }), 404, 'configuration-not-found')
    })
  })
}

describe('other paths under /api/v1', () => {
  for (const path of ['/api/v1', '/api/v1/', '/api/v1/nothing', `/api/v1/session/${someId()}/nothing`, '/api/v1/%zz']) {
    test(`${path.replace(/[0-9a-f-]{36}/, '{id}')} asks for the key before it says that there is nothing`, async () => {
      expectProblem(await call('GET', path), 401, 'key-missing')
      expectProblem(await call('GET', path, { key: 'x' }), 403, 'key-invalid')
      expectProblem(await call('GET', path, { key: keys.disabled ?? '' }), 404, 'configuration-not-found')
      expectProblem(await call('GET', path, { key: good.key }), 404, 'not-found')
    })
  }
})
