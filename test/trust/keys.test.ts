import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyOf, newApiKey } from '../../src/account/key.ts'
import { configurationOf, keysOf, revokeKey, rotateKey } from '../../src/account/provision.ts'
import { type Call, callerTo, expectProblem, send } from '../world/call.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let call: Call
let clinic: Clinic

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  clinic = await world.clinic()
})
afterAll(() => world.close())

const keysFound = async (): Promise<number> => {
  const [row] = await world.sql(
    'select coalesce(sum(idx_scan), 0)::int as n from pg_stat_user_indexes where indexrelname = $1',
    ['api_keys_hash'],
  )
  return Number(row?.n)
}

test('A06 a key with a bad checksum is refused without asking the database', async () => {
  const settled = async () => {
    await new Promise((done) => setTimeout(done, 1_500)) // statistics arrive a moment later
    return keysFound()
  }
  const first = await keysFound()
  await send(`${world.url}/api/v1/accessControl`, 'GET', { key: newApiKey() })
  await expect.poll(keysFound).toBeGreaterThan(first)
  const before = await settled()
  for (let at = 0; at < 20; at++) {
    const key = newApiKey()
    const wrong = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
    expectProblem(await call('GET', '/api/v1/accessControl', { key: wrong }), 403, 'key-invalid')
  }
  expect(await settled()).toBe(before)
  for (let at = 0; at < 3; at++) await call('GET', '/api/v1/accessControl', { key: newApiKey() })
  await expect.poll(keysFound).toBeGreaterThan(before) // this test would see a look-up
})

test('A07 a key that begins like a real one is looked for as a random one is: once, by its whole hash', async () => {
  const { db } = world.app.core
  const { query } = db
  const asked: [name: string, values: unknown[]][] = []
  db.query = (statement, values = []) => {
    asked.push([statement.name, values])
    return query(statement, values)
  }
  try {
    const alike = keyOf(`${clinic.key.slice(4, 30)}${randomBytes(3).toString('hex')}`)
    for (const key of [newApiKey(), alike]) {
      asked.length = 0
      expectProblem(await call('GET', '/api/v1/accessControl', { key }), 403, 'key-invalid')
      const hash = createHash('sha256').update(key).digest()
      expect(asked.filter(([, values]) => values.length > 0)).toEqual([['key_door', [hash]]])
    }
  } finally {
    db.query = query
  }
})

