import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noteAccessChanges } from '../../src/account/access-changes.ts'
import { changeAccount, configurationOf, createConfiguration, issueKey } from '../../src/account/provision.ts'
import { type Call, callerTo, expectProblem, type Reply } from '../world/call.ts'
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

const OPENED = { active: true, open: true, closedReason: null }
const close = (json: unknown) => call('POST', '/api/v1/accessControl/close', { key: clinic.key, json })
const open = () => call('POST', '/api/v1/accessControl/open', { key: clinic.key })
const state = (key = clinic.key) => call('GET', '/api/v1/accessControl', { key })

describe('7. Close', () => {
  test('200: each reason closes and is read back', async () => {
    for (const closedReason of ['Other', 'OutsideMonitoredHours', 'CapLimitReached']) {
      const closed = { active: true, open: false, closedReason }
      expect((await close({ closedReason })).body).toEqual(closed)
      expect((await state()).body).toEqual(closed)
    }
    await open()
  })

  test('200: the numbers and the spelling of the document’s samples are understood', async () => {
    const samples: [object, string][] = [
      [{ ClosedReason: 0 }, 'Other'],
      [{ closedReason: 1 }, 'OutsideMonitoredHours'],
      [{ ClosedReason: 'CapLimitReached' }, 'CapLimitReached'],
      [{ closedReason: 2, ClosedReason: 'CapLimitReached' }, 'CapLimitReached'],
    ]
    for (const [json, closedReason] of samples) {
      expect((await close(json)).body).toEqual({ active: true, open: false, closedReason })
    }
    await open()
  })

  const faults: [string, object][] = [
    ['no reason', {}],
    ['null', { closedReason: null }],
    ['an unknown reason', { closedReason: 'Lunch' }],
    ['small letters', { closedReason: 'other' }],
    ['a number outside the list', { closedReason: 3 }],
    ['a negative number', { closedReason: -1 }],
    ['a fraction', { closedReason: 0.5 }],
    ['a number as text', { closedReason: '0' }],
    ['a list', { closedReason: ['Other'] }],
    ['two spellings that disagree', { closedReason: 'Other', ClosedReason: 1 }],
  ]
  for (const [what, json] of faults) {
    test(`400: ${what}, and nothing changes`, async () => {
      await open()
      const reply = await close(json)
      expectProblem(reply, 400, 'invalid-request')
      expect((await state()).body).toEqual(OPENED)
    })
  }

  test('200: a closing that is given an end tells users about it, and is over then (added)', async () => {
    const { key, slug, accountId } = await world.clinic()
    const gate = async () => {
      const { body } = await call('GET', `/api/triage/v1/configurations/${slug}`)
      return (body as { gate: { open: boolean; closedReason: string | null; opensAt: string } }).gate
    }
    const closedUntil = new Date(Date.now() + 3_600_000).toISOString()
    const json = { closedReason: 'Other', closedUntil }
    const reply = await call('POST', '/api/v1/accessControl/close', { key, json })
    expect(reply.body).toEqual({ active: true, open: false, closedReason: 'Other' })
    expect(await gate()).toMatchObject({ open: false, closedReason: 'Other' })
    expect(Date.parse((await gate()).opensAt)).toBe(Date.parse(closedUntil))
    const [entry] = await world.sql(
      `select detail from audit_entries where account_id = $1 and action = 'access.closed'`,
      [accountId],
    )
    expect(entry?.detail).toEqual({ closedReason: 'Other', closedUntil })
    await world.sql(`update access_events set until = now() - interval '1 second' where account_id = $1`, [accountId])
    expect((await state(key)).body).toEqual(OPENED)
    expect(await gate()).toMatchObject({ open: true, opensAt: null })
    await noteAccessChanges(world.app.core)
    const events = await world.sql('select kind, automatic from access_events where account_id = $1 order by id', [
      accountId,
    ])
    expect(events).toEqual([
      { kind: 'closed', automatic: false },
      { kind: 'opened', automatic: true },
    ])
  })

  test.each([
    ['the past', () => new Date(Date.now() - 1_000).toISOString()],
    ['more than a year ahead', () => new Date(Date.now() + 400 * 86_400_000).toISOString()],
    ['a day', () => '2027-01-01'],
    ['a number', () => 1_800_000_000],
  ])('400: an end that is %s closes nothing', async (_, until) => {
    const reply = await close({ closedReason: 'Other', closedUntil: until() })
    expectProblem(reply, 400, 'invalid-request')
    expect(reply.text).toContain('/closedUntil')
    expect((await state()).body).toEqual(OPENED)
  })

  test('400: without a body', async () => {
    expectProblem(await call('POST', '/api/v1/accessControl/close', { key: clinic.key }), 400, 'invalid-request')
  })
})

