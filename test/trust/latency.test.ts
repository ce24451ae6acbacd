import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../world/call.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import { slowProxy } from './database-proxy.ts'

const LATENCY_MS = 2_000
/** Five seconds are promised; what took its turn at the database as often as it likes would take ten and more. */
const ANSWERED_WITHIN_MS = 8_000

let world: World
let clinic: Clinic
let proxy: Awaited<ReturnType<typeof slowProxy>>
let node: Node

beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  proxy = await slowProxy(world.databaseUrl)
  node = await spawnNode({
    DATABASE_URL: proxy.url,
    MASTER_KEY: world.masterKey.toString('base64'),
    DATABASE_CONNECTIONS: '3',
    REQUESTS_PER_SECOND_PER_KEY: '0',
    REQUESTS_PER_SECOND_PER_USER: '0',
  })
})
afterAll(async () => {
  await node.stop()
  await proxy.close()
  await world.close()
})

type Ended = { what: string; status: number; type: unknown; retryAfter: unknown; ms: number }

async function ended(
  what: string,
  request: Promise<{ status: number; body: unknown; headers: unknown }>,
): Promise<Ended> {
  const startedAt = performance.now()
  const { status, body, headers } = await request
  const told = headers instanceof Headers ? Object.fromEntries(headers) : Object(headers)
  const type = (body as { type?: string } | null)?.type?.split('/').at(-1)
  return { what, status, type, retryAfter: told['retry-after'], ms: Math.round(performance.now() - startedAt) }
}

test('F07 a database that takes two seconds longer: requests are answered or refused by their own deadline, and afterwards all is as before', async () => {
  const { key, slug } = clinic
  const created = await send(`${node.url}/api/v1/session`, 'POST', { key, json: { text: 'A cough' } })
  const { sessionId } = created.body as { sessionId: string }
  const patients = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const patient = new Patient(node.url)
      await patient.enterOpen(slug)
      return patient
    }),
  )
  const get = (path: string) => send(`${node.url}/api/v1/session/${sessionId}${path}`, 'GET', { key })
  const askAll = () =>
    Array.from({ length: 6 }, () => [
      ended('status', get('/status')),
      ended('info', get('')),
      ended('summary', get('/summary')),
      ended('link', get('/decisionSupportLink?auditUserIdentifier=x')),
      ended(
        'create',
        send(`${node.url}/api/v1/session`, 'POST', { key, headers: { 'Idempotency-Key': crypto.randomUUID() } }),
      ),
      ended('enter', new Patient(node.url).enterOpen(slug)),
      ended('open', send(`${node.url}/api/v1/accessControl/open`, 'POST', { key })),
    ]).flat()
  // How slow this machine is, with the same requests and a fast database.
  const slowest = Math.max(...(await Promise.all(askAll())).map(({ ms }) => ms))
  proxy.delay(LATENCY_MS)
  const asked = askAll()
  const answers = patients.map((patient) => ended('answer', patient.answer('for_whom', 'self')))
  const all = await Promise.all([...asked, ...answers])
  for (const one of all) {
    if (one.status >= 300) expect(one).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
    expect(one.ms, one.what).toBeLessThan(ANSWERED_WITHIN_MS + 3 * slowest)
  }
  proxy.delay(LATENCY_MS + 500) // surely more than what being ready allows
  await expect.poll(async () => (await send(`${node.url}/readyz`, 'GET')).status).toBe(503)
  expect((await send(`${node.url}/healthz`, 'GET')).status).toBe(200)
  proxy.delay(0)
  await expect.poll(async () => (await send(`${node.url}/readyz`, 'GET')).status, { timeout: 30_000 }).toBe(200)
  expect((await get('')).status).toBe(200)
  expect((await send(`${node.url}/api/v1/session`, 'POST', { key })).status).toBe(201)
  for (const patient of patients) expect((await patient.look()).status).toBe(200)
})
