import { connect } from 'node:net'
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

/** Requests that wait for a locked account. One that the service gives up comes again, so the house stays as full until the lock is gone. */
function occupy(count: number, key: string): Promise<void>[] {
  return Array.from({ length: count }, async () => {
    while ((await send(`${world.url}/api/v1/session`, 'POST', { key })).status !== 201) await wait(20)
  })
}

const soon = <T>(read: () => T) => expect.poll(read, { timeout: 30_000, interval: 20 })

test('F12: when nobody new is let in, whoever answers goes on, the clinic can close, and the way to the emergency check is open', async () => {
  const [busy, other] = [await world.clinic(), await world.clinic()]
  const script = /\/assets\/[^"]+\.js/.exec(await (await fetch(`${world.url}/t/${other.slug}`)).text())?.[0]
  await world.sql('begin')
  await world.sql('select 1 from audit_heads where account_id = $1 for update', [busy.accountId])
  const waiting = occupy(16, busy.key)
  const isLetIn = async (route: string) => {
    const [method = '', path = ''] = route.split(' ')
    const json = method === 'GET' || method === 'DELETE' ? undefined : {}
    return (await send(`${world.url}${path}`, method, { key: other.key, json })).status !== 503
  }
  const [triage, session] = ['/api/triage/v1', '/api/v1/session/00000000-0000-4000-8000-000000000000']
  const file = `${triage}/session/files/00000000-0000-4000-8000-000000000000`
  const open = [
    'GET /healthz',
    'GET /readyz',
    'GET /emergency.html',
    `GET /t/${other.slug}`,
    `GET /s/${other.slug}`,
    `GET ${script}`,
    `GET ${triage}/configurations/${other.slug}`,
    `POST ${triage}/configurations/${other.slug}/emergency-check`,
    `GET ${triage}/session`,
    `GET ${triage}/session/questions/age`,
    ...['answers', 'back', 'finish', 'stop', 'proposals', 'files'].map((name) => `POST ${triage}/session/${name}`),
    `PUT ${triage}/session/language`,
    `GET ${triage}/session/files`,
    `PATCH ${file}`,
    `DELETE ${file}`,
    `POST ${triage}/sign-out`,
    'POST /api/v1/accessControl/close',
    'POST /api/v1/accessControl/open',
  ]
  const shut = [
    'POST /api/v1/session',
    `POST ${triage}/enter`,
    `POST ${triage}/configurations/${other.slug}/sessions`,
    ...['', '/status', '/files', '/summary', '/pdf', '/fhir'].map((rest) => `GET ${session}${rest}`),
    'GET /api/v1/sessions',
    'GET /api/v1/accessControl',
    'GET /api/v1/accessControl/sessionCount',
    'GET /api/decision-support/v1/picture',
  ]
  const isFull = () => soon(() => isLetIn('GET /api/v1/accessControl')).toBe(false)
  for (const route of open) {
    await isFull()
    expect([route, await isLetIn(route)]).toEqual([route, true])
  }
  for (const route of shut) await soon(async () => [route, await isLetIn(route)]).toEqual([route, false])
  await world.sql('rollback')
  await Promise.all(waiting)
})

test('F12: before that, exports are refused, and then counts', async () => {
  const [busy, other] = [await world.clinic(), await world.clinic()]
  await world.sql('begin')
  await world.sql('select 1 from audit_heads where account_id = $1 for update', [busy.accountId])
  const session = '/session/00000000-0000-4000-8000-000000000000'
  const kinds = { exports: [`${session}/pdf`, `${session}/fhir`], counts: ['/accessControl/sessionCount', '/sessions'] }
  const refused = async () => {
    const found: string[] = []
    for (const [kind, paths] of Object.entries({ ...kinds, others: [`${session}/status`] }))
      for (const path of paths)
        if ((await send(`${world.url}/api/v1${path}`, 'GET', { key: other.key })).status === 503) found.push(kind)
    return found
  }
  const waiting = occupy(10, busy.key)
  await soon(refused).toEqual(['exports', 'exports'])
  waiting.push(...occupy(3, busy.key))
  await soon(refused).toEqual(['exports', 'exports', 'counts', 'counts'])
  await world.sql('rollback')
  await Promise.all(waiting)
})

test('the bytes of a file are not waited for when a stranger sends them', async () => {
  const { port } = new URL(world.url)
  const socket = connect(Number(port), '127.0.0.1')
  const path = '/api/triage/v1/session/files/00000000-0000-4000-8000-000000000000'
  const head = ['Host: x', 'Content-Type: application/octet-stream', 'Upload-Offset: 0', 'Content-Length: 20000000']
  socket.write([`PATCH ${path} HTTP/1.1`, ...head, '', 'the first of them'].join('\r\n'))
  const reply = await new Promise<string>((heard) => socket.once('data', (bytes) => heard(String(bytes))))
  socket.destroy()
  expect(reply).toMatch(/^HTTP\/1.1 401 /)
})

test('a NUL in an address is nobody’s address', async () => {
  expect((await send(`${world.url}/t/%00`, 'GET')).status).toBe(404)
  expect((await send(`${world.url}/api/triage/v1/configurations/%00`, 'GET')).status).toBe(404)
})
