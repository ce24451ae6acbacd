import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyChain } from '../../src/events/verify.ts'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { type Call, callerTo, expectProblem, send } from '../world/call.ts'
import { visiting } from '../world/clinician.ts'
import { endedSession, THROAT } from '../world/handoff.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

type Took = { durationSeconds: { p50: number; p90: number } | null; screens: { p50: number; p90: number } | null }
type Funnel = Took & { created: number; started: number; finished: number; left: number; erased: number }
type Group = Took & { value: string | null; finished: number }
type Judged = {
  complaint: string | null
  contentRelease: string | null
  judged: number
  agreed: number | null
  underTriaged: number | null
  overTriaged: number | null
}
type Statistics = {
  start: string
  end: string
  smallestGroup: number
  total: Funnel
  periods: (Funnel & { start: string })[]
  urgencies: Group[]
  complaints: Group[]
  languages: Group[]
  judgements: Judged[]
}

let world: World
let call: Call
let clinic: Clinic
let throat: string
let general: string

/** Sessions like this one, of a day, with what is different about them. Statistics open none of them. */
async function like(sessionId: string, count: number, day: string, different: Record<string, unknown> = {}) {
  const rows = await world.sql(
    `insert into sessions select (jsonb_populate_record(s, $4::jsonb || jsonb_build_object('id', gen_random_uuid(), 'created_at', $3::timestamptz,
       'started_at', $3::timestamptz + interval '1 minute', 'completed_at', $3::timestamptz + interval '1 minute' + n * interval '1 minute'))).*
     from sessions s, generate_series(1, $2) n where id = $1 returning id`,
    [sessionId, count, day, JSON.stringify(different)],
  )
  const ids = rows.map(({ id }) => String(id))
  await world.sql(
    `insert into session_marks select account_id, id, mark, configuration_id, $3 from session_marks, unnest($2::uuid[]) id where session_id = $1`,
    [sessionId, ids, day],
  )
  return ids
}

async function judged(sessionIds: readonly string[], level: number, at = 'now'): Promise<void> {
  await world.sql(
    `insert into judgements (account_id, session_id, id, at, level) select $1, id, gen_random_uuid(), $3, $4 from unnest($2::uuid[]) id`,
    [clinic.accountId, sessionIds, at, level],
  )
}

const ask = (query: string, key = clinic.key) => call('GET', `/api/v1/statistics${query}`, { key })
async function statistics(query: string, key = clinic.key): Promise<Statistics> {
  const reply = await ask(query, key)
  expect(reply.status, reply.text).toBe(200)
  return reply.body as Statistics
}
const told = (groups: readonly Group[]) => groups.map(({ value, finished }) => [value, finished])
const day = (date: string) => `?start=${date}&end=${Temporal.PlainDate.from(date).add({ days: 1 })}`

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  clinic = await world.clinic()
  throat = await endedSession(world, clinic, { story: THROAT })
  general = await endedSession(world, clinic, { language: 'fi' })
})
afterAll(() => world.close())

