import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { configurationOf, createConfiguration, issueKey } from '../../src/account/provision.ts'
import { type Ask, type Reply, send } from '../world/call.ts'
import { visiting } from '../world/clinician.ts'
import { interviewed, picture } from '../world/handoff.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

/** Parts of paths that everyone may know: the address of a clinic, the name of a question. */
const PUBLIC = ['slug', 'question']

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  enum?: unknown[]
  $ref?: string
  anyOf?: Schema[]
  minimum?: number
}
type Parameter = { name: string; in: string; required?: boolean }
type Operation = {
  operationId: string
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type ApiDocument = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }
/** One operation that names something by id, ready to be asked by somebody. */
type Asking = { name: string; method: string; parameters: string[]; ask: (ids: string[]) => Promise<Reply> }
/** Somebody with credentials of their own, and a session of their own. */
type Stranger = { name: string; sessionId: string; key: string; user: string; visit: string }

let world: World
let document: ApiDocument
let theirs: Clinic

beforeAll(async () => {
  world = await newWorld()
  theirs = await world.clinic()
  document = await fetch(`${world.url}/api/openapi.json`).then((reply) => reply.json())
})
afterAll(() => world.close())

/** A session with everything that can hang on one: answers, a file, its outcome, a visit and a judgement. */
async function fullSession(clinic: Clinic): Promise<{ sessionId: string; visit: string }> {
  const patient = await interviewed(world, clinic, { files: [['throat.jpg', await picture(40, 30, 5)]] })
  await patient.finish()
  const { sessionId } = patient.now
  const clinician = await visiting(world, clinic, sessionId)
  const judged = await clinician.call('POST', '/judgements', {
    json: { id: randomUUID(), urgency: 'Level5', reason: 'Looks well' },
  })
  expect(judged.status, judged.text).toBeLessThan(300)
  return { sessionId, visit: `${clinician.visitId} ${clinician.cookie}` }
}

async function stranger(name: string, clinic: Clinic): Promise<Stranger> {
  const { cookie } = await interviewed(world, clinic, {})
  return { name, key: clinic.key, user: cookie ?? '', ...(await fullSession(clinic)) }
}

/** Another configuration of the same account: the key of one opens nothing of the other. */
async function neighbour({ accountId }: Clinic): Promise<Clinic> {
  const slug = `neighbour-${randomUUID().slice(0, 8)}`
  const { id } = await createConfiguration(world.app.core, accountId, slug, {
    name: 'Neighbour',
    type: 'OPEN',
    emergencyNumber: '112',
  })
  const { key } = await issueKey(world.app.core, await configurationOf(world.app.core, slug))
  return { accountId, slug, configurationId: id, key }
}

/** Every operation of the document that names something by an id, as this stranger asks it. */
function askings({ key, user, visit }: Stranger): Asking[] {
  return Object.entries(document.paths).flatMap(([template, methods]) => {
    const parameters = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    if (parameters.length === 0 || parameters.every((name) => PUBLIC.includes(name))) return []
    return Object.entries(methods).map(([verb, operation]) => {
      const method = verb.toUpperCase()
      const ask = askOf(operation, { key, user, visit })
      return {
        name: operation.operationId,
        method,
        parameters,
        ask: (ids: string[]) => {
          const path = parameters.reduce((text, name, at) => text.replace(`{${name}}`, ids[at] ?? ''), template)
          return send(`${world.url}${path}${queryOf(operation)}`, method, ask)
        },
      }
    })
  })
}

function queryOf({ parameters = [] }: Operation): string {
  const required = parameters.filter((one) => one.in === 'query' && one.required)
  return required.length > 0 ? `?${required.map(({ name }) => `${name}=1`).join('&')}` : ''
}

/** Credential, headers and body as the document wants them. */
function askOf(operation: Operation, { key, user, visit }: Pick<Stranger, 'key' | 'user' | 'visit'>): Ask {
  const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }
  for (const one of operation.parameters ?? []) if (one.in === 'header' && one.required) headers[one.name] = '0'
  const json = operation.requestBody?.content['application/json']?.schema
  const isUpload = 'upload-offset' in headers
  if (isUpload) headers['content-type'] = 'application/octet-stream'
  const body: Ask = json ? { json: sampleOf(json) } : isUpload ? { raw: Buffer.from('bytes') } : {}
  const schemes = (operation.security ?? [{ key: [] }]).flatMap((one) => Object.keys(one))
  if (schemes.includes('key')) return { ...body, key, headers }
  const [visitId = '', cookie = ''] = visit.split(' ')
  if (schemes.includes('visitCookie')) return { ...body, headers: { ...headers, cookie, 'x-visit-id': visitId } }
  if (schemes.includes('userCookie')) return { ...body, headers: { ...headers, cookie: user } }
  throw new Error(`${operation.operationId}: say in this test what a stranger proves themselves with there`)
}