describe('8. Open', () => {
  test('200: opens from any state, with or without a body', async () => {
    await close({ closedReason: 'Other' })
    expect((await open()).body).toEqual(OPENED)
    expect((await open()).body).toEqual(OPENED)
    const withBody = await call('POST', '/api/v1/accessControl/open', { key: clinic.key, json: {} })
    expect(withBody.body).toEqual(OPENED)
  })

  test('200: a body that is absent, empty or null is none', async () => {
    const sent = (raw: string) =>
      call('POST', '/api/v1/accessControl/open', {
        key: clinic.key,
        raw,
        headers: { 'Content-Type': 'application/json' },
      })
    for (const raw of ['', 'null', ' null\n']) {
      await close({ closedReason: 'Other' })
      expect((await sent(raw)).body, JSON.stringify(raw)).toEqual(OPENED)
    }
    await close({ closedReason: 'Other' })
    for (const raw of ['nul', 'null null', '[null]']) expectProblem(await sent(raw), 400, 'invalid-request')
    expect((await state()).body).toMatchObject({ open: false })
    await open()
  })

  test('opening and closing are audit entries with the key that did it', async () => {
    const { key, accountId } = await world.clinic()
    await call('POST', '/api/v1/accessControl/close', { key, json: { closedReason: 'Other' } })
    await call('POST', '/api/v1/accessControl/open', { key })
    await state(key)
    const rows = await world.sql(
      `select action, actor, detail from audit_entries where account_id = $1 and action like 'access.%' order by seq`,
      [accountId],
    )
    expect(rows.map(({ action, detail }) => [action, detail])).toEqual([
      ['access.closed', { closedReason: 'Other' }],
      ['access.opened', { closedReason: null }],
    ])
  })
})

describe('9. Access status', () => {
  test('200: a new account is active and open', async () => {
    expect((await state((await world.clinic()).key)).body).toEqual(OPENED)
  })

  test('the state is the account’s: every configuration and key of it sees the same, others do not', async () => {
    const slug = `${clinic.slug}-two`
    await createConfiguration(world.app.core, clinic.accountId, slug, {
      name: 'Two',
      type: 'INVITED',
      emergencyNumber: '112',
    })
    const { key } = await issueKey(world.app.core, await configurationOf(world.app.core, slug))
    const other = await world.clinic()
    await close({ closedReason: 'Other' })
    expect((await state(key)).body).toEqual({ active: true, open: false, closedReason: 'Other' })
    expect((await state(other.key)).body).toEqual(OPENED)
    await call('POST', '/api/v1/accessControl/open', { key })
    expect((await state()).body).toEqual(OPENED)
  })

  test('an account that its operator took out of service is not active, and all endpoints work', async () => {
    const { key, accountId } = await world.clinic()
    await changeAccount(world.app.core, accountId, { active: false })
    expect((await state(key)).body).toEqual({ active: false, open: true, closedReason: null })
    expect((await call('POST', '/api/v1/session', { key })).status).toBe(201)
  })
})