test('A06 refused keys all get the same answer', async () => {
  const shapes = new Set<string>()
  for (const key of ['x', newApiKey(), newApiKey().slice(0, -1), `${clinic.key} `, clinic.key.toUpperCase()]) {
    const reply = await call('GET', '/api/v1/accessControl', { key })
    if (reply.status === 403) shapes.add(reply.text.replace(/"requestId":"[^"]+"/, ''))
  }
  expect(shapes.size).toBe(1)
})

describe('A08 guessing', () => {
  let limited: World
  beforeAll(async () => {
    limited = await newWorld({ INVALID_KEYS_PER_MINUTE: '20' })
  })
  afterAll(() => limited.close())

  test('after 20 wrong keys in a minute an address is told to wait; a good key from there still works', async () => {
    const { key } = await limited.clinic()
    const ask = callerTo(limited)
    const path = '/api/v1/accessControl'
    for (let at = 0; at < 40; at++) expect((await ask('GET', path)).status).toBe(401) // no key is no guess
    const statuses: number[] = []
    for (let at = 0; at < 25; at++) statuses.push((await ask('GET', path, { key: newApiKey() })).status)
    expect(statuses.slice(0, 20).every((status) => status === 403)).toBe(true)
    const refused = await ask('GET', path, { key: 'malformed' })
    expectProblem(refused, 429, 'too-many-requests')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await ask('GET', path, { key })).status).toBe(200)
    expect(limited.log()).toContain('"event":"key-guessing"')
    const metrics = await fetch(limited.metricsUrl).then((reply) => reply.text())
    expect(metrics).toMatch(/fyr_refusals_total\{reason="invalid key"\} 26/)
  })

  test('an address in X-Forwarded-For is believed from a trusted proxy only', async () => {
    const behind = await newWorld({ INVALID_KEYS_PER_MINUTE: '3', TRUSTED_PROXIES: '127.0.0.1' })
    try {
      const guess = async (world: World, from: string) => {
        const headers = { 'X-Forwarded-For': from }
        return (await send(`${world.url}/api/v1/accessControl`, 'GET', { key: newApiKey(), headers })).status
      }
      for (let at = 0; at < 6; at++) expect(await guess(behind, `203.0.113.${at}`)).toBe(403)
      for (let at = 0; at < 5; at++) await guess(behind, '203.0.113.99')
      expect(await guess(behind, '203.0.113.99')).toBe(429)
      // Whoever has IPv6 has more addresses than there are guesses: its whole /64 is one.
      for (let at = 0; at < 3; at++) expect(await guess(behind, `2001:db8:0:1::${at + 1}`)).toBe(403)
      expect(await guess(behind, '2001:db8:0:1:aaaa:bbbb:cccc:dddd')).toBe(429)
      expect(await guess(behind, '2001:db8:0:2::1')).toBe(403)
      expect(await guess(behind, '::ffff:203.0.113.99')).toBe(429)
      // Here nobody is trusted, so a made-up address gives nobody a fresh budget.
      const statuses = await Promise.all(Array.from({ length: 40 }, (_, at) => guess(limited, `198.51.100.${at}`)))
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(10)
    } finally {
      await behind.close()
    }
  })

  test('one key may send its share of requests a second; others are unaffected', async () => {
    const shared = await newWorld({ REQUESTS_PER_SECOND_PER_KEY: '5' })
    try {
      const [one, two] = [await shared.clinic(), await shared.clinic()]
      const ask = callerTo(shared)
      const burst = await Promise.all(
        Array.from({ length: 30 }, () => ask('GET', '/api/v1/accessControl', { key: one.key })),
      )
      const refused = burst.filter(({ status }) => status === 429)
      expect(refused.length).toBeGreaterThan(10)
      expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
      expect((await ask('GET', '/api/v1/accessControl', { key: two.key })).status).toBe(200)
    } finally {
      await shared.close()
    }
  })
})

describe('A09 other nodes', () => {
  let node: Node
  beforeAll(async () => {
    node = await spawnNode({ DATABASE_URL: world.databaseUrl, MASTER_KEY: world.masterKey.toString('base64') })
  })
  afterAll(async () => {
    await node.stop()
  })

  const statusAt = async (key: string) => (await send(`${node.url}/api/v1/accessControl`, 'GET', { key })).status

  /** How long until the other node answers as expected, at most the promised five seconds and the time to ask. */
  async function becomes(key: string, wanted: number): Promise<boolean> {
    const deadline = Date.now() + 5_000
    for (;;) {
      if ((await statusAt(key)) === wanted) return true
      if (Date.now() > deadline) return false
      await new Promise((done) => setTimeout(done, 50))
    }
  }

  test('a key revoked here is dead there within five seconds, and a new one works there at once', async () => {
    const { key, slug } = await world.clinic()
    expect(await statusAt(key)).toBe(200)
    const configuration = await configurationOf(world.app.core, slug)
    const [issued] = await keysOf(world.app.core, configuration)
    await revokeKey(world.app.core, configuration, issued?.id ?? '')
    expect(await becomes(key, 403)).toBe(true)
  })

  test('a rotated key works beside the new one until its overlap ends, by the database’s clock', async () => {
    const { key, slug } = await world.clinic()
    const configuration = await configurationOf(world.app.core, slug)
    const [issued] = await keysOf(world.app.core, configuration)
    const fresh = await rotateKey(world.app.core, configuration, issued?.id ?? '', 3_600)
    expect([await statusAt(key), await statusAt(fresh.key)]).toEqual([200, 200])
    await world.sql(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [issued?.id])
    expect(await becomes(key, 403)).toBe(true) // no notice was sent: the node forgets by itself
    expect(await statusAt(fresh.key)).toBe(200)
  })

  test('a notice that is lost does not keep a revoked key alive', async () => {
    const { key, accountId } = await world.clinic()
    expect(await statusAt(key)).toBe(200)
    await world.sql('update api_keys set revoked_at = now() where account_id = $1', [accountId])
    expect(await becomes(key, 403)).toBe(true)
  })
})
