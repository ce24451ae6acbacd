import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALONG_AN_INDEX } from '../../src/store/connections/list-connections.ts'
import type { Statement } from '../../src/store/database/db.ts'
import {
  countSessions,
  type Filters,
  type ListPage,
  type ListWish,
  listSessions,
  listWork,
  type Range,
} from '../../src/store/listing.ts'
import { SESSION_STATUSES } from '../../src/store/sessions.ts'
import { readStatistics } from '../../src/store/statistics/statistics.ts'
import { fillSessions } from '../world/many-sessions.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

const SESSIONS = 30_000
const LIMIT = 50
const ALWAYS: Range = { start: null, end: null }
const DAY_MS = 86_400_000
const ago = (days: number): Date => new Date(Math.floor((Date.now() - days * DAY_MS) / 60_000) * 60_000)

let world: World
let clinic: Clinic
let client: pg.Client
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  for (const entry of Object.entries(ALONG_AN_INDEX)) await client.query('select set_config($1, $2, false)', entry)
  await fillSessions(world.sql, clinic, SESSIONS)
  await mark()
})
afterAll(async () => {
  await client.end()
  await world.close()
})

type Plan = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}
type Asked = { statement: Statement; values: unknown[] }
type Seen = { ways: string[]; read: Record<string, number> }

/** Runs the statements of some work as the list connections run them, and answers how each went about it. */
async function watched<T>(work: (db: Parameters<typeof listSessions>[0]) => Promise<T>): Promise<[T, Seen]> {
  const asked: Asked[] = []
  const result = await work({
    query: async <Row>(statement: Statement, values: unknown[] = []) => {
      asked.push({ statement, values })
      return (await client.query({ ...statement, values })).rows as Row[]
    },
  })
  const seen: Seen = { ways: [], read: {} }
  for (const { statement, values } of asked)
    for (const node of nodesOf(await planOf(statement, values))) note(seen, node)
  return [result, seen]
}

async function planOf({ name, text }: Statement, values: unknown[]): Promise<Plan> {
  await client.query(`prepare plan_of_${name} as ${text}`)
  const given = values.map((value) => (value === null ? 'null' : pg.escapeLiteral(written(value)))).join(', ')
  const { rows } = await client.query(`explain (analyze, timing off, format json) execute plan_of_${name}(${given})`)
  await client.query(`deallocate plan_of_${name}`)
  return rows[0]['QUERY PLAN'][0].Plan
}

