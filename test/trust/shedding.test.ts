import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Patient } from '../journeys/patient.ts'
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
  expect(refused.headers).toMatchObject({ 'retry-after': '1', connection: 'close' })
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

/** So many requests that have begun and never end: their bodies do not come. */
async function unfinished(count: number, path: string): Promise<Socket[]> {
  const { port } = new URL(world.url)
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), '127.0.0.1')
      await new Promise<void>((sent) => socket.write(head, () => sent()))
      return socket
    }),
  )
}

test('F12: the fuller it is the less is let in: exports go first, then counts, then who is new, then who answers, and the emergency check last', async () => {
  const { key, slug } = await world.clinic()
  const patient = new Patient(world.url)
  await patient.enterOpen(slug)
  const id = patient.now.sessionId
  const check = `/api/triage/v1/configurations/${slug}/emergency-check`
  const kinds = {
    exports: () => send(`${world.url}/api/v1/session/${id}/pdf`, 'GET', { key }),
    counts: () => send(`${world.url}/api/v1/accessControl/sessionCount`, 'GET', { key }),
    others: () => send(`${world.url}/api/v1/session`, 'POST', { key }),
    answers: () => patient.look(),
    lastResort: () => send(`${world.url}${check}`, 'POST', { json: { language: 'en', answers: [] } }),
    probes: () => send(`${world.url}/healthz`, 'GET'),
  }
  const letIn = async () => {
    const allowed: string[] = []
    for (const [kind, ask] of Object.entries(kinds)) if ((await ask()).status !== 503) allowed.push(kind)
    return allowed
  }
  const order = Object.keys(kinds)
  const held: Socket[] = []
  for (const [full, refused] of [
    [9, 0],
    [10, 1],
    [13, 2],
    [16, 3],
    [20, 4],
    [40, 5],
  ] as const) {
    held.push(...(await unfinished(full - held.length, check)))
    await vi.waitFor(async () => expect(await letIn(), `${full} at once`).toEqual(order.slice(refused)), 10_000)
  }
  for (const socket of held) socket.destroy()
  await vi.waitFor(async () => expect(await letIn()).toEqual(order), 10_000)
})
