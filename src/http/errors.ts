import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Fault, PROBLEMS, Problem, type ProblemCode } from '../problems.ts'
import { DatabaseAway, ShareSpent, StaleKey, StatementTimeout, StorageFull } from '../store/database/db.ts'
import { ObjectsAway } from '../store/objects.ts'
import { SealBroken } from '../store/seal.ts'
import type { Metrics } from './metrics.ts'

const RETRY_SOON = { 'retry-after': '1' }
const RETRY_LATER = { 'retry-after': '10' }

/** The framework's own refusals, as our problems. */
const FRAMEWORK: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid-request',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media-type-not-supported',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid-request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid-request',
  FST_ERR_BAD_URL: 'not-found',
  FST_ERR_ASYNC_CONSTRAINT: 'not-found',
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
}

/** Any error as the problem it is answered with; an unexpected one is internal and reveals nothing. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof StorageFull) return new Problem('storage-full', { headers: RETRY_LATER })
  if (error instanceof DatabaseAway) return new Problem('database-away', { headers: RETRY_SOON })
  if (error instanceof ShareSpent) return new Problem('too-many-requests', { headers: RETRY_SOON })
  if (error instanceof StaleKey) return new Problem('overloaded', { headers: RETRY_SOON })
  if (error instanceof StatementTimeout) return new Problem('overloaded', { headers: RETRY_SOON })
  if (error instanceof ObjectsAway) return new Problem('files-away', { headers: RETRY_SOON })
  const framework = error as Partial<FastifyError>
  if (framework.validation)
    return new Problem('invalid-request', {
      errors: framework.validation.map((fault) => faultOf(fault, framework.validationContext)),
    })
  const code = framework.code ? FRAMEWORK[framework.code] : undefined
  if (code) return new Problem(code)
  if (typeof framework.statusCode === 'number' && framework.statusCode >= 400 && framework.statusCode < 500)
    return new Problem('invalid-request')
  return new Problem('internal')
}

type Validation = NonNullable<FastifyError['validation']>[number]

/** Points at the fault and says what is wrong, without repeating what was sent: that may be health text. */
function faultOf({ instancePath, message, params, keyword }: Validation, context: string | undefined): Fault {
  const missing = keyword === 'required' && 'missingProperty' in params ? `/${String(params.missingProperty)}` : ''
  const allowed =
    keyword === 'enum' && 'allowedValues' in params && Array.isArray(params.allowedValues)
      ? `: ${params.allowedValues.join(', ')}`
      : ''
  const where =
    context === 'querystring' ? '/query' : context === 'headers' ? '/headers' : context === 'params' ? '/path' : ''
  return {
    pointer: `${where}${instancePath}${missing}`,
    message: missing ? 'is required' : `${message ?? 'is not valid'}${allowed}`,
  }
}

export function problemBody(problem: Problem, publicUrl: string, requestId: string): Record<string, unknown> {
  const { code, status, extra } = problem
  const faults = extra.errors?.slice(0, 20)
  return {
    ...extra.members,
    type: `${publicUrl}/problems/${code}`,
    title: PROBLEMS[code][1],
    status,
    detail:
      extra.detail ?? (faults?.[0] ? `${faults[0].pointer || 'The request'}: ${faults[0].message}` : PROBLEMS[code][2]),
    requestId,
    ...(faults && { errors: faults }),
  }
}

/** A known caller asks for something that is not theirs or does not exist: neither answer nor log says which. */
const UNKNOWN_IDS: ReadonlySet<ProblemCode> = new Set(['session-not-found', 'file-not-found'])

/** The one error handler. */
export function errorHandler(publicUrl: string, metrics: Metrics) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = problemOf(error)
    if (UNKNOWN_IDS.has(problem.code)) {
      metrics.refusals.inc({ reason: 'unknown id' })
      const { url: route } = request.routeOptions
      request.log.warn({ event: 'unknown-id', reqId: request.id, route, keyId: request.caller?.keyId }, problem.code)
    }
    if (problem.code === 'internal') {
      const kind = error instanceof SealBroken ? 'seal-broken' : 'unforeseen'
      if (kind === 'seal-broken') metrics.refusals.inc({ reason: 'seal broken' })
      // The stack names our code; the message may carry values, so it is not logged.
      request.log.error(
        { kind, reqId: request.id, name: error instanceof Error ? error.name : typeof error, stack: framesOf(error) },
        'internal error',
      )
    }
    sendProblem(reply, problem, publicUrl)
  }
}

function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim().replace(/\(?file:\/\/[^\s:]{0,200}\/(src|node_modules)\//, '($1/'))
}

export function sendProblem(reply: FastifyReply, problem: Problem, publicUrl: string): void {
  if (problem.status === 401)
    reply.header('www-authenticate', problem.code === 'key-missing' ? 'ApiKey realm="fyr"' : 'Bearer realm="fyr"')
  reply
    .code(problem.status)
    .headers(problem.extra.headers ?? {})
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify(problemBody(problem, publicUrl, reply.request.id)))
}