function written(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return Array.isArray(value) ? `{${value.map((one) => JSON.stringify(written(one))).join(',')}}` : String(value)
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

function note(seen: Seen, node: Plan): void {
  const table = node['Relation Name']
  if (/Incremental|Bitmap|Seq Scan|Materialize|Hash/.test(node['Node Type'])) seen.ways.push(node['Node Type'])
  if (!table) return
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  seen.read[table] = (seen.read[table] ?? 0) + rows
}

const wished = (wish: Partial<ListWish>): ListWish => ({
  status: null,
  created: ALWAYS,
  completed: ALWAYS,
  after: null,
  limit: LIMIT,
  ...wish,
})
const list = (wish: Partial<ListWish>) => (db: Parameters<typeof listSessions>[0]) =>
  listSessions(db, clinic.accountId, clinic.configurationId, wished(wish))

const WISHES: [string, Partial<ListWish>][] = [
  ['no filter', {}],
  ...SESSION_STATUSES.map((status): [string, Partial<ListWish>] => [`status ${status}`, { status }]),
  ['created since', { created: { start: ago(3), end: null } }],
  ['created before', { created: { start: null, end: ago(80) } }],
  ['created in a range', { created: { start: ago(60), end: ago(59) } }],
  ['created long before anything', { created: { start: null, end: ago(500) } }],
  ['status and created range', { status: 'StartedChat', created: { start: ago(60), end: ago(59) } }],
  ['completed since', { completed: { start: ago(0.2), end: null } }],
  ['completed before', { completed: { start: null, end: ago(89.9) } }],
  ['completed in a range', { completed: { start: ago(60), end: ago(59) } }],
  ['completed when nothing was', { completed: { start: ago(-2), end: ago(-3) } }],
  ['status and completed range', { status: 'Ended', completed: { start: ago(60), end: ago(59) } }],
  ['a status that is never completed', { status: 'Created', completed: { start: ago(60), end: null } }],
]

const ANY: Filters = { urgencies: null, complaint: null, contact: null, judged: null }
const COMPLAINT = Buffer.from('complaint')
const JUDGED = Buffer.from('judged')

/** Every hundredth of those that ended is Level2, every tenth has a number, a complaint or a judgement. */
async function mark(): Promise<void> {
  const { accountId, configurationId } = clinic
  await world.sql(
    `update sessions s set urgency = case when n.at % 100 = 0 then 2 else 6 end, sealed_contact = case when n.at % 10 = 1 then '\\x01'::bytea end
     from (select id, row_number() over (order by created_at) as at from sessions where configuration_id = $1 and status = 'Ended') n where n.id = s.id`,
    [configurationId],
  )
  for (const [bytes, rest] of [
    [COMPLAINT, 3],
    [JUDGED, 4],
  ])
    await world.sql(
      `insert into session_marks (account_id, session_id, mark, configuration_id, created_at)
       select $1, id, $3, $2, created_at from (select id, created_at, row_number() over (order by created_at) as at
         from sessions where configuration_id = $2 and erased_at is null and status = 'Ended') n where n.at % 10 = $4`,
      [accountId, configurationId, bytes, rest],
    )
}

const work = (wish: Partial<ListWish>, filters: Filters) => (db: Parameters<typeof listSessions>[0]) =>
  listWork(db, clinic.accountId, clinic.configurationId, wished(wish), filters)

/** With the share of what is looked at of what fits. */
const FILTERED: [string, Partial<ListWish> & { filters: Filters; share?: number }][] = [
  ['a rare urgency', { filters: { ...ANY, urgencies: [1, 2, 3] } }],
  ['a common urgency', { filters: { ...ANY, urgencies: [6] }, share: 2 }],
  ['a complaint', { filters: { ...ANY, complaint: COMPLAINT } }],
  ['judged', { filters: { ...ANY, judged: { is: true, mark: JUDGED } } }],
  ['ended and not judged', { status: 'Ended', filters: { ...ANY, judged: { is: false, mark: JUDGED } }, share: 2 }],
  ['with a number', { filters: { ...ANY, contact: true } }],
  ['without a number', { filters: { ...ANY, contact: false }, share: 2 }],
]

for (const counted of [false, true])
  describe(`F40, ${counted ? 'when the planner has counted the table' : 'before the planner has counted anything'}`, () => {
    beforeAll(async () => {
      if (counted) await world.sql('analyze')
    })

    for (const [name, wish] of WISHES)
      test(`a page reads along an index about as much as it shows, the first, a deep and the last one: ${name}`, async () => {
        const deep = { at: ago(85), id: '80000000-0000-4000-8000-000000000000' }
        const last = { at: ago(89.999), id: '80000000-0000-4000-8000-000000000000' }
        for (const after of [null, deep, last]) {
          const [page, { ways, read }] = await watched<ListPage>(list({ ...wish, after }))
          expect(ways).toEqual([])
          expect(page.sessions.length).toBeLessThanOrEqual(LIMIT)
          expect(read.sessions ?? 0).toBeLessThanOrEqual((LIMIT + 1) * (wish.status ? 1 : SESSION_STATUSES.length))
        }
      })

    test('with both ranges a page looks at a bounded number of sessions, and all of them are found page by page', async () => {
      const both = { created: { start: ago(60), end: ago(59.5) }, completed: { start: ago(1_000), end: null } }
      const found: string[] = []
      let after: ListWish['after'] = null
      let pages = 0
      do {
        const [{ sessions, next }, { ways, read }]: [ListPage, Seen] = await watched(list({ ...both, after }))
        expect(ways).toEqual([])
        expect(read.sessions).toBeLessThanOrEqual(10_000) // looked at twice: once for the page, once for where it ended
        found.push(...sessions.map(({ id }) => id))
        after = next
        pages++
      } while (after)
      const rows = await world.sql(
        `select id from sessions where configuration_id = $1 and completed_at is not null and erased_at is null and created_at >= $2 and created_at < $3
         order by completed_at desc, id desc`,
        [clinic.configurationId, both.created.start, both.created.end],
      )
      expect(found).toEqual(rows.map(({ id }) => id))
      expect(found.length).toBeGreaterThan(10)
      expect(pages).toBeGreaterThan(1)
    })

    for (const [name, { filters, share = 1, ...wish }] of FILTERED)
      test(`a filtered page reads along an index about as much as it shows: ${name}`, async () => {
        for (const after of [null, { at: ago(45), id: '80000000-0000-4000-8000-000000000000' }]) {
          const [page, { ways, read }] = await watched<ListPage>(work({ ...wish, after }, filters))
          expect(ways).toEqual([])
          expect(page.sessions).toHaveLength(LIMIT)
          expect(page.next).not.toBeNull()
          // Each is looked at on its way and once more for the other filters.
          expect((read.sessions ?? 0) + (read.session_marks ?? 0)).toBeLessThanOrEqual(4 * share * (LIMIT + 1))
        }
      })

    test('where few fit, a filtered page looks at a bounded number of sessions, and all of them are found page by page', async () => {
      const rare = { ...ANY, urgencies: [2], judged: { is: false, mark: JUDGED } }
      const found: string[] = []
      let after: ListWish['after'] = null
      let pages = 0
      do {
        const [{ sessions, next }, { ways, read }]: [ListPage, Seen] = await watched(
          work({ completed: { start: ago(1_000), end: null }, after }, rare),
        )
        expect(ways).toEqual([])
        expect(read.sessions).toBeLessThanOrEqual(15_000)
        found.push(...sessions.map(({ id }) => id))
        after = next
        pages++
      } while (after)
      const rows = await world.sql(
        `select id from sessions s where configuration_id = $1 and completed_at is not null and erased_at is null and urgency = 2
           and not exists (select from session_marks m where m.session_id = s.id and m.mark = $2) order by completed_at desc, id desc`,
        [clinic.configurationId, JUDGED],
      )
      expect(found).toEqual(rows.map(({ id }) => id))
      expect(found.length).toBeGreaterThan(10)
      expect(pages).toBeGreaterThan(1)
    })

    test('a count reads hours, the begun hours at both ends, and what still goes on', async () => {
      const [facts] = await world.sql(
        `select (select count(*)::int from completed_hours) as hours, (select max(sessions)::int from completed_hours) as busiest,
           (select count(*)::int from sessions where completed_at is null and abandoned_at is null and erased_at is null) as ongoing`,
      )
      const { hours, busiest, ongoing } = facts as { hours: number; busiest: number; ongoing: number }
      const odd = (days: number): Date => new Date(ago(days).getTime() + 1_234_567)
      const ranges: Range[] = [
        ALWAYS,
        { start: odd(70), end: null },
        { start: null, end: odd(3) },
        { start: odd(70), end: odd(3) },
        { start: odd(50), end: new Date(odd(50).getTime() + 60_000) },
        { start: odd(50), end: odd(50) },
      ]
      for (const range of ranges) {
        const [counts, { ways, read }] = await watched((db) =>
          countSessions(db, clinic.accountId, clinic.configurationId, range),
        )
        expect(ways).toEqual([])
        expect(read.completed_hours ?? 0).toBeLessThanOrEqual(hours)
        expect(read.sessions ?? 0).toBeLessThanOrEqual(ongoing + 2 * busiest)
        const [truth] = await world.sql(
          `select
             (select count(*)::int from sessions where configuration_id = $1 and completed_at >= $2 and completed_at < $3) as completed,
             (select count(*)::int from sessions where configuration_id = $1 and completed_at is null and abandoned_at is null
                and erased_at is null and status in ('Created', 'StartedChat') and active_until > now() and created_at >= $2 and created_at < $3) as active`,
          [clinic.configurationId, range.start ?? '-infinity', range.end ?? 'infinity'],
        )
        expect(counts).toEqual(truth)
      }
      expect(SESSIONS / (ongoing + 2 * busiest)).toBeGreaterThan(20)
    })
  })

test('statistics read the sessions of their range along an index, and no others', async () => {
  const ways = async () => {
    const range = {
      start: ago(51),
      end: ago(50),
      by: 'hour',
      timeZone: 'Europe/Helsinki',
      judged: Buffer.of(0),
    } as const
    const [rows, { read }] = await watched((db) => readStatistics(db, clinic.accountId, clinic.configurationId, range))
    const [truth] = await world.sql(
      'select count(*)::int as created from sessions where configuration_id = $1 and created_at >= $2 and created_at < $3',
      [clinic.configurationId, range.start, range.end],
    )
    expect(truth?.created).toBeGreaterThan(200)
    expect(rows.find(({ part }) => part === 'total')).toMatchObject({ created: truth?.created })
    expect(read.sessions).toBe(truth?.created)
  }
  await ways()
  await world.sql('analyze')
  await ways()
})

test('I4: the hours always add up to the completed sessions, whatever is done to them', async () => {
  const other = await world.clinic()
  const insert = (completedAt: string | null) =>
    world.sql(
      `insert into sessions (account_id, configuration_id, id, status, completed_at, enter_until, active_until, language, secret_hash)
       values ($1, $2, gen_random_uuid(), 'Created', $3, now(), now(), 'en', '')`,
      [other.accountId, other.configurationId, completedAt],
    )
  for (const at of ['2026-10-25T00:59:59.999Z', '2026-10-25T01:00:00Z', '2026-10-25T01:30:00Z', null, null])
    await insert(at)
  const hours = async () => {
    const rows = await world.sql(
      `select to_char(hour at time zone 'UTC', 'HH24') as hour, sessions::int from completed_hours where configuration_id = $1 and sessions <> 0 order by 1`,
      [other.configurationId],
    )
    return rows.map(({ hour, sessions }) => `${hour}: ${sessions}`)
  }
  expect(await hours()).toEqual(['00: 1', '01: 2'])
  await world.sql(
    `update sessions set completed_at = '2026-10-25T07:00:00Z' where configuration_id = $1 and completed_at is null`,
    [other.configurationId],
  )
  expect(await hours()).toEqual(['00: 1', '01: 2', '07: 2'])
  await world.sql(
    `update sessions set completed_at = completed_at + interval '1 hour', version = version + 1 where configuration_id = $1`,
    [other.configurationId],
  )
  expect(await hours()).toEqual(['01: 1', '02: 2', '08: 2'])
  await world.sql('begin')
  await world.sql('update sessions set completed_at = null where configuration_id = $1', [other.configurationId])
  await world.sql('rollback')
  expect(await hours()).toEqual(['01: 1', '02: 2', '08: 2'])
  await world.sql(`delete from sessions where configuration_id = $1 and completed_at < '2026-10-25T02:30:00Z'`, [
    other.configurationId,
  ])
  expect(await hours()).toEqual(['02: 1', '08: 2'])
})

test('what moves with every answer is in no index, so that an answer rewrites its session in place', async () => {
  const rows = await world.sql(`select indexname, indexdef from pg_indexes where tablename = 'sessions'`)
  expect(rows.length).toBeGreaterThan(5)
  expect(
    rows.filter(({ indexdef }) => /\b(last_active_at|active_until|version|sealed_matter)\b/.test(String(indexdef))),
  ).toEqual([])
})
