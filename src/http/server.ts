import { randomUUID } from 'node:crypto'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { type Span, type TellSpan, tellNobody } from '../events/telemetry/spans.ts'
import { Problem } from '../problems.ts'
import type { Settings } from '../settings.ts'
import { answerInTime } from './deadline.ts'
import { errorHandler, problemBody } from './errors.ts'
import { parseBody } from './json.ts'
import { shedLoad } from './load-shedding.ts'
import type { Metrics } from './metrics.ts'

const BODY_LIMIT_BYTES = 64 * 1024
const LONGEST_ADDRESS = 8_192
const LARGEST_HEADERS_BYTES = 16 * 1024

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent, for comparing byte by byte. */
    bodyText: string
  }
}

const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Over https, a browser that has been here once never uses http again. */
const headersFor = (publicUrl: string): Record<string, string> =>
  publicUrl.startsWith('https:')
    ? { ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' }
    : SECURITY_HEADERS

/** A server that answers every failure, the framework's own included, as a problem; the app adds the routes. */
export function newServer(
  settings: Settings,
  publicUrl: string,
  logger: Logger,
  metrics: Metrics,
  tell: TellSpan = tellNobody,
): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent) => parent, // our own lines name the request; a logger for each would be wasted
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: settings.TRUSTED_PROXIES.length > 0 ? [...settings.TRUSTED_PROXIES] : false,
    requestTimeout: 30_000,
    connectionTimeout: 80_000, // longer than a kept-alive connection may wait: this is for clients that do not read their answer
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : url.replaceAll('%', '%25')),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: LONGEST_ADDRESS },
    http: {
      maxHeaderSize: LARGEST_HEADERS_BYTES,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      requireHostHeader: true,
    },
    ajv: { customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false, allErrors: false } },
    schemaController: { compilersFactory: { buildSerializer: serializersOfAnswers } },
    clientErrorHandler: (error, socket) => refuseBrokenRequest(error, socket, publicUrl),
  })
  app.decorateRequest('bodyText', '')
  readJsonStrictly(app)
  nameAndCount(app, metrics, headersFor(publicUrl), tell)
  shedLoad(app, settings.REQUESTS_IN_FLIGHT)
  answerInTime(app)
  app.setErrorHandler(errorHandler(publicUrl, metrics))
  refuseUnknownPaths(app)
  return app
}

const buildSerializers = SerializerSelector()

/**
 * Answers are serialised by their schema, which drops what it does not name; routes with the same answer share a
 * serialiser. Refusals are sent as text and need none. A serialiser is compiled with only the schemas that its answer
 * refers to, because each is checked anew for each serialiser. Without all this, compiling serialisers would be a third
 * of the start.
 */
const serializersOfAnswers: typeof buildSerializers = (schemas, options) => {
  const known = new Map<string, ReturnType<ReturnType<typeof buildSerializers>>>()
  return (route) => {
    if (!String(route.httpStatus).startsWith('2')) return JSON.stringify
    const { description: _description, ...shape } = Object(route.schema)
    const name = JSON.stringify(shape)
    const writer = known.get(name) ?? buildSerializers(schemasNamedIn(name, Object(schemas)), options)(route)
    known.set(name, writer)
    return writer
  }
}

/** The schemas that a schema, given as text, refers to, directly or through others. */
function schemasNamedIn(text: string, schemas: Record<string, unknown>): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  const texts = [text]
  for (const one of texts) {
    for (const [, id = ''] of one.matchAll(/"\$ref":"([^"#]+)/g)) {
      if (Object.hasOwn(named, id) || !Object.hasOwn(schemas, id)) continue
      named[id] = schemas[id]
      texts.push(JSON.stringify(schemas[id]))
    }
  }
  return named
}

