import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Effect } from '../../src/events/record.ts'
import { verifyChain } from '../../src/events/verify.ts'
import { sql } from '../../src/store/database/db.ts'
import { type Call, callerTo, expectProblem } from '../world/call.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let call: Call
let clinic: Clinic
let neighbour: Clinic

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  clinic = await world.clinic()
  neighbour = await world.clinic()
})
afterAll(() => world.close())

async function entered({ slug }: Clinic): Promise<Patient> {
  const patient = new Patient(world.url)
  await patient.enterOpen(slug)
  return patient
}

async function created({ key }: Clinic): Promise<string> {
  return ((await call('POST', '/api/v1/session', { key, json: { text: 'A cough' } })).body as { sessionId: string })
    .sessionId
}

/** Somebody else's transaction that holds rows, until it is told to let go. */
async function holding(text: string, values: unknown[]): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  client.on('error', () => {})
  await client.connect()
  await client.query('begin')
  await client.query(text, values)
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}

const LOCK_SESSIONS = 'select from sessions where id = any($1) for update'

test('F08 sessions that somebody holds do not keep others waiting: answers, reads and new sessions pass before them', async () => {
  const stuck = await Promise.all([entered(clinic), entered(clinic)])
  const others = await Promise.all([clinic, neighbour].flatMap((one) => Array.from({ length: 4 }, () => entered(one))))
  const known = await created(neighbour)
  const release = await holding(LOCK_SESSIONS, [stuck.map(({ now }) => now.sessionId)])
  const order: string[] = []
  const noted = async <T>(who: string, work: Promise<T>): Promise<T> => {
    const result = await work
    order.push(who)
    return result
  }
  const held = stuck.map((patient) => noted('held', patient.answer('for_whom', 'self')))
  const beside = [
    ...others.map(async (patient) => (await noted('beside', patient.answer('for_whom', 'self'))).status),
    noted('beside', call('GET', `/api/v1/session/${known}`, { key: neighbour.key })).then(({ status }) => status),
    noted('beside', call('POST', '/api/v1/session', { key: neighbour.key })).then(({ status }) => status),
  ]
  await wait(100)
  beside.push(
    noted('beside', call('GET', `/api/v1/session/${known}`, { key: neighbour.key })).then(({ status }) => status),
    noted('beside', call('POST', '/api/v1/session', { key: clinic.key })).then(({ status }) => status),
  )
  const statuses = await Promise.all(beside)
  expect(statuses.every((status) => status === 200 || status === 201)).toBe(true)
  expect(order).not.toContain('held')
  await release()
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200])
})

test('a session that stays held is answered 503 with Retry-After, and the same answer goes through afterwards, once', async () => {
  const patient = await entered(clinic)
  const release = await holding(LOCK_SESSIONS, [[patient.now.sessionId]])
  const id = crypto.randomUUID()
  const refused = await patient.answer('for_whom', 'self', { id })
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('1')
  await release()
  expect((await patient.answer('for_whom', 'self', { id })).status).toBe(200)
  const rows = await world.sql('select id from answers where session_id = $1', [patient.now.sessionId])
  expect(rows).toEqual([{ id }])
})

test('an audited change of a held session waits apart: what else happens in its account is recorded meanwhile', async () => {
  const held = await created(clinic)
  const known = await created(clinic)
  const release = await holding(LOCK_SESSIONS, [[held]])
  const statement = sql(
    'test_touch',
    `with given as (select * from jsonb_to_recordset($2::jsonb) as g(ref int, id uuid)),
     done as (update sessions s set last_active_at = now() from given g where s.account_id = $1 and s.id = g.id returning s.id)
     select ref, id from given join done using (id)`,
  )
  const record = (id: string) => {
    const effects: Effect[] = [{ statement, row: { id } }]
    return world.app.core.recorder.record({ ...entry, subject: id, effects })
  }
  const entry = { accountId: clinic.accountId, actor: 'test', action: 'session.touched' }
  let isDone = false
  const waiting = record(held).finally(() => {
    isDone = true
  })
  const beside = [
    record(known),
    world.app.core.recorder.record({ ...entry, subject: known }),
    call('GET', `/api/v1/session/${known}`, { key: clinic.key }),
    call('POST', '/api/v1/session', { key: clinic.key }),
  ]
  await Promise.all(beside)
  await call('GET', `/api/v1/session/${known}`, { key: clinic.key })
  expect(isDone).toBe(false)
  await release()
  expect(await waiting).toMatchObject([{ id: held }])
  expect(await verifyChain(world.app.core, clinic.accountId, [])).toMatchObject({ ok: true })
})

test('a whole table that is held refuses soon and in order, and afterwards all is as before', async () => {
  const patients = await Promise.all(Array.from({ length: 12 }, () => entered(clinic)))
  const release = await holding('lock table sessions in access exclusive mode', [])
  const replies = await Promise.all([
    ...patients.map((patient) => patient.answer('for_whom', 'self')),
    ...Array.from({ length: 12 }, () => call('POST', '/api/v1/session', { key: clinic.key })),
  ])
  for (const reply of replies) expect(reply.status).toBe(503)
  await release()
  for (const patient of patients) expect((await patient.answer('for_whom', 'self')).status).toBe(200)
  expect((await call('POST', '/api/v1/session', { key: clinic.key })).status).toBe(201)
})

test('a change that fails in whatever way fails alone; what was recorded in the same moment stands', async () => {
  const broken = sql('test_broken', 'select no_such_function($1::uuid, $2::jsonb)')
  const entry = { accountId: clinic.accountId, actor: 'test', action: 'test.noted' }
  const subjects = Array.from({ length: 9 }, () => crypto.randomUUID())
  const results = await Promise.allSettled(
    subjects.map((subject, at) =>
      world.app.core.recorder.record({
        ...entry,
        subject,
        ...(at === 4 && { effects: [{ statement: broken, row: {} }] }),
      }),
    ),
  )
  expect(results.map(({ status }) => status)).toEqual(subjects.map((_, at) => (at === 4 ? 'rejected' : 'fulfilled')))
  const kept = await world.sql('select subject from audit_entries where account_id = $1 and subject = any($2)', [
    clinic.accountId,
    subjects,
  ])
  expect(kept).toHaveLength(8)
})

test('the end of a chain that somebody holds for long is a 503 with Retry-After, never a 500', async () => {
  const release = await holding('select from audit_heads where account_id = $1 for update', [clinic.accountId])
  const reply = await call('POST', '/api/v1/session', { key: clinic.key })
  await release()
  expectProblem(reply, 503, 'overloaded')
  expect(reply.headers['retry-after']).toBe('1')
  expect((await call('POST', '/api/v1/session', { key: clinic.key })).status).toBe(201)
})
