import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller, Callers } from '../../account/callers.ts'
import { Problem } from '../../problems.ts'
import type { Metrics } from '../metrics.ts'
import type { RateLimit } from '../rate-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

export type Door = { callers: Callers; perKey: RateLimit; invalidPerAddress: RateLimit; metrics: Metrics }

const HEADER = 'x-service-api-key'

/** Checks the key for every path in this scope, unknown ones included, before ids, bodies or anything else. */
export function requireKey(scope: FastifyInstance, { callers, perKey, invalidPerAddress, metrics }: Door): void {
  scope.decorateRequest('caller', null)
  scope.addHook('onRequest', (request, _reply, done) => {
    const key = request.headers[HEADER]
    if (typeof key !== 'string' || key.trim() === '') return done(new Problem('key-missing'))
    const admit = (caller: Caller) => {
      try {
        perKey.take(caller.keyId)
        request.caller = caller
        done()
      } catch (error) {
        metrics.refusals.inc({ reason: 'key rate' })
        done(error as Error)
      }
    }
    const known = callers.known(key)
    if (known) return admit(known)
    const askedAt = performance.now()
    callers.find(key).then(
      (caller) => {
        request.waitedMs = performance.now() - askedAt
        admit(caller)
      },
      (error) => done(guessed(error, request)),
    )
  })

  /** A wrong key counts against the address it came from; a valid one never does. */
  function guessed(error: Error, request: FastifyRequest): Error {
    if (!(error instanceof Problem) || error.code !== 'key-invalid') return error
    metrics.refusals.inc({ reason: 'invalid key' })
    try {
      invalidPerAddress.takeFrom(request)
      return error
    } catch (limited) {
      request.log.warn({ event: 'key-guessing', reqId: request.id }, 'too many invalid keys from one address')
      return limited as Error
    }
  }
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('A route without the key check asked for its caller.')
  return request.caller
}