/** JSON only, by our own strict rule; an empty body counts as none, whatever its type says. */
function readJsonStrictly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const read = (request: FastifyRequest, bytes: Buffer): unknown => {
    // The upload route reads its bytes itself and takes nothing else, least of all JSON in disguise.
    if (request.routeOptions.config.takesBytes === true) throw new Problem('media-type-not-supported')
    if (bytes.length === 0) return undefined
    const type = request.headers['content-type'] ?? ''
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (!/^application\/json\s*(;|$)/i.test(type) || encoding !== 'identity')
      throw new Problem('media-type-not-supported')
    if (request.routeOptions.config.takesNull === true && bytes.toString('latin1').trim() === 'null') return undefined
    const { value, text } = parseBody(bytes)
    request.bodyText = text
    return value
  }
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) =>
    read(request, bytes),
  )
}

/** Gives every answer its request id and the security headers, and counts it. */
function nameAndCount(app: FastifyInstance, metrics: Metrics, headers: Record<string, string>, tell: TellSpan): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    if (request.raw.url && request.raw.url.length > LONGEST_ADDRESS) return done(new Problem('uri-too-long'))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    metrics.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    if (request.routeOptions.config.priority !== 'probes') tell(spanOf(request, reply, route))
    // The template of the path, never the path: addresses of files and links are secrets.
    const line = {
      reqId: request.id,
      trace: traceOf(request),
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    if (reply.statusCode >= 500) request.log.warn(line, 'request')
    else if (reply.statusCode >= 400) request.log.info(line, 'request')
    else request.log.debug(line, 'request')
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    request.log.debug({ reqId: request.id }, 'aborted')
    done()
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file's bytes, which the route reads as they come. */
    takesBytes?: boolean
    /** A body of `null` counts as none. */
    takesNull?: boolean
  }
}

/** A request as whoever follows traces sees it: by its route's template, like a log line. */
const spanOf = (request: FastifyRequest, reply: FastifyReply, route: string): Span => ({
  name: `${request.method} ${route}`,
  kind: 'server',
  attributes: {
    'http.request.method': request.method,
    'http.route': route,
    'http.response.status_code': reply.statusCode,
  },
  isFailed: reply.statusCode >= 500,
  durationMs: reply.elapsedTime,
  traceparent: headerText(request.headers.traceparent),
})

const headerText = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/** The caller's W3C trace id, when it sent a well-formed one. */
function traceOf(request: FastifyRequest): string | undefined {
  const header = request.headers.traceparent
  return typeof header === 'string' ? /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(header)?.[1] : undefined
}

/** A known path with another method is 405 and names those it takes; anything else is 404. What people see of it is in pages. */
function refuseUnknownPaths(app: FastifyInstance): void {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    if (/^\/?\*$/.test(url)) return // built files may be at any path, so they make none a known one
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const name of Array.isArray(method) ? method : [method]) entry.methods.add(name)
    known.set(url, entry)
  })
  app.decorate('refuseUnknownPath', (request: FastifyRequest): never => {
    const path = pathOf(request.raw.url ?? '')
    const methods = [...known.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((entry) => [...entry.methods])
    if (methods.length === 0 || methods.includes(request.method)) throw new Problem('not-found')
    throw new Problem('method-not-allowed', { headers: { allow: [...new Set(methods)].sort().join(', ') } })
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    refuseUnknownPath(request: FastifyRequest): never
  }
}

function patternOf(url: string): RegExp {
  const parts = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`^${parts.join('/')}$`)
}

const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? ''

/** An address with a broken escape is taken literally, so that it is refused where it leads: behind the key check. */
function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(pathOf(url))
    return true
  } catch {
    return false
  }
}

type BrokenSocket = { writable: boolean; write: (text: string) => void; destroy: () => void; destroyed: boolean }

/** What the HTTP parser refuses never reaches a route; it too is answered as a problem, then the connection is closed. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: BrokenSocket, publicUrl: string): void {
  if (!socket.writable || socket.destroyed || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const problem = new Problem(
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers-too-large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request-timeout'
        : 'invalid-request',
  )
  const body = JSON.stringify(problemBody(problem, publicUrl, randomUUID()))
  const headers = {
    ...headersFor(publicUrl),
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write(`HTTP/1.1 ${problem.status} Refused\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy()
}