/** The least that a schema takes. */
function sampleOf(schema: Schema): unknown {
  if (schema.$ref) return sampleOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0])
  if (schema.enum) return schema.enum[0]
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
      )
    case 'array':
      return []
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    default:
      return 'x'
  }
}

/** Every uuid that the account has anywhere. */
async function idsOf(accountId: string): Promise<string[]> {
  const columns = await world.sql(
    `select table_name as table, column_name as column from information_schema.columns c where table_schema = 'public' and data_type = 'uuid'
       and exists (select from information_schema.columns a where a.table_name = c.table_name and a.column_name = 'account_id')`,
  )
  const ids = new Set<string>()
  for (const { table, column } of columns)
    for (const { id } of await world.sql(`select distinct ${column} as id from ${table} where account_id = $1`, [
      accountId,
    ]))
      if (id) ids.add(String(id))
  return [...ids]
}

/** Everything the account has, as one value: when it is the same afterwards, nobody changed anything. */
async function traceOf(accountId: string): Promise<Record<string, unknown>> {
  const tables = await world.sql(
    `select table_name as table from information_schema.columns where table_schema = 'public' and column_name = 'account_id' order by 1`,
  )
  const trace: Record<string, unknown> = {}
  for (const { table } of tables) {
    const [row] = await world.sql(
      `select count(*)::int as rows, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash from ${table} t where account_id = $1`,
      [accountId],
    )
    trace[String(table)] = row
  }
  return trace
}

function comparable({ status, headers, text }: Reply, ids: readonly string[]) {
  const { date: _date, 'x-request-id': requestId = '', ...kept } = headers
  return {
    status,
    headers: kept,
    text: [String(requestId), ...ids].reduce((plain, id) => plain.replaceAll(id, ''), text),
  }
}

/** All ways to put foreign ids into a path; one that has several parts is also tried with the asker's own session before them. */
function* fillings(parameters: readonly string[], own: string, foreign: readonly string[]): Generator<string[]> {
  if (parameters.length === 1) for (const id of foreign) yield [id]
  else
    for (const first of [own, ...foreign])
      for (const last of foreign) yield [...Array(parameters.length - 1).fill(first), last]
}

async function askedInVain(asker: Stranger, ids: readonly string[]): Promise<void> {
  const events = () => world.log().split('"event":"unknown-id"').length - 1
  const loggedBefore = events()
  let asked = 0
  const operations = askings(asker)
  expect(operations.length).toBeGreaterThanOrEqual(11)
  for (const { name, method, parameters, ask } of operations) {
    const none = [...parameters.slice(1).map(() => asker.sessionId), randomUUID()]
    const unknown = comparable(await ask(none), none)
    asked++
    expect([name, method, unknown.status]).toEqual([name, method, 404])
    for (const foreign of fillings(parameters, asker.sessionId, ids)) {
      asked++
      expect([asker.name, name, comparable(await ask(foreign), foreign)]).toEqual([asker.name, name, unknown])
    }
  }
  expect(events() - loggedBefore).toBe(asked)
}

test('A01 every operation × every id of another account or configuration is answered exactly like an unknown id, changes nothing, and is a security event', async () => {
  await fullSession(theirs)
  const ids = await idsOf(theirs.accountId)
  expect(ids.length).toBeGreaterThanOrEqual(6)
  const before = await traceOf(theirs.accountId)
  await askedInVain(await stranger('another account', await world.clinic()), ids)
  expect(await traceOf(theirs.accountId)).toEqual(before)
  await askedInVain(await stranger('another configuration', await neighbour(theirs)), ids)
  const metrics = await fetch(world.metricsUrl).then((reply) => reply.text())
  expect(metrics).toMatch(/fyr_refusals_total\{reason="unknown id"\} \d+/)
})
