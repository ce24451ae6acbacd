import { spawnSync } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FyrClient, FyrProblem, FyrUnreachable } from '../../src/client/index.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
let fyr: FyrClient
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  fyr = new FyrClient({ baseUrl: world.url, apiKey: clinic.key })
})
afterAll(() => world.close())

type Trouble = (request: IncomingMessage, response: ServerResponse, forward: () => Promise<Response>) => void

/** Something between the client and Fyr that makes trouble, one kind for each request, then lets everything through. */
async function behindTrouble(
  ...troubles: Trouble[]
): Promise<{ client: FyrClient; requests: IncomingMessage[]; server: Server }> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => /^(x-|idem|content-type)/.test(name)),
      )
      const body = Buffer.concat(chunks)
      const forward = () =>
        fetch(`${world.url}${request.url}`, {
          method: request.method ?? 'GET',
          headers: headers as Record<string, string>,
          ...(body.length > 0 && { body }),
        })
      const trouble = troubles.shift()
      if (trouble) return trouble(request, response, forward)
      void forward().then(async (reply) =>
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text()),
      )
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const client = new FyrClient({ baseUrl: `http://127.0.0.1:${port}/`, apiKey: clinic.key, maxWaitSeconds: 2 })
  return { client, requests, server }
}

const refusing =
  (status: number, headers: Record<string, string> = {}): Trouble =>
  (_request, response) => {
    const problem = {
      type: 'https://fyr.example/problems/overloaded',
      title: 'Busy',
      status,
      detail: '',
      requestId: 'x',
    }
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers }).end(JSON.stringify(problem))
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
  expect(await fyr.closeAccess('CapLimitReached')).toMatchObject({ open: false, closedReason: 'CapLimitReached' })
  expect(await fyr.getAccess()).toMatchObject({ open: false })
  expect(await fyr.openAccess()).toMatchObject({ open: true, closedReason: null })
  expect((await fyr.countSessions({ start: '2020-01-01T00:00:00+02:00' })).active).toBeGreaterThanOrEqual(0)
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
  const lost: Trouble = (_request, response, forward) => void forward().then(() => response.destroy())
  const { client, requests, server } = await behindTrouble(lost)
  const before = await world.sql('select count(*)::int as count from sessions')
  const { sessionId } = await client.createSession({ text: 'once' })
  server.close()
  const after = await world.sql('select count(*)::int as count from sessions')
  expect(Number(after[0]?.count) - Number(before[0]?.count)).toBe(1)
  expect(requests.map(({ headers }) => headers['idempotency-key'])).toEqual([
    expect.any(String),
    requests[0]?.headers['idempotency-key'],
  ])
  expect(await fyr.getSessionStatus(sessionId)).toBeTruthy()
})

test('what is busy is asked again after the wait it names, in seconds or as a date', async () => {
  const soon = new Date(Date.now() + 1_000).toUTCString()
  const { client, requests, server } = await behindTrouble(
    refusing(503, { 'retry-after': '1' }),
    refusing(429, { 'retry-after': soon }),
  )
  const startedAt = performance.now()
  expect(await client.getAccess()).toMatchObject({ open: expect.any(Boolean) })
  server.close()
  expect(requests).toHaveLength(3)
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990)
})

test('a wait that is too long is not waited for, and trouble that stays is told', async () => {
  const long = await behindTrouble(refusing(503, { 'retry-after': '3600' }))
  await expect(long.client.getAccess()).rejects.toMatchObject({ status: 503, code: 'overloaded' })
  expect(long.requests).toHaveLength(1)
  long.server.close()
  const dead = await behindTrouble(...Array.from({ length: 9 }, () => refusing(503, { 'retry-after': '0' })))
  await expect(dead.client.getAccess()).rejects.toMatchObject({ status: 503 })
  expect(dead.requests).toHaveLength(4)
  dead.server.close()
})

test('a refusal that repeating would not change is not repeated', async () => {
  const { client, requests, server } = await behindTrouble()
  await expect(client.getSessionStatus('no-uuid')).rejects.toMatchObject({ status: 400 })
  server.close()
  expect(requests).toHaveLength(1)
})

test('the key does not follow a redirect, and a stranger’s page is no answer', async () => {
  const moved: Trouble = (_request, response) =>
    response.writeHead(302, { location: `${world.url}/api/v1/accessControl` }).end()
  const page: Trouble = (_request, response) =>
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
  const redirecting = await behindTrouble(moved, moved, moved, moved)
  await expect(redirecting.client.getAccess()).rejects.toBeInstanceOf(FyrUnreachable)
  redirecting.server.close()
  const proxied = await behindTrouble(page)
  await expect(proxied.client.getAccess()).rejects.toBeInstanceOf(FyrUnreachable)
  proxied.server.close()
})

test('a caller can give up waiting', async () => {
  const { client, server } = await behindTrouble(() => {})
  const signal = AbortSignal.timeout(100)
  await expect(client.getAccess({ signal })).rejects.toMatchObject({ name: 'TimeoutError' })
  server.closeAllConnections()
  server.close()
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