describe('10. Session count', () => {
  const count = (query = '', key = clinic.key): Promise<Reply> =>
    call('GET', `/api/v1/accessControl/sessionCount${query}`, { key })

  /** A session created, and perhaps completed, at given moments. */
  async function session(key: string, createdAt: string, completedAt: string | null, status = 'Created') {
    const { sessionId } = (await call('POST', '/api/v1/session', { key })).body as { sessionId: string }
    await world.sql(`update sessions set created_at = $2, completed_at = $3, status = $4 where id = $1`, [
      sessionId,
      createdAt,
      completedAt,
      completedAt ? 'Ended' : status,
    ])
    return sessionId
  }

  test('200: start ≤ t < end; completed by completion, active by creation', async () => {
    const { key } = await world.clinic()
    await session(key, '2027-01-10T08:00:00.000Z', '2027-01-10T09:00:00.000Z')
    await session(key, '2027-01-10T08:00:00.000Z', '2027-01-10T10:00:00.000Z')
    await session(key, '2027-01-10T09:00:00.000Z', null)
    await session(key, '2027-01-10T10:00:00.000Z', null, 'StartedChat')
    await session(key, '2027-01-10T09:30:00.000Z', null, 'AiSessionNotCreated')
    const counts = async (query: string) => (await count(query, key)).body
    expect(await counts('')).toEqual({ completed: 2, active: 2 })
    expect(await counts('?start=2027-01-10T09:00:00Z&end=2027-01-10T10:00:00Z')).toEqual({ completed: 1, active: 1 })
    expect(await counts('?start=2027-01-10T10:00:00.000Z')).toEqual({ completed: 1, active: 1 })
    expect(await counts('?end=2027-01-10T09:00:00.000Z')).toEqual({ completed: 0, active: 0 })
    expect(await counts('?start=2027-01-10T09:00:00.001Z&end=2027-01-10T09:00:00.001Z')).toEqual({
      completed: 0,
      active: 0,
    })
  })

  test('B16 400: a query parameter that is not known is named, not passed over', async () => {
    expectProblem(await count('?from=2027-01-10T09:00:00Z'), 400, 'invalid-request', '/query/from')
    expectProblem(await count('?start=2027-01-10T09:00:00Z&Start=x'), 400, 'invalid-request', '/query/Start')
    expectProblem(await count('?%7Bbroken%22=1'), 400, 'invalid-request', '/query')
  })

  test('a moment without an offset is UTC; an offset counts, even when its + arrives unencoded', async () => {
    const { key } = await world.clinic()
    await session(key, '2027-03-01T10:00:00.000Z', null)
    const active = async (query: string) => ((await count(query, key)).body as { active: number }).active
    expect(await active('?start=2027-03-01T10:00:00')).toBe(1)
    expect(await active('?start=2027-03-01T10:00:01')).toBe(0)
    expect(await active('?start=2027-03-01T12:00:00%2B02:00')).toBe(1)
    expect(await active('?start=2027-03-01T12:00:00+02:00')).toBe(1)
    expect(await active('?start=2027-03-01T12:00:01+02:00')).toBe(0)
    expect(await active('?end=2027-03-01T08:00:00-02:00')).toBe(0)
  })

  test('an abandoned session is not active', async () => {
    const { key } = await world.clinic()
    const id = await session(key, '2027-01-10T08:00:00.000Z', null)
    await world.sql(`update sessions set active_until = now() - interval '1 second' where id = $1`, [id])
    expect((await count('', key)).body).toEqual({ completed: 0, active: 0 })
    expect((await call('GET', `/api/v1/session/${id}/status`, { key })).body).toEqual({ sessionStatus: 'Created' })
  })

  test('the scope is the key’s configuration', async () => {
    const first = await world.clinic()
    await session(first.key, '2027-01-10T08:00:00.000Z', null)
    const slug = `${first.slug}-two`
    await createConfiguration(world.app.core, first.accountId, slug, {
      name: 'Two',
      type: 'OPEN',
      emergencyNumber: '112',
    })
    const { key } = await issueKey(world.app.core, await configurationOf(world.app.core, slug))
    expect((await count('', key)).body).toEqual({ completed: 0, active: 0 })
    expect((await count('', first.key)).body).toEqual({ completed: 0, active: 1 })
  })

  test('400: a date alone, no moment, a start after its end, or a bound given twice', async () => {
    for (const text of [
      '2027-01-10',
      'yesterday',
      '',
      '2027-13-01T00:00:00Z',
      '2027-02-30T00:00:00Z',
      '1768003200',
      '2027-01-10T25:00:00Z',
    ]) {
      for (const bound of ['start', 'end']) {
        expectProblem(await count(`?${bound}=${text}`), 400, 'invalid-request', `/query/${bound}`)
      }
    }
    expectProblem(await count('?start=2027-01-02T00:00:00Z&end=2027-01-01T00:00:00Z'), 400, 'invalid-request')
    expectProblem(await count('?start=2027-01-02T00:00:00Z&start=2027-01-01T00:00:00Z'), 400, 'invalid-request')
  })
})
