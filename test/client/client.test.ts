import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FyrClient, FyrProblem, FyrUnreachable } from '../../src/client/index.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import { behindTrouble, cutOff, lost, refusing, type Trouble } from './trouble.ts'

let world: World
let clinic: Clinic
let fyr: FyrClient
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  fyr = new FyrClient({ baseUrl: world.url, apiKey: clinic.key })
})
afterAll(() => world.close())

/** The client, with something between it and Fyr that makes trouble. */
async function throughTrouble(...troubles: Trouble[]) {
  const { url, requests, stop } = await behindTrouble(world.url, ...troubles)
  return { client: new FyrClient({ baseUrl: url, apiKey: clinic.key, maxWaitSeconds: 2 }), requests, stop }
}

test('the client speaks the whole interface', async () => {
  const created = await fyr.createSession({
    text: 'A cough',
    patient: { age: 40, sex: 'Female' },
    extendedData: { a: 1 },
  })
  expect(created.sessionStatus).toMatch(/Created/)
  expect(await fyr.getSession(created.sessionId)).toMatchObject({
    descriptionOfMatter: 'A cough',
    patientAge: 40,
    urgency: 'No urgency set',
  })
  expect(await fyr.getSessionStatus(created.sessionId)).toEqual({ sessionStatus: created.sessionStatus })
  expect((await fyr.getDecisionSupportLink(created.sessionId, 'Dr Ä & Ö')).link).toContain('/decision-support/')
  expect(await fyr.getSessionFiles(created.sessionId)).toEqual([])
  expect((await fyr.getSessionSummary(created.sessionId, 'fi')).data).toContain('A cough')
  expect(new TextDecoder().decode((await fyr.getSessionPdf(created.sessionId)).subarray(0, 5))).toBe('%PDF-')
  expect(await fyr.getSessionFhir(created.sessionId, 'sv')).toMatchObject({ resourceType: 'Bundle' })
  expect(await fyr.getSessionJudgements(created.sessionId)).toEqual([])
  expect(await fyr.exportSession(created.sessionId, 'fi')).toMatchObject({
    language: 'fi',
    descriptionOfMatter: 'A cough',
    accessLog: expect.arrayContaining([expect.objectContaining({ action: 'session.exported' })]),
  })
  expect(await fyr.closeAccess('CapLimitReached')).toMatchObject({ open: false, closedReason: 'CapLimitReached' })
  expect(await fyr.getAccess()).toMatchObject({ open: false })
  expect(await fyr.openAccess()).toMatchObject({ open: true, closedReason: null })
  expect((await fyr.countSessions({ start: '2020-01-01T00:00:00+02:00' })).active).toBeGreaterThanOrEqual(0)
  await fyr.eraseSession(created.sessionId)
  await expect(fyr.eraseSession(created.sessionId)).rejects.toMatchObject({ status: 404, code: 'session-not-found' })
})

test('listed sessions come page after page', async () => {
  const other = await world.clinic()
  const client = new FyrClient({ baseUrl: world.url, apiKey: other.key })
  const made = []
  for (let at = 0; at < 5; at++) made.push((await client.createSession()).sessionId)
  const listed = []
  for await (const { sessionId } of client.eachSession({ limit: 2 })) listed.push(sessionId)
  expect(listed.sort()).toEqual(made.sort())
  expect((await client.listSessions({ limit: 2 })).nextCursor).toEqual(expect.any(String))
})

test('a refusal is a FyrProblem with status and code', async () => {
  const unknown = fyr.getSession('00000000-0000-4000-8000-000000000000')
  await expect(unknown).rejects.toMatchObject({ name: 'FyrProblem', status: 404, code: 'session-not-found' })
  await expect(unknown).rejects.toBeInstanceOf(FyrProblem)
  const stranger = new FyrClient({ baseUrl: world.url, apiKey: 'wrong' })
  await expect(stranger.getAccess()).rejects.toMatchObject({ status: 403, code: 'key-invalid' })
})

