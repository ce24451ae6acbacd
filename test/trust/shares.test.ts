import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { callerTo, expectProblem, type Reply, send } from '../world/call.ts'
import { Patient } from '../world/patient.ts'
import { newWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

const COUNT = '/api/v1/accessControl/sessionCount'

/** How many statements wait for something that the test holds. */
async function waiting(): Promise<number> {
  const [row] = await world.sql(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return Number(row?.n)
}

test('F08 an account whose counts are slow has two of them running and a short line, and nobody else notices', async () => {
  const [slow, other] = [await world.clinic(), await world.clinic()]
  const call = callerTo(world)
  const { body } = await call('POST', '/api/v1/session', { key: other.key })
  const { sessionId } = body as { sessionId: string }
  await world.sql('begin')
  await world.sql('lock table completed_hours in access exclusive mode')
  const replies: Reply[] = []
  const asked = Array.from({ length: 60 }, async () => {
    replies.push(await send(`${world.url}${COUNT}`, 'GET', { key: slow.key }))
  })
  const refused = () => replies.filter(({ status }) => status === 429)
  await vi.waitFor(() => expect(refused().length).toBeGreaterThan(30), 40_000)
  for (const reply of refused()) {
    expectProblem(reply, 429, 'too-many-requests')
    expect(reply.headers['retry-after']).toBe('1')
  }
  expect(await waiting()).toBeLessThanOrEqual(2)

  expect((await call('GET', `/api/v1/session/${sessionId}/status`, { key: other.key })).status).toBe(200)
  expect((await call('GET', `/api/v1/session/${sessionId}`, { key: other.key })).status).toBe(200)
  expect((await call('GET', '/api/v1/sessions?status=Created', { key: other.key })).status).toBe(200)
  expect((await call('GET', `/api/v1/session/${sessionId}/status`, { key: slow.key })).status).toBe(404)
  expect((await call('POST', '/api/v1/session', { key: slow.key })).status).toBe(201)
  const patient = new Patient(world.url)
  expect((await patient.enterOpen(slow.slug)).status).toBe(201)
  expect((await patient.answer('for_whom', 'self')).status).toBe(200)
  expect((await send(`${world.url}/t/${slow.slug}`, 'GET')).status).toBe(200)

  await world.sql('rollback')
  await Promise.all(asked)
  for (const reply of replies.filter((one) => !refused().includes(one)))
    if (reply.status !== 200) expectProblem(reply, 503, 'overloaded') // under load it may have waited too long
  expect((await call('GET', COUNT, { key: slow.key })).body).toEqual({ completed: 0, active: 2 })
})

test('F08 who waits too long in the line is told to come back, and the line is free again', async () => {
  const clinic = await world.clinic()
  const call = callerTo(world)
  await world.sql('begin')
  await world.sql('lock table completed_hours in access exclusive mode')
  const replies = await Promise.all(Array.from({ length: 6 }, () => call('GET', COUNT, { key: clinic.key })))
  await world.sql('rollback')
  for (const reply of replies) {
    expectProblem(reply, 503, 'overloaded')
    expect(reply.headers['retry-after']).toBe('1')
  }
  expect((await call('GET', COUNT, { key: clinic.key })).status).toBe(200)
})
