import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyChain } from '../../src/events/verify.ts'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { keepHouse } from '../../src/session/upkeep/housekeeping.ts'
import { type Call, callerTo, expectProblem } from '../world/call.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let call: Call
let clinic: Clinic

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  clinic = await world.clinic({ retentionDays: 30 })
})
afterAll(() => world.close())

async function created(headers: Record<string, string> = {}): Promise<string> {
  const { body } = await call('POST', '/api/v1/session', {
    key: clinic.key,
    json: { text: 'A cough', patient: { age: 40 } },
    headers,
  })
  return (body as { sessionId: string }).sessionId
}

const aged = (id: string, days: number) =>
  world.sql(
    `update sessions set created_at = created_at - $2 * interval '1 day', last_active_at = last_active_at - $2 * interval '1 day' where id = $1`,
    [id, days],
  )
const statusOf = async (id: string) => (await call('GET', `/api/v1/session/${id}/status`, { key: clinic.key })).status

describe('retention', () => {
  test('a session is erased when its days have passed since the last activity, and not before', async () => {
    const [old, active, fresh] = [await created(), await created(), await created()]
    await aged(old, 31)
    await aged(active, 31)
    await world.sql(`update sessions set last_active_at = now() - interval '29 days' where id = $1`, [active])
    await aged(fresh, 29)
    expect(await keepHouse(world.app.core)).toMatchObject({ erased: 1 })
    expect([await statusOf(old), await statusOf(active), await statusOf(fresh)]).toEqual([404, 200, 200])
    expect(await keepHouse(world.app.core)).toMatchObject({ erased: 0 })
  })

  test('erasing leaves nothing readable, keeps the counts, and is an audit entry', async () => {
    const id = await created()
    await call('GET', `/api/v1/session/${id}/decisionSupportLink?auditUserIdentifier=x`, { key: clinic.key })
    await world.sql(`update sessions set status = 'Ended', completed_at = now() where id = $1`, [id])
    const count = async () => (await call('GET', '/api/v1/accessControl/sessionCount', { key: clinic.key })).body
    const before = await count()
    await eraseSession(world.app.core, clinic.accountId, id, 'operator')
    expect(await count()).toEqual(before)
    const [row] = await world.sql('select * from sessions where id = $1', [id])
    expect(row).toMatchObject({
      sealed_key: null,
      sealed_matter: null,
      sealed_given_matter: null,
      sealed_outcome: null,
      patient_age: null,
      given: {},
    })
    for (const table of ['link_tokens', 'answers']) {
      expect(await world.sql(`select 1 from ${table} where session_id = $1`, [id])).toEqual([])
    }
    for (const rest of ['', '/status', '/files', '/summary', '/decisionSupportLink?auditUserIdentifier=x']) {
      expectProblem(await call('GET', `/api/v1/session/${id}${rest}`, { key: clinic.key }), 404, 'session-not-found')
    }
    const list = await call('GET', '/api/v1/sessions', { key: clinic.key })
    expect(list.text).not.toContain(id)
    const entries = await world.sql(`select action, actor from audit_entries where subject = $1 order by seq`, [id])
    expect(entries.at(-1)).toEqual({ action: 'session.erased', actor: 'operator' })
    expect(await verifyChain(world.app.core, clinic.accountId, [])).toMatchObject({ ok: true })
    await expect(eraseSession(world.app.core, clinic.accountId, id, 'operator')).rejects.toThrow('no such session')
  })

  test('an Idempotency-Key of an erased session does not bring it back', async () => {
    const headers = { 'Idempotency-Key': 'erased' }
    const id = await created(headers)
    await eraseSession(world.app.core, clinic.accountId, id, 'operator')
    const again = await call('POST', '/api/v1/session', {
      key: clinic.key,
      json: { text: 'A cough', patient: { age: 40 } },
      headers,
    })
    expectProblem(again, 404, 'session-not-found')
  })

  test('more sessions than fit in one round are all erased', async () => {
    const { accountId, configurationId } = await world.clinic({ retentionDays: 1 })
    await world.sql(
      `insert into sessions (account_id, id, configuration_id, status, enter_until, active_until, language, secret_hash, created_at, last_active_at)
       select $1, gen_random_uuid(), $2, 'Created', now(), now(), 'en', '', now() - interval '2 days', now() - interval '2 days' from generate_series(1, 450)`,
      [accountId, configurationId],
    )
    expect(await keepHouse(world.app.core)).toMatchObject({ erased: 450, abandoned: expect.any(Number) })
    expect(await verifyChain(world.app.core, accountId, [])).toMatchObject({ ok: true, entries: 3 + 450 })
  })
})

test('a session left alone for its lifetime is marked abandoned, once, by the database’s clock', async () => {
  const [left, ongoing] = [await created(), await created()]
  await world.sql(`update sessions set active_until = now() - interval '1 minute' where id = $1`, [left])
  expect(await keepHouse(world.app.core)).toMatchObject({ abandoned: 1 })
  const rows = await world.sql(
    'select id, abandoned_at = active_until as marked, status from sessions where id = any($1) order by created_at',
    [[left, ongoing]],
  )
  expect(rows).toEqual([
    { id: left, marked: true, status: 'Created' },
    { id: ongoing, marked: null, status: 'Created' },
  ])
  expect(await statusOf(left)).toBe(200)
})

test('stored answers to Idempotency-Keys go after a day, links a week after they expired', async () => {
  const id = await created({ 'Idempotency-Key': 'old' })
  await call('GET', `/api/v1/session/${id}/decisionSupportLink?auditUserIdentifier=x`, { key: clinic.key })
  await world.sql(`update idempotency_keys set created_at = now() - interval '26 hours'`)
  await world.sql(`update link_tokens set expires_at = now() - interval '8 days'`)
  await created({ 'Idempotency-Key': 'new' })
  expect(await keepHouse(world.app.core)).toMatchObject({ linkTokens: expect.any(Number) })
  expect(await world.sql('select 1 from idempotency_keys')).toHaveLength(1)
  expect(await world.sql('select 1 from link_tokens')).toHaveLength(0)
})

test('only one node does the housekeeping at a time', async () => {
  const rounds = await Promise.all([1, 2, 3].map(() => keepHouse(world.app.core)))
  expect(rounds.filter((round) => round !== null).length).toBeGreaterThanOrEqual(1)
  await world.sql('begin')
  await world.sql('select pg_advisory_xact_lock($1)', [0x46_59_52_04])
  expect(await keepHouse(world.app.core)).toBeNull()
  await world.sql('rollback')
  expect(await keepHouse(world.app.core)).not.toBeNull()
})
