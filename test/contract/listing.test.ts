import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, callerTo, expectProblem } from '../world/call.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

type Listed = { sessionId: string; sessionStatus: string; sessionCreatedTimestamp: string }
type Page = { sessions: Listed[]; nextCursor: string | null }

let world: World
let call: Call
let clinic: Clinic
const made: string[] = []

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  clinic = await world.clinic()
  for (let at = 0; at < 7; at++) {
    const { body } = await call('POST', '/api/v1/session', { key: clinic.key, json: { text: 'a matter' } })
    const { sessionId } = body as { sessionId: string }
    made.push(sessionId)
    // Two of them in the same millisecond: paging must not lose or repeat one.
    const createdAt = `2027-02-0${Math.min(at + 1, 6)}T00:00:00.000Z`
    await world.sql('update sessions set created_at = $2 where id = $1', [sessionId, createdAt])
  }
  await world.sql(`update sessions set status = 'Ended', completed_at = '2027-02-09T00:00:00Z' where id = $1`, [
    made[0],
  ])
})
afterAll(() => world.close())

const list = (query = '', key = clinic.key) => call('GET', `/api/v1/sessions${query}`, { key })
const page = async (query = ''): Promise<Page> => {
  const reply = await list(query)
  expect(reply.status).toBe(200)
  return reply.body as Page
}

describe('Listing (added)', () => {
  test('200: newest first, with ids, statuses and timestamps and no health data', async () => {
    const { sessions, nextCursor } = await page()
    expect(nextCursor).toBeNull()
    expect(sessions.map(({ sessionCreatedTimestamp }) => sessionCreatedTimestamp)).toEqual(
      sessions
        .map(({ sessionCreatedTimestamp }) => sessionCreatedTimestamp)
        .toSorted()
        .toReversed(),
    )
    expect(sessions.at(-1)).toEqual({
      sessionId: made[0],
      sessionStatus: 'Ended',
      sessionCreatedTimestamp: '2027-02-01T00:00:00.000Z',
      userStartedTimestamp: null,
      sessionCompletedTimestamp: '2027-02-09T00:00:00.000Z',
      isTest: false,
    })
  })

  test('200: pages hold every session once, whatever their size', async () => {
    for (const limit of [1, 2, 3, 6, 7, 200]) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const next: Page = await page(`?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`)
        expect(next.sessions.length).toBeLessThanOrEqual(limit)
        seen.push(...next.sessions.map(({ sessionId }) => sessionId))
        cursor = next.nextCursor
      } while (cursor)
      expect(seen.toSorted()).toEqual(made.toSorted())
    }
  })

  test('200: filtered by status and by the moments of creation and completion', async () => {
    const ids = async (query: string) => (await page(query)).sessions.map(({ sessionId }) => sessionId)
    expect(await ids('?status=Ended')).toEqual([made[0]])
    expect(await ids('?status=StartedChat')).toEqual([])
    expect(await ids('?createdStart=2027-02-02T00:00:00Z&createdEnd=2027-02-04T00:00:00Z')).toEqual([made[2], made[1]])
    expect(await ids('?completedStart=2027-02-09T00:00:00Z')).toEqual([made[0]])
    expect(await ids('?completedEnd=2027-02-09T00:00:00Z')).toEqual([])
  })

  test('200: with a range of completion the last completed come first, page by page, and the filters add up', async () => {
    const [a = '', b = '', c = ''] = made.slice(1, 4)
    const completed = { [a]: '2027-02-20T00:00:00Z', [b]: '2027-02-22T00:00:00Z', [c]: '2027-02-21T00:00:00Z' }
    for (const [id, at] of Object.entries(completed))
      await world.sql(`update sessions set status = 'Ended', completed_at = $2 where id = $1`, [id, at])
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const more: string = cursor ? `&cursor=${cursor}` : ''
      const next: Page = await page(`?completedStart=2027-02-10T00:00:00Z&limit=1${more}`)
      seen.push(...next.sessions.map(({ sessionId }) => sessionId))
      cursor = next.nextCursor
    } while (cursor)
    expect(seen).toEqual([b, c, a])
    const both = '?completedStart=2027-02-10T00:00:00Z&createdStart=2027-02-03T00:00:00Z&status=Ended'
    expect((await page(both)).sessions.map(({ sessionId }) => sessionId)).toEqual([b, c])
    expect(await page('?completedStart=2027-02-10T00:00:00Z&status=Created')).toEqual({
      sessions: [],
      nextCursor: null,
    })
  })

  test('B16 400: a limit that is none, an unknown status, a moment that is none', async () => {
    for (const limit of ['0', '-1', '1e9', 'abc', '', '201', '1.5', '%2010']) {
      expectProblem(await list(`?limit=${limit}`), 400, 'invalid-request', '/query/limit')
    }
    expectProblem(await list('?status=ended'), 400, 'invalid-request', '/query/status')
    expectProblem(await list('?createdStart=2027-01-01'), 400, 'invalid-request', '/query/createdStart')
    expectProblem(await list('?limit=1&limit=2'), 400, 'invalid-request')
  })

  test('B16 400: a query parameter that is not known is named, not passed over', async () => {
    expectProblem(await list('?state=Ended'), 400, 'invalid-request', '/query/state')
    expectProblem(
      await list('?status=Ended&createdAfter=2027-01-01T00:00:00Z'),
      400,
      'invalid-request',
      '/query/createdAfter',
    )
  })

  test('B16 400: a cursor that is made up, changed, or of another list', async () => {
    const { nextCursor } = await page('?limit=1')
    const cursor = nextCursor ?? ''
    const flipped = `${cursor.slice(0, -2)}${cursor.at(-2) === 'A' ? 'B' : 'A'}${cursor.at(-1)}`
    for (const bad of ['', 'x', 'AAAA', flipped, `${cursor}AAAA`, cursor.slice(4)]) {
      expectProblem(await list(`?cursor=${bad}`), 400, 'invalid-request', '/query/cursor')
    }
    expectProblem(await list(`?cursor=${cursor}`, (await world.clinic()).key), 400, 'invalid-request', '/query/cursor')
    const byCompletion = `?completedStart=2027-01-01T00:00:00Z&cursor=${cursor}`
    expectProblem(await list(byCompletion), 400, 'invalid-request', '/query/cursor')
  })
})
