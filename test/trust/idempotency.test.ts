import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../world/call.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { newWorld, type World } from '../world/world.ts'

let world: World
let nodes: Node[]

beforeAll(async () => {
  world = await newWorld()
  const environment = {
    DATABASE_URL: world.databaseUrl,
    MASTER_KEY: world.masterKey.toString('base64'),
    PUBLIC_URL: 'https://fyr.example.org',
    REQUESTS_PER_SECOND_PER_KEY: '0',
  }
  nodes = await Promise.all(Array.from({ length: 3 }, () => spawnNode(environment)))
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await world.close()
})

test('F29 fifty equal requests with one Idempotency-Key on three nodes make one session', async () => {
  const { key, accountId } = await world.clinic()
  for (let round = 0; round < 3; round++) {
    const headers = { 'Idempotency-Key': `round-${round}` }
    const ask = (at: number) =>
      send(`${nodes[at % 3]?.url}/api/v1/session`, 'POST', { key, headers, json: { text: `Round ${round}` } })
    const replies = await Promise.all(Array.from({ length: 50 }, (_, at) => ask(at)))
    const made = replies.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    expect(new Set(made.map(({ text }) => text)).size).toBe(1)
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect(reply.status).toBe(409)
      expect((reply.body as { type: string }).type).toMatch(/idempotency-in-flight$/)
    }
    const again = await Promise.all([0, 1, 2].map(ask))
    expect(new Set([...again, ...made].map(({ text }) => text)).size).toBe(1)
  }
  const [row] = await world.sql('select count(*)::int as n from sessions where account_id = $1', [accountId])
  expect(row?.n).toBe(3)
  const [kept] = await world.sql('select count(*)::int as n from idempotency_keys where account_id = $1', [accountId])
  expect(kept?.n).toBe(3)
})

test('a request that failed may be sent again with the same Idempotency-Key', async () => {
  const { key } = await world.clinic()
  const headers = { 'Idempotency-Key': 'after-a-failure' }
  const url = `${nodes[0]?.url}/api/v1/session`
  await world.sql('alter table sessions rename to hidden')
  const failed = await send(url, 'POST', { key, headers, json: {} })
  await world.sql('alter table hidden rename to sessions')
  expect(failed.status).toBe(500)
  expect((await send(url, 'POST', { key, headers, json: {} })).status).toBe(201)
})
