import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiDocument, Operation } from '../../src/http/openapi/document.ts'
import { operationsIn } from '../../src/http/openapi/document.ts'
import { newWorld, type World } from '../world/world.ts'
import { type Seen, walk } from './walk.ts'

const document: ApiDocument = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
const operations = operationsIn(document.paths)
const isJson = (type: string) => /[/+]json$/.test(type)

let world: World
let seen: Seen[]
beforeAll(async () => {
  world = await newWorld()
  seen = await walk(world)
})
afterAll(() => world?.close())

const operationOf = ({ method, template }: Seen): Operation | undefined => document.paths[template]?.[method]

describe('the document by itself', () => {
  test('every operation has an example of what is sent and of what is answered', () => {
    const lacking = operations.flatMap(({ operation: { operationId, requestBody, responses } }) => {
      const sent = Object.entries(requestBody?.content ?? {})
      const answered = Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, { content = {} }]) => Object.entries(content))
      return [...sent, ...answered]
        .filter(([type, media]) => isJson(type) && media.example === undefined)
        .map(([type]) => `${operationId}: ${type}`)
    })
    expect(lacking).toEqual([])
  })

  test('every parameter that must be given has an example', () => {
    const lacking = operations.flatMap(({ operation: { operationId, parameters = [] } }) =>
      parameters
        .filter(({ required, example }) => required && example === undefined)
        .map(({ name }) => `${operationId}: ${name}`),
    )
    expect(lacking).toEqual([])
  })

  test('every refusal says which problems it may be, in their words', () => {
    const lacking = operations.flatMap(({ operation: { operationId, responses } }) =>
      Object.entries(responses)
        .filter(([status, { description, content = {} }]) => {
          const examples = content['application/problem+json']?.examples ?? {}
          return !status.startsWith('2') && (description === 'Refused' || Object.keys(examples).length === 0)
        })
        .map(([status]) => `${operationId}: ${status}`),
    )
    expect(lacking).toEqual([])
  })

  test('every event that is sent is a webhook of the document, with its headers and an example', () => {
    const events = operationsIn(document.webhooks)
    expect(events.map(({ path }) => path)).toContain('session.completed')
    for (const { operation } of events) {
      expect(operation.parameters?.map(({ name }) => name)).toEqual([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ])
      expect(operation.requestBody?.content['application/json']?.example).toMatchObject({ type: operation.summary })
    }
  })
})

const hasPython = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)(
  'a client in Python, made from the document alone, takes a session from creation to upload',
  async () => {
    const clinic = await world.clinic()
    const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
    const args = [here('client.py'), here('../../docs/openapi.json'), world.url, clinic.key, clinic.slug]
    const done = await new Promise<{ code: number | null; out: string }>((ended) => {
      const child = spawn('python3', args)
      let out = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += String(chunk)))
      child.on('close', (code) => ended({ code, out }))
    })
    expect(done).toMatchObject({ code: 0 })
    expect(JSON.parse(done.out)).toMatchObject({
      status: 'Created',
      summary: expect.stringContaining('Sore throat since yesterday'),
      screen: 'matter',
      received: 109,
      open: true,
      listed: 1,
    })
  },
)

describe('the document beside a running service', () => {
  test('every operation was asked, and answered as it says', () => {
    const asked = new Set(
      seen.filter(({ reply }) => reply.status < 300).map(({ method, template }) => `${method} ${template}`),
    )
    const described = operations.map(({ method, path }) => `${method} ${path}`)
    expect(described.filter((operation) => !asked.has(operation))).toEqual([])
  })

  test('every status that came is described, and every problem among those it names', () => {
    const unknown = seen.flatMap((one) => {
      const operation = operationOf(one)
      if (!operation) return [] // another method on a known path
      const { status, body } = one.reply
      const answer = operation.responses[String(status)]
      if (!answer) return [`${operation.operationId}: ${status} is not described`]
      if (status < 400) return []
      const code = String((body as { type: string }).type).replace(/^.*\/problems\//, '')
      const named = Object.keys(answer.content?.['application/problem+json']?.examples ?? {})
      return named.includes(code) ? [] : [`${operation.operationId}: ${status} ${code} is not named`]
    })
    expect(unknown).toEqual([])
  })

  test('every header that callers act on is described where it is sent', () => {
    const ACTED_ON = [
      'x-request-id',
      'retry-after',
      'location',
      'allow',
      'www-authenticate',
      'upload-offset',
      'content-disposition',
      'set-cookie',
      'clear-site-data',
    ]
    const missing = seen.flatMap((one) => {
      const operation = operationOf(one)
      const answer = operation?.responses[String(one.reply.status)]
      const described = Object.keys(answer?.headers ?? {}).map((name) => name.toLowerCase())
      return answer
        ? ACTED_ON.filter((name) => one.reply.headers[name] !== undefined && !described.includes(name)).map(
            (name) => `${operation?.operationId} ${one.reply.status}: ${name}`,
          )
        : []
    })
    expect(missing).toEqual([])
    expect(seen.filter(({ reply }) => !reply.headers['x-request-id'])).toEqual([])
  })

  test('Location, Upload-Offset and what has to be saved come as described', () => {
    const ALWAYS = ['location', 'upload-offset', 'content-disposition']
    const missing = seen.flatMap((one) => {
      const operation = operationOf(one)
      const described = Object.keys(operation?.responses[String(one.reply.status)]?.headers ?? {}).map((name) =>
        name.toLowerCase(),
      )
      return described
        .filter((name) => ALWAYS.includes(name) && one.reply.headers[name] === undefined)
        .map((name) => `${operation?.operationId}: ${name}`)
    })
    expect(missing).toEqual([])
  })

  test('an example has the fields that a real answer has', () => {
    const fields = (value: unknown): string[] => {
      const one: unknown = Array.isArray(value) ? value[0] : value
      return one !== null && typeof one === 'object' ? Object.keys(one).sort() : []
    }
    for (const one of seen) {
      const { status, body } = one.reply
      const operation = operationOf(one)
      const example = operation?.responses[String(status)]?.content?.['application/json']?.example
      if (status >= 300 || example === undefined || (Array.isArray(body) && body.length === 0)) continue
      expect({ of: operation?.operationId, fields: fields(example) }).toEqual({
        of: operation?.operationId,
        fields: fields(body),
      })
    }
  })

  test('a body that need not be sent is not called required', () => {
    const optional = operations.filter(({ operation }) => operation.requestBody?.required === false)
    expect(optional.map(({ operation }) => operation.operationId).sort()).toEqual([
      'closeVisit',
      'createSession',
      'enterOpen',
      'keepVisit',
    ])
  })

  test('the bytes of an upload are the body of a request', () => {
    const { requestBody } = document.paths['/api/triage/v1/session/files/{fileId}']?.patch ?? {}
    expect(requestBody).toMatchObject({ required: true })
    expect(Object.keys(requestBody?.content ?? {})).toEqual(['application/octet-stream'])
  })
})