describe('Statistics (added)', () => {
  test('200: what became of the sessions of today, as users made them', async () => {
    const own = await world.clinic()
    await call('POST', '/api/v1/session', { key: own.key })
    for (let at = 0; at < 5; at++) await endedSession(world, own, { story: THROAT })
    const patient = new Patient(world.url)
    await patient.enterOpen(own.slug)
    const before = await statistics('', own.key)
    expect(before.total).toMatchObject({ created: 7, started: 6, finished: 5, left: 0, erased: 0 })
    await world.sql('update sessions set active_until = now() where id = $1', [patient.now.sessionId])
    const { total, periods, urgencies, complaints, languages } = await statistics('?by=hour', own.key)
    expect(total).toMatchObject({ created: 7, started: 6, finished: 5, left: 1, erased: 0 })
    expect(total.screens?.p50).toBeGreaterThan(5)
    expect(total.durationSeconds?.p90).toBeGreaterThanOrEqual(0)
    expect(periods).toHaveLength(24)
    expect(periods.reduce((sum, { created }) => sum + created, 0)).toBe(7)
    expect([told(urgencies), told(complaints), told(languages)]).toEqual([
      [['Level2', 5]],
      [['sore-throat', 5]],
      [['en', 5]],
    ])
  })

  test('200: hours and days are those of the account, also when the clocks change', async () => {
    // In Helsinki 29 March 2026 has 23 hours: from 22:00 to 21:00 in UTC.
    for (const at of [
      '2026-03-28T21:59:59.999Z',
      '2026-03-28T22:00:00Z',
      '2026-03-29T20:59:59.999Z',
      '2026-03-29T21:00:00Z',
    ])
      await like(throat, 1, at)
    const { periods, start, end } = await statistics('?start=2026-03-28&end=2026-03-31')
    expect([start, end]).toEqual(['2026-03-27T22:00:00.000Z', '2026-03-30T21:00:00.000Z'])
    expect(periods.map(({ start, finished }) => [start, finished])).toEqual([
      ['2026-03-27T22:00:00.000Z', 1],
      ['2026-03-28T22:00:00.000Z', 2],
      ['2026-03-29T21:00:00.000Z', 1],
    ])
    const hours = await statistics('?by=hour&start=2026-03-28T21:00:00Z&end=2026-03-28T23:00:00Z')
    expect(hours.periods.map(({ finished }) => finished)).toEqual([1, 1])
    expect(await statistics('?start=2026-03-29T00:00:00%2B02:00&end=2026-03-30T00:00:00+03:00')).toEqual(
      await statistics(day('2026-03-29')),
    )
  })

  test('200: p50 and p90 of how long it took and of the screens, and neither where few finished', async () => {
    await like(throat, 9, '2026-04-01T12:00:00Z', { version: 21 })
    await like(throat, 1, '2026-04-01T12:00:00Z', { version: 61 })
    await like(throat, 4, '2026-04-02T12:00:00Z')
    const { periods } = await statistics('?start=2026-04-01&end=2026-04-03')
    expect(periods[0]).toMatchObject({
      finished: 10,
      durationSeconds: { p50: 270, p90: 486 },
      screens: { p50: 21, p90: 25 },
    })
    expect(periods[1]).toMatchObject({ finished: 4, durationSeconds: null, screens: null })
  })

  test('200: groups of fewer than five are put together, and the total does not tell them apart', async () => {
    for (const [urgency, count] of [
      [1, 1],
      [2, 7],
      [5, 12],
      [null, 6],
    ] as const)
      await like(throat, count, '2026-04-10T12:00:00Z', { urgency })
    const unmarked = await like(general, 3, '2026-04-10T12:00:00Z', { urgency: 5 })
    await world.sql('delete from session_marks where session_id = any($1)', [unmarked])
    const { total, urgencies, complaints, languages, smallestGroup } = await statistics(day('2026-04-10'))
    expect(smallestGroup).toBe(5)
    expect(total.finished).toBe(29)
    expect(told(urgencies)).toEqual([
      ['Level2', 7],
      ['Level5', 15],
      [null, 7],
    ])
    expect(urgencies.at(-1)).toMatchObject({ durationSeconds: null, screens: null })
    expect(told(complaints)).toEqual([[null, 29]])
    expect(told(languages)).toEqual([[null, 29]])
  })

  test('200: over- and under-triage by complaint and content release; the last judgement of a session counts', async () => {
    const at = '2026-04-20T12:00:00Z'
    const sessions = await like(throat, 30, at, { urgency: 4 })
    await judged(sessions.slice(0, 10), 4)
    await judged(sessions.slice(10, 16), 2)
    await judged(sessions.slice(16, 21), 7)
    await judged(sessions.slice(0, 5), 8, '2020-01-01')
    await judged(await like(throat, 6, at, { urgency: 4, content_version: 'older' }), 4)
    await judged(await like(general, 3, at, { urgency: 6 }), 1)
    await judged(await like(general, 3, at, { urgency: null }), 1)
    const [row] = await world.sql('select content_version from sessions where id = $1', [throat])
    const { judgements } = await statistics(day('2026-04-20'))
    expect(judgements).toEqual([
      {
        complaint: 'sore-throat',
        contentRelease: row?.content_version,
        judged: 21,
        agreed: 10,
        underTriaged: 6,
        overTriaged: 5,
      },
      { complaint: null, contentRelease: null, judged: 9, agreed: null, underTriaged: null, overTriaged: 0 },
    ])
  })

  test('200: a judgement made by a clinician is in it', async () => {
    const own = await world.clinic()
    for (let at = 0; at < 5; at++) {
      const clinician = await visiting(world, own, await endedSession(world, own, { story: THROAT }))
      const json = { id: randomUUID(), urgency: 'Level5', reason: 'looked worse than it was' }
      expect((await clinician.call('POST', '/judgements', { json })).status).toBe(201)
    }
    const { judgements } = await statistics('', own.key)
    expect(judgements).toEqual([
      expect.objectContaining({ complaint: 'sore-throat', judged: 5, agreed: 0, underTriaged: 0, overTriaged: 5 }),
    ])
  })

  test('200: an erased session is counted, and what it was about is gone', async () => {
    const [first = '', ...others] = await like(throat, 6, '2026-04-25T12:00:00Z')
    await eraseSession(world.app.core, clinic.accountId, first, 'operator')
    const { total, complaints } = await statistics(day('2026-04-25'))
    expect(total).toMatchObject({ created: 6, finished: 6, erased: 1 })
    expect(told(complaints)).toEqual([['sore-throat', others.length]])
    const [row] = await world.sql('select urgency from sessions where id = $1', [first])
    expect(row).toEqual({ urgency: null })
    expect(await world.sql('select * from session_marks where session_id = $1', [first])).toEqual([])
  })

  test('each request is an entry of the audit log: two compared can tell what one session was about', async () => {
    const own = await world.clinic()
    await statistics('?start=2026-04-01&end=2026-04-03', own.key)
    const entries = await world.sql(
      `select subject, detail from audit_entries where account_id = $1 and action = 'statistics.read'`,
      [own.accountId],
    )
    expect(entries).toMatchObject([
      {
        subject: own.configurationId,
        detail: { configuration: own.slug, by: 'day', start: '2026-03-31T21:00:00.000Z' },
      },
    ])
    expect(await verifyChain(world.app.core, own.accountId, [])).toMatchObject({ ok: true })
  })

  test('200: of the key’s configuration only', async () => {
    const other = await world.clinic()
    expect((await statistics('?start=2026-03-01&end=2026-05-01', other.key)).total.created).toBe(0)
  })

  test('what a session was about stands in the database as a hash that another account does not have', async () => {
    const other = await world.clinic()
    const id = await endedSession(world, other, { story: THROAT })
    const rows = await world.sql('select mark from session_marks where session_id = any($1)', [[throat, id]])
    const hashes = rows.map(({ mark }) => (mark as Buffer).toString('hex'))
    expect(hashes.map((hash) => hash.length)).toEqual([32, 32])
    expect(hashes[0]).not.toBe(hashes[1])
  })

  test('what is cheap to know is in the metrics, and who it was is not', async () => {
    const read = async (name: string): Promise<number> => {
      const page = await fetch(world.metricsUrl).then((reply) => reply.text())
      return Number(page.match(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\d+)$`, 'm'))?.[1] ?? 0)
    }
    const names = ['created', 'started', 'finished'].map((event) => `fyr_sessions_total{event="${event}"}`)
    const all = () => Promise.all([...names, 'fyr_session_screens_count'].map(read))
    const before = await all()
    await call('POST', '/api/v1/session', { key: clinic.key })
    await endedSession(world, clinic, { story: THROAT })
    const after = await all()
    expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([2, 1, 1, 1])
  })

  test('CSV by Accept or by a parameter', async () => {
    await like(throat, 5, '2026-05-10T12:00:00Z', { version: 20 })
    const url = `${world.url}/api/v1/statistics${day('2026-05-10')}`
    const byHeader = await send(url, 'GET', {
      key: clinic.key,
      headers: { accept: 'text/csv, application/json;q=0.5' },
    })
    const byParameter = await send(`${url}&format=csv`, 'GET', { key: clinic.key })
    expect(byHeader.headers['content-type']).toMatch(/^text\/csv; charset=utf-8/)
    expect(byParameter.text).toBe(byHeader.text)
    expect(byHeader.text.split('\r\n')).toEqual([
      'table,value,contentRelease,created,started,finished,left,erased,durationSecondsP50,durationSecondsP90,screensP50,screensP90,judged,agreed,underTriaged,overTriaged',
      'total,,,5,5,5,0,0,180,276,20,20,,,,',
      'day,2026-05-09T21:00:00.000Z,,5,5,5,0,0,180,276,20,20,,,,',
      'urgency,Level2,,,,5,,,180,300,20,20,,,,',
      'complaint,sore-throat,,,,5,,,180,300,20,20,,,,',
      'language,en,,,,5,,,180,300,20,20,,,,',
      '',
    ])
    for (const accept of ['application/json, text/csv;q=0.5', '*/*', 'text/csv;q=0'])
      expect((await send(url, 'GET', { key: clinic.key, headers: { accept } })).headers['content-type']).toMatch(/json/)
  })

  test('B16 400: a range that is none, is too long, or could be drawn around one session', async () => {
    expectProblem(await ask('?start=2026-05-02&end=2026-05-01'), 400, 'invalid-request', '/query/start')
    expectProblem(await ask('?start=2025-01-01&end=2026-05-01'), 400, 'invalid-request', '/query/start')
    expectProblem(
      await ask('?by=hour&start=2026-04-01T00:00:00Z&end=2026-05-03T00:00:00Z'),
      400,
      'invalid-request',
      '/query/start',
    )
    expectProblem(await ask('?start=2026-05-01T10:00:00Z'), 400, 'invalid-request', '/query/start')
    expectProblem(await ask('?by=hour&end=2026-05-01T10:00:01Z'), 400, 'invalid-request', '/query/end')
    expectProblem(await ask('?by=hour&start=2026-05-01'), 400, 'invalid-request', '/query/start')
    expectProblem(await ask('?start=2026-02-30'), 400, 'invalid-request', '/query/start')
  })

  test('B16 400: a word that is not known, as value or as name of a parameter', async () => {
    expectProblem(await ask('?by=week'), 400, 'invalid-request', '/query/by')
    expectProblem(await ask('?format=xml'), 400, 'invalid-request', '/query/format')
    expectProblem(await ask('?from=2026-05-01'), 400, 'invalid-request', '/query/from')
    expectProblem(await ask('?by=day&by=hour'), 400, 'invalid-request')
  })
})
