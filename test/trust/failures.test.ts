import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Call, callerTo, send } from '../world/call.ts'
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

const LEAKS =
  /\bat .+:\d+:\d+|\.ts\b|node_modules|\/src\/|select |insert |relation|column|syntax|postgres|pg_|stack|Error:|fastify/i

const PATHS = (id: string) => [
  ['POST', '/api/v1/session'],
  ['GET', `/api/v1/session/${id}`],
  ['GET', `/api/v1/session/${id}/status`],
  ['GET', `/api/v1/session/${id}/files`],
  ['GET', `/api/v1/session/${id}/summary`],
  ['GET', `/api/v1/session/${id}/pdf`],
  ['GET', `/api/v1/session/${id}/fhir`],
  ['GET', `/api/v1/session/${id}/judgements`],
  ['GET', `/api/v1/session/${id}/decisionSupportLink?auditUserIdentifier=x`],
  ['GET', '/api/v1/sessions'],
  ['GET', '/api/v1/accessControl'],
  ['GET', '/api/v1/accessControl/sessionCount'],
  ['POST', '/api/v1/accessControl/open'],
]

/** Renames something the statements need, tries everything, and puts it back. */
async function without(what: [breaking: string, mending: string], work: () => Promise<void>): Promise<void> {
  await world.sql(what[0])
  try {
    await work()
  } finally {
    await world.sql(what[1])
  }
}

test('A56 errors forced in fifty places say nothing of what is inside', async () => {
  const { body } = await call('POST', '/api/v1/session', { key: clinic.key, json: { text: 'A cough' } })
  const { sessionId } = body as { sessionId: string }
  const tables = ['sessions', 'audit_entries', 'audit_heads', 'access_events', 'link_tokens', 'accounts']
  const renames = [...tables, 'answers', 'uploads', 'judgements', 'completed_hours'].map((table): [string, string] => [
    `alter table ${table} rename to hidden`,
    `alter table hidden rename to ${table}`,
  ])
  for (const column of ['status', 'sealed_key', 'language'])
    renames.push([`alter table sessions rename ${column} to hidden`, `alter table sessions rename hidden to ${column}`])
  let failures = 0
  for (const rename of renames) {
    await without(rename, async () => {
      for (const [method = '', path = ''] of PATHS(sessionId)) {
        const reply = await call(method, path, { key: clinic.key })
        if (reply.status < 500) continue
        failures++
        expect([500, 503]).toContain(reply.status)
        const { type: _type, ...rest } = reply.body as Record<string, unknown>
        expect(JSON.stringify(rest)).not.toMatch(LEAKS)
        expect(reply.text).not.toContain('A cough')
        expect(reply.headers.server ?? reply.headers['x-powered-by']).toBeUndefined()
      }
    })
  }
  expect(failures).toBeGreaterThanOrEqual(50)
  for (const [method = '', path = ''] of PATHS(sessionId)) {
    expect((await call(method, path, { key: clinic.key })).status).toBeLessThan(300)
  }
})

test('A56 what a failing statement says stays out of the answer and of the log', async () => {
  const WORDS = 'the words of a patient'
  await world.sql(
    `create function quote() returns trigger language plpgsql as $$ begin raise exception '${WORDS}'; end $$`,
  )
  await without(
    [
      'create trigger quote before insert on sessions for each row execute function quote()',
      'drop trigger quote on sessions',
    ],
    async () => {
      const reply = await call('POST', '/api/v1/session', { key: clinic.key, json: { text: 'A cough' } })
      expect(reply.status).toBe(500)
      expect(reply.text).not.toContain(WORDS)
    },
  )
  expect(world.log()).toContain('"msg":"internal error"')
  expect(world.log()).not.toContain(WORDS)
})

test('A56 sealed text that was changed in the database is a 500 that reveals nothing and a marked line in the log', async () => {
  const { body } = await call('POST', '/api/v1/session', { key: clinic.key, json: { text: 'A cough' } })
  const { sessionId } = body as { sessionId: string }
  await world.sql(
    `update sessions set sealed_given_matter = set_byte(sealed_given_matter, 30, get_byte(sealed_given_matter, 30) # 1) where id = $1`,
    [sessionId],
  )
  const reply = await call('GET', `/api/v1/session/${sessionId}`, { key: clinic.key })
  expect(reply.status).toBe(500)
  expect(reply.text).not.toMatch(/cough|seal/i)
  expect(world.log()).toContain('"kind":"seal-broken"')
})

test('A52 a row moved to another account cannot be opened there', async () => {
  const other = await world.clinic()
  const { body } = await call('POST', '/api/v1/session', { key: clinic.key, json: { text: 'A cough' } })
  const { sessionId } = body as { sessionId: string }
  await world.sql('update sessions set account_id = $2, configuration_id = $3 where id = $1', [
    sessionId,
    other.accountId,
    other.configurationId,
  ])
  const reply = await call('GET', `/api/v1/session/${sessionId}`, { key: other.key })
  expect(reply.status).toBe(500)
  expect(reply.text).not.toContain('cough')
})

test('F36 a failing request is one 500; those beside it are answered', async () => {
  const { key } = clinic
  const { body } = await call('POST', '/api/v1/session', { key, json: { text: 'A cough' } })
  const { sessionId } = body as { sessionId: string }
  await world.sql(`update sessions set sealed_key = decode('00', 'hex') where id = $1`, [sessionId])
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      at % 3 === 0
        ? call('GET', `/api/v1/session/${sessionId}`, { key })
        : call(at % 3 === 1 ? 'POST' : 'GET', at % 3 === 1 ? '/api/v1/session' : '/api/v1/accessControl', { key }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, (_, at) => [500, 201, 200][at % 3]))
  expect((await send(`${world.url}/readyz`, 'GET')).status).toBe(200)
})

test('one bad row in a batch does not take its neighbours along', async () => {
  const { key } = clinic
  const headers = { 'Idempotency-Key': 'bad-neighbour' }
  await call('POST', '/api/v1/session', { key, headers, json: { text: 'first' } })
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      call('POST', '/api/v1/session', { key, ...(at === 7 ? { headers, json: { text: 'other' } } : { json: {} }) }),
    ),
  )
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(29)
  expect(replies[7]?.status).toBe(409)
})
