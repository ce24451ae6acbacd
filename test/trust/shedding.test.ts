import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerTo, expectProblem, send } from '../world/call.ts'
import { newWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld({ REQUESTS_IN_FLIGHT: '20' })
})
afterAll(() => world.close())

test('more requests at once than allowed are told to come back, probes are answered, and afterwards all is as before', async () => {
  const { key, slug } = await world.clinic()
  const call = callerTo(world)
  const check = () =>
    call('POST', `/api/triage/v1/configurations/${slug}/emergency-check`, { json: { language: 'en', answers: [] } })
  await world.sql('begin')
  await world.sql('lock table sessions in access exclusive mode')
  const waiting = Array.from({ length: 40 }, () => call('POST', '/api/v1/session', { key }))
  await wait(1_000)
  const refused = await call('GET', '/api/v1/accessControl', { key })
  expectProblem(refused, 503, 'overloaded')
  expect(refused.headers['retry-after']).toBe('1')
  expect((await send(`${world.url}/healthz`, 'GET')).status).toBe(200)
  expect((await check()).status).toBe(200) // F12: the emergency check is the last thing to be refused
  await world.sql('rollback')
  const statuses = (await Promise.all(waiting)).map(({ status }) => status)
  expect(statuses.every((status) => status === 201 || status === 503)).toBe(true)
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0)
  expect((await call('POST', '/api/v1/session', { key })).status).toBe(201)
})

test('requests that their clients gave up on do not count for ever', async () => {
  const { key } = await world.clinic()
  await world.sql('begin')
  await world.sql('lock table sessions in access exclusive mode')
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      Array.from({ length: 10 }, () =>
        fetch(`${world.url}/api/v1/session`, {
          method: 'POST',
          headers: { 'x-service-api-key': key },
          signal: AbortSignal.timeout(50),
        }).catch(() => {}),
      ),
    )
  }
  await world.sql('rollback')
  await wait(500)
  expect((await send(`${world.url}/api/v1/session`, 'POST', { key })).status).toBe(201)
})