test('a session whose answer was lost is created once: the repetition carries the same Idempotency-Key', async () => {
  const { client, requests, stop } = await throughTrouble(lost)
  const before = await world.sql('select count(*)::int as count from sessions')
  const { sessionId } = await client.createSession({ text: 'once' })
  stop()
  const after = await world.sql('select count(*)::int as count from sessions')
  expect(Number(after[0]?.count) - Number(before[0]?.count)).toBe(1)
  expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
    expect.any(String),
    requests[0]?.headers['idempotency-key'],
  ])
  expect(await fyr.getSessionStatus(sessionId)).toBeTruthy()
})

test('a reply that breaks off in its body is asked for again', async () => {
  const { client, requests, stop } = await throughTrouble(cutOff)
  expect(await client.getAccess()).toMatchObject({ open: expect.any(Boolean) })
  stop()
  expect(requests).toHaveLength(2)
})

test('what is busy is asked again after the wait it names, in seconds or as a date', async () => {
  const soon = new Date(Date.now() + 1_000).toUTCString()
  const { client, requests, stop } = await throughTrouble(
    refusing(503, { 'retry-after': '1' }),
    refusing(429, { 'retry-after': soon }),
  )
  const startedAt = performance.now()
  expect(await client.getAccess()).toMatchObject({ open: expect.any(Boolean) })
  stop()
  expect(requests).toHaveLength(3)
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990)
})

test('a wait that is too long is not waited for, and trouble that stays is told', async () => {
  const long = await throughTrouble(refusing(503, { 'retry-after': '3600' }))
  await expect(long.client.getAccess()).rejects.toMatchObject({ status: 503, code: 'overloaded' })
  expect(long.requests).toHaveLength(1)
  long.stop()
  const dead = await throughTrouble(...Array.from({ length: 9 }, () => refusing(503, { 'retry-after': '0' })))
  await expect(dead.client.getAccess()).rejects.toMatchObject({ status: 503 })
  expect(dead.requests).toHaveLength(4)
  dead.stop()
})

test('a refusal that repeating would not change is not repeated', async () => {
  const { client, requests, stop } = await throughTrouble()
  await expect(client.getSessionStatus('no-uuid')).rejects.toMatchObject({ status: 400 })
  stop()
  expect(requests).toHaveLength(1)
})

test('the key does not follow a redirect, and a stranger’s page is no answer', async () => {
  const moved: Trouble = (_request, response) =>
    response.writeHead(302, { location: `${world.url}/api/v1/accessControl` }).end()
  const page: Trouble = (_request, response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
  const redirecting = await throughTrouble(moved, moved, moved, moved)
  await expect(redirecting.client.getAccess()).rejects.toBeInstanceOf(FyrUnreachable)
  redirecting.stop()
  const proxied = await throughTrouble(page)
  await expect(proxied.client.getAccess()).rejects.toBeInstanceOf(FyrUnreachable)
  proxied.stop()
})

test('a caller can give up waiting', async () => {
  const { client, stop } = await throughTrouble(() => {})
  const signal = AbortSignal.timeout(100)
  await expect(client.getAccess({ signal })).rejects.toMatchObject({ name: 'TimeoutError' })
  stop()
})

test('every operation of the interface has its method', async () => {
  const document = await (await fetch(`${world.url}/api/openapi.json`)).json()
  const operations = Object.entries(document.paths as Record<string, Record<string, { operationId: string }>>)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId))
  expect(operations.length).toBeGreaterThanOrEqual(11)
  const methods = Object.getOwnPropertyNames(FyrClient.prototype)
  expect(operations.filter((operation) => !methods.includes(operation))).toEqual([])
})

test('the types are those of the OpenAPI document', () => {
  const check = spawnSync(process.execPath, ['scripts/client-types.ts', '--check'], { encoding: 'utf8' })
  expect([check.status, check.stderr]).toEqual([0, ''])
})
