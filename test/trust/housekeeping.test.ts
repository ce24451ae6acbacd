import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyChain } from '../../src/events/verify.ts'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { keepHouse } from '../../src/session/upkeep/housekeeping.ts'
import { type Call, callerTo, expectProblem } from '../world/call.ts'
import { answered, SORE_THROAT, visiting } from '../world/clinician.ts'
import { Patient } from '../world/patient.ts'
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

/** Every column that still tells something of the session: whatever is sealed, and what is known of the patient. */
async function readable(id: string): Promise<string[]> {
  const columns = await world.sql(
    `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public' and (
       (column_name like 'sealed%' and table_name in (
         select table_name from information_schema.columns where column_name = 'session_id' and table_schema = 'public'))
       or (table_name = 'sessions' and (column_name like 'sealed%' or column_name like 'patient%'
         or column_name in ('user_is_patient', 'urgency', 'alarm_level', 'return_url')))) order by 1, 2`,
  )
  const found: string[] = []
  for (const { table, column } of columns) {
    const key = table === 'sessions' ? 'id' : 'session_id'
    const rows = await world.sql(`select 1 from ${table} where ${key} = $1 and ${column} is not null`, [id])
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}

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
      sealed_given_signs: null,
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

  test('A51 of a session with everything a session can have, nothing sealed is left in any table, nobody’s name and no way in', async () => {
    const made = await call('POST', '/api/v1/session', {
      key: clinic.key,
      json: {
        text: 'A cough',
        extendedData: 'x',
        patient: { age: 40, sex: 'Female' },
        userIsPatient: true,
        signs: { muffled_voice: false },
      },
    })
    const { sessionId: id, url } = made.body as { sessionId: string; url: string }
    const patient = new Patient(world.url)
    await patient.enter(url)
    await patient.answerThrough(SORE_THROAT)
    await patient.finish()
    const clinician = await visiting(world, clinic, id, 'dr.remembered')
    const judgement = { id: crypto.randomUUID(), urgency: 'Level2', reason: 'looks worse' }
    expect((await clinician.call('POST', '/judgements', { json: judgement })).status).toBe(201)

    const before = await readable(id)
    expect(before).toEqual(
      expect.arrayContaining([
        'answers.sealed',
        'judgements.sealed_reason',
        'sessions.sealed_key',
        'sessions.patient_sex',
      ]),
    )
    expect(before).toEqual(
      expect.arrayContaining(['sessions.sealed_outcome', 'sessions.urgency', 'sessions.sealed_matter']),
    )
    await eraseSession(world.app.core, clinic.accountId, id, 'operator')
    expect(await readable(id)).toEqual([])
    expect(await world.sql('select 1 from visits where session_id = $1', [id])).toEqual([])
    const [judged] = await world.sql('select level, audit_user_identifier from judgements where session_id = $1', [id])
    expect(judged).toEqual({ level: 2, audit_user_identifier: null }) // counted, without who
    const [cookie] = await world.sql(
      'select expires_at <= now() and signed_out_at is not null as ended from user_cookies where session_id = $1',
      [id],
    )
    expect(cookie).toEqual({ ended: true })
    expectProblem(await clinician.call('GET', '/picture'), 401, 'visit-missing')
    expect((await patient.look()).status).toBe(401)
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
  const [left, ongoing, ended] = [await created(), await created(), await created()]
  await world.sql(`update sessions set active_until = now() - interval '1 minute' where id = any($1)`, [[left, ended]])
  await world.sql(`update sessions set status = 'Ended', completed_at = now() where id = $1`, [ended])
  expect(await keepHouse(world.app.core)).toMatchObject({ abandoned: 1 })
  const rows = await world.sql(
    'select id, abandoned_at = active_until as marked, status from sessions where id = any($1) order by created_at',
    [[left, ongoing, ended]],
  )
  expect(rows).toEqual([
    { id: left, marked: true, status: 'Created' },
    { id: ongoing, marked: null, status: 'Created' },
    { id: ended, marked: null, status: 'Ended' },
  ])
  expect(await statusOf(left)).toBe(200)
})

test('stored answers to Idempotency-Keys go after a day; links, visits and cookies a week after they ended; none sooner', async () => {
  const place = await world.clinic()
  const { accountId, key } = place
  for (const name of ['old', 'young']) {
    await call('POST', '/api/v1/session', { key, json: {}, headers: { 'Idempotency-Key': name } })
    await visiting(world, place, (await answered(world.url, place, SORE_THROAT)).sessionId)
  }
  /** One of the two rows of a table is moved past its time, the other almost. */
  const ages = async (table: string, column: string, past: string, almost: string) => {
    const [one, other] = await world.sql(`select ctid::text as at from ${table} where account_id = $1`, [accountId])
    await world.sql(`update ${table} set ${column} = now() - interval '${past}' where ctid = $1::tid`, [one?.at])
    await world.sql(`update ${table} set ${column} = now() - interval '${almost}' where ctid = $1::tid`, [other?.at])
  }
  await ages('idempotency_keys', 'created_at', '26 hours', '24 hours')
  for (const [table, column] of [
    ['link_tokens', 'expires_at'],
    ['visits', 'ends_at'],
    ['user_cookies', 'expires_at'],
  ] as const)
    await ages(table, column, '8 days', '6 days')
  await keepHouse(world.app.core)
  for (const table of ['idempotency_keys', 'link_tokens', 'visits', 'user_cookies'])
    expect([table, await world.sql(`select 1 from ${table} where account_id = $1`, [accountId])]).toEqual([
      table,
      [expect.anything()],
    ])
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
