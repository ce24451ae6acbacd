import { type IncomingHttpHeaders, request } from 'node:http'
import { Compile } from 'typebox/schema'
import { expect } from 'vitest'
import { PROBLEMS, type ProblemCode } from '../../src/problems.ts'
import type { World } from './world.ts'

export type Ask = {
  /** Absent: no key header at all. A list sends the header as often. */
  key?: string | string[]
  headers?: Record<string, string | string[]>
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is; the content type is the caller's business. */
  raw?: string | Buffer
}

export type Reply = { status: number; headers: IncomingHttpHeaders; text: string; body: unknown }
export type Call = (method: string, path: string, ask?: Ask) => Promise<Reply>

type Operation = { responses: Record<string, { content?: Record<string, { schema: object }> }> }
type ApiDocument = { paths: Record<string, Record<string, Operation>>; components: object }

/** Calls the world's service over a real socket and checks every answer against the OpenAPI document it serves. */
export function callerTo(world: Pick<World, 'url'>): Call {
  let document: Promise<ApiDocument> | null = null
  return async (method, path, ask = {}) => {
    document ??= fetch(`${world.url}/api/openapi.json`).then((reply) => reply.json())
    const reply = await send(`${world.url}${path}`, method, ask)
    holdAgainst(await document, method, path, reply)
    return reply
  }
}

/** One request, exactly as given: no header is added but what HTTP needs. */
export function send(url: string, method: string, { key, headers = {}, json, raw }: Ask = {}): Promise<Reply> {
  const body = json === undefined ? raw : JSON.stringify(json)
  const [, hostname, port, path] = /^http:\/\/([^:/]+):(\d+)(.*)$/.exec(url) ?? []
  return new Promise((done, failed) => {
    // Not as one URL: that would be normalised on its way, and odd ones are what is tested here.
    const outgoing = request({
      hostname,
      port,
      path,
      method,
      agent: false,
      headers: {
        ...(key !== undefined && { 'X-Service-API-Key': key }),
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
    })
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk) => chunks.push(chunk))
      incoming.on('error', failed)
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const isJson = /json/.test(incoming.headers['content-type'] ?? '')
        done({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          body: isJson && text ? JSON.parse(text) : null,
        })
      })
    })
    outgoing.on('error', failed)
    outgoing.end(body)
  })
}

function holdAgainst(document: ApiDocument, method: string, path: string, reply: Reply): void {
  const where = `${method} ${path.slice(0, 100)} → ${reply.status}`
  expect(reply.headers['x-request-id'], `${where}: request id`).toMatch(/^[0-9a-f-]{36}$/)
  expect(reply.headers['cache-control'], `${where}: cache`).toBe('no-store')
  const operation = operationOf(document, method, path)
  if (!operation && reply.status < 400) throw new Error(`${where} is answered but not in the OpenAPI document`)
  if (reply.status === 204 || method === 'HEAD') return
  const documented = operation?.responses[String(reply.status)]
  if (operation && !documented) throw new Error(`${where} is not a documented status: ${reply.text.slice(0, 300)}`)
  const type = (reply.headers['content-type'] ?? '').split(';')[0] ?? ''
  const schema = operation ? documented?.content?.[type]?.schema : { $ref: '#/components/schemas/Problem' }
  if (!schema) throw new Error(`${where} has the type ${type}, which is not documented`)
  const validator = validatorOf(document, schema)
  if (!validator.Check(reply.body)) {
    const [, faults] = validator.Errors(reply.body)
    throw new Error(`${where} is not what the document says: ${JSON.stringify(faults.slice(0, 5))}`)
  }
  if (reply.status >= 400) expectOwnProblem(reply)
}

const validators = new WeakMap<object, ReturnType<typeof Compile>>()

function validatorOf(document: ApiDocument, schema: object): ReturnType<typeof Compile> {
  const known = validators.get(schema)
  if (known) return known
  const fresh = Compile({ ...schema, components: document.components } as never)
  validators.set(schema, fresh)
  return fresh
}

function operationOf(document: ApiDocument, method: string, path: string): Operation | null {
  const plain = path.replace(/[?#].*$/, '')
  for (const [template, methods] of Object.entries(document.paths)) {
    const pattern = new RegExp(`^${template.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`)
    const operation = methods[method === 'HEAD' ? 'get' : method.toLowerCase()]
    if (pattern.test(plain) && operation) return operation
  }
  return null
}

type ProblemBody = { type: string; title: string; status: number; requestId: string; errors?: { pointer: string }[] }

/** Every refusal is one of the published problems and names the request. */
function expectOwnProblem({ status, headers, body }: Reply): void {
  const problem = body as ProblemBody
  const code = problem.type.replace(/^.*\/problems\//, '')
  const known = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as ProblemCode] : null
  expect(known, `${code} is a published problem`).not.toBeNull()
  expect({ status: problem.status, title: problem.title }).toEqual({ status, title: known?.[1] })
  expect(known?.[0]).toBe(status)
  expect(problem.requestId).toBe(headers['x-request-id'])
}

/** The reply is this problem; with a pointer, it points at that place of the request. */
export function expectProblem(reply: Reply, status: number, code: ProblemCode, pointer?: string): void {
  const problem = reply.body as ProblemBody
  expect({ status: reply.status, code: problem?.type?.replace(/^.*\/problems\//, '') }).toEqual({ status, code })
  expect(reply.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  if (pointer !== undefined) expect(problem.errors?.map((fault) => fault.pointer)).toContain(pointer)
}
