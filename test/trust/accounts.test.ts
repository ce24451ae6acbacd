import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, callerTo, type Reply, send } from '../world/call.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

type Operation = { security?: object[]; parameters?: { name: string; in: string; required?: boolean }[] }
type ApiDocument = { paths: Record<string, Record<string, Operation>> }

let world: World
let call: Call
let mine: Clinic
let theirs: Clinic
let document: ApiDocument

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  mine = await world.clinic()
  theirs = await world.clinic()
  document = await fetch(`${world.url}/api/openapi.json`).then((reply) => reply.json())
})
afterAll(() => world.close())

async function sessionOf({ key }: Clinic, text = 'A cough'): Promise<string> {
  const { body } = await call('POST', '/api/v1/session', { key, json: { text } })
  return (body as { sessionId: string }).sessionId
}

/** Every operation that takes a key and the id of something. */
function operationsWithIds(): { method: string; path: (id: string) => string }[] {
  return Object.entries(document.paths).flatMap(([template, methods]) => {
    if (!template.startsWith('/api/v1/') || !template.includes('{')) return []
    return Object.entries(methods).map(([method, { parameters = [] }]) => {
      const required = parameters.filter((one) => one.in === 'query' && one.required)
      const query = required.map(({ name }) => `${name}=x`).join('&')
      return {
        method: method.toUpperCase(),
        path: (id: string) => `${template.replace(/\{[^}]+\}/g, id)}${query && `?${query}`}`,
      }
    })
  })
}

function comparable({ status, headers, text }: Reply, ...ids: string[]) {
  const { date: _date, 'x-request-id': requestId = '', ...kept } = headers
  let plain = text.replaceAll(String(requestId), '')
  for (const id of ids) plain = plain.replaceAll(id, '')
  return { status, headers: kept, plain }
}

test('A01 every operation × an id of another account is answered exactly like an unknown id', async () => {
  const foreign = await sessionOf(theirs)
  const unknown = crypto.randomUUID()
  const operations = operationsWithIds()
  expect(operations.length).toBeGreaterThanOrEqual(5)
  for (const { method, path } of operations) {
    const other = await call(method, path(foreign), { key: mine.key })
    const none = await call(method, path(unknown), { key: mine.key })
    expect(other.status).toBe(404)
    expect(comparable(other, foreign)).toEqual(comparable(none, unknown))
  }
  const entries = await world.sql('select actor from audit_entries where account_id = $1 and subject = $2', [
    theirs.accountId,
    foreign,
  ])
  expect(entries).toHaveLength(1) // its creation; nobody read it
})

test('A01 lists and counts hold nothing of another account', async () => {
  const foreign = await sessionOf(theirs)
  expect((await call('GET', '/api/v1/sessions', { key: mine.key })).text).not.toContain(foreign)
  const { body } = await call('GET', '/api/v1/accessControl/sessionCount', { key: mine.key })
  expect(body).toEqual({ completed: 0, active: 0 })
})

describe('A03 an answer holds the documented fields and no other', () => {
  const FIELDS: [path: (id: string) => string, fields: string[]][] = [
    [
      (id) => `/api/v1/session/${id}`,
      [
        'descriptionOfMatter',
        'patientAge',
        'patientSex',
        'sessionCompletedTimestamp',
        'sessionCreatedTimestamp',
        'urgency',
        'userStartedTimestamp',
        'userWasPatient',
        'issueType',
      ],
    ],
    [(id) => `/api/v1/session/${id}/status`, ['sessionStatus']],
    [(id) => `/api/v1/session/${id}/decisionSupportLink?auditUserIdentifier=x`, ['link', 'token', 'managerScriptUrl']],
    [(id) => `/api/v1/session/${id}/summary`, ['data']],
    [() => '/api/v1/accessControl', ['active', 'open', 'closedReason']],
    [() => '/api/v1/accessControl/sessionCount', ['completed', 'active']],
    [() => '/api/v1/sessions', ['sessions', 'nextCursor']],
  ]
  for (const [path, fields] of FIELDS) {
    test(path('{id}'), async () => {
      const reply = await call('GET', path(await sessionOf(mine)), { key: mine.key })
      expect(Object.keys(reply.body as object).toSorted()).toEqual(fields.toSorted())
    })
  }

  test('a refusal', async () => {
    const { body } = await call('GET', '/api/v1/session/x/status', { key: mine.key })
    expect(Object.keys(body as object).toSorted()).toEqual(['detail', 'errors', 'requestId', 'status', 'title', 'type'])
  })
})

test('F30 interleaved requests of two accounts, with errors and cancelled ones in between, never mix', async () => {
  const rounds = Number(process.env.FYR_ROUNDS ?? 80)
  const sides = [
    { ...mine, mark: 'only-of-mine', ids: [await sessionOf(mine, 'only-of-mine')] },
    { ...theirs, mark: 'only-of-theirs', ids: [await sessionOf(theirs, 'only-of-theirs')] },
  ]
  const wrong: string[] = []
  async function one(at: number): Promise<void> {
    const [own, other] = at % 2 === 0 ? [sides[0], sides[1]] : [sides[1], sides[0]]
    if (!own || !other) return
    const id = own.ids.at(-1) ?? ''
    const url = `${world.url}/api/v1/session`
    const kind = at % 9
    if (kind === 0) {
      const made = await send(url, 'POST', { key: own.key, json: { text: own.mark } })
      if (made.status !== 201) return void wrong.push(`create ${made.status} ${made.text}`)
      own.ids.push((made.body as { sessionId: string }).sessionId)
    } else if (kind === 1) {
      await fetch(`${url}/${id}`, { headers: { 'x-service-api-key': own.key }, signal: AbortSignal.timeout(1) }).catch(
        () => {},
      )
    } else if (kind === 2) await send(url, 'POST', { key: own.key, json: { text: 5 } })
    else {
      const rest = ['', '/status', '/summary', '/files'][at % 4] ?? ''
      const asked = kind === 3 ? (other.ids.at(-1) ?? '') : id
      const reply = await send(`${url}/${asked}${rest}`, 'GET', { key: own.key })
      if (reply.status !== (kind === 3 ? 404 : 200)) wrong.push(`${kind} ${rest} ${reply.status} ${reply.text}`)
      if (reply.text.includes(other.mark)) wrong.push(`leak ${rest}`)
      if (kind !== 3 && (rest === '' || rest === '/summary') && !reply.text.includes(own.mark))
        wrong.push(`lost ${rest}`)
    }
  }
  for (let round = 0; round < rounds; round++) {
    await Promise.all(Array.from({ length: 10 }, (_, at) => one(round * 10 + at)))
  }
  expect(wrong).toEqual([])
}, 1_200_000)
