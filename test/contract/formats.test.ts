import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Patient } from '../world/patient.ts'
import { integrator } from '../world/stage.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(() => world.close())

/** What common validators of UUIDs take: version 4 or 7 and the usual variant. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('the id of every session is a uuid of version 4 or 7, however the session came about', async () => {
  const system = integrator({ world, urls: [world.url] }, clinic)
  const ids = [String((await system.post('/session')).sessionId)]
  for (const id of [undefined, randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]) {
    const patient = new Patient(world.url)
    expect((await patient.enterOpen(clinic.slug, { credential: 'bearer', ...(id && { id }) })).status).toBe(201)
    ids.push(patient.now.sessionId)
  }
  for (const id of ids) expect(id).toMatch(UUID)
})

type Schema = { [keyword: string]: unknown } & { properties?: Record<string, Schema>; required?: string[] }
type Parameter = { name: string; schema: Schema }
type ApiDocument = {
  paths: Record<string, Record<string, { parameters?: Parameter[]; requestBody?: Body }>>
  components: { schemas: Record<string, Schema> }
}
type Body = { required?: boolean; content: Record<string, { schema: Schema }> }

const document = async (): Promise<ApiDocument> => (await fetch(`${world.url}/api/openapi.json`)).json()

test('closedReason is required, in what is sent and in what is answered, and null when open', async () => {
  const { paths, components } = await document()
  const body = paths['/api/v1/accessControl/close']?.post?.requestBody
  expect(body?.required).toBe(true)
  expect(body?.content['application/json']?.schema.required).toEqual(['closedReason'])
  const { AccessInfo } = components.schemas
  expect(AccessInfo?.required).toEqual(['active', 'open', 'closedReason'])
  expect(AccessInfo?.properties?.closedReason).toEqual({
    anyOf: [{ $ref: '#/components/schemas/ClosedReason' }, { type: 'null' }],
  })
})

test('addresses, moments and numbers have their formats, so that generated clients get their types', async () => {
  const { paths, components } = await document()
  const named: [name: RegExp, format: string][] = [
    [/(^u|U)rl$|^link$/, 'uri'],
    [/Timestamp$|At$/, 'date-time'],
    [/^(session|judgement|visit)Id$/, 'uuid'],
    [/^birthDate$/, 'date'],
  ]
  const numbers = { number: ['double'], integer: ['int32'] }
  const faults: string[] = []
  const look = (schema: Schema, name: string, where: string): void => {
    const types = [schema.type].flat()
    const [, format] = named.find(([pattern]) => pattern.test(name)) ?? []
    if (types.includes('string') && format && schema.format !== format) faults.push(`${where}: ${format}`)
    for (const [type, formats] of Object.entries(numbers))
      if (types.includes(type) && !schema.enum && !formats.includes(String(schema.format)))
        faults.push(`${where}: ${type}`)
    for (const [key, inner] of Object.entries(schema)) {
      if (key === 'properties')
        for (const [inside, one] of Object.entries(inner as object)) look(one, inside, `${where}.${inside}`)
      else if (Array.isArray(inner))
        for (const one of inner)
          if (one instanceof Object) look(one, name, where)
          else if (inner instanceof Object && !Array.isArray(inner)) look(inner as Schema, name, where)
    }
  }
  for (const [name, schema] of Object.entries(components.schemas)) look(schema, '', name)
  for (const [path, methods] of Object.entries(paths))
    for (const { parameters = [], requestBody } of Object.values(methods)) {
      for (const { name, schema } of parameters) look(schema, name, `${path} ${name}`)
      for (const { schema } of Object.values(requestBody?.content ?? {})) look(schema, '', path)
    }
  expect(faults).toEqual([])
})
