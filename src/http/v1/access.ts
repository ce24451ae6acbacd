import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import {
  accessState,
  CLOSED_REASONS,
  type ClosedReason,
  checkedEnd,
  closeAccess,
  openAccess,
} from '../../account/access.ts'
import type { Core } from '../../events/core.ts'
import { invalid } from '../../problems.ts'
import { countSessions } from '../../store/listing.ts'
import { knownTexts } from '../parameters.ts'
import { answer, nullable, refusals } from '../schemas.ts'
import { callerOf } from './caller.ts'
import { readMoment, readRange } from './moments.ts'
import { AccessInfo, SessionCount } from './schemas.ts'

const tags = ['Access control']
const info = answer(AccessInfo, 'The state of the account')

const CloseBody = Type.Object({
  closedReason: Type.Unsafe<unknown>({
    description: 'The reason as in ClosedReason; its place in that list (0, 1, 2) is taken too.',
    anyOf: [{ $ref: 'ClosedReason#' }, { type: 'integer', format: 'int32', minimum: 0, maximum: 2 }],
  }),
  ClosedReason: Type.Optional(
    Type.Unsafe<unknown>({
      deprecated: true,
      description: 'Another spelling of closedReason.',
      anyOf: [{ $ref: 'ClosedReason#' }, { type: 'integer', format: 'int32', minimum: 0, maximum: 2 }],
    }),
  ),
  closedUntil: Type.Optional(
    nullable(
      Type.String({
        format: 'date-time',
        description:
          'Added: when the closing ends by itself, at most a year ahead. Users are told it. Without it a closing lasts until it is opened.',
      }),
    ),
  ),
})

/** Endpoints 7 to 10: open and close the service for incoming users, read its state, count sessions. */
export function accessRoutes(scope: FastifyInstance, core: Core): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>()

  app.post(
    '/accessControl/close',
    {
      config: { priority: 'answers' }, // closing is how a clinic relieves itself
      schema: {
        operationId: 'closeAccess',
        summary: 'Close',
        tags,
        body: CloseBody,
        response: { 200: info, ...refusals(400, 401, 403, 404, 405, 413, 415) },
      },
      preValidation: requireReason,
    },
    async (request) => {
      const { accountId, keyId } = callerOf(request)
      return closeAccess(core, accountId, `key:${keyId}`, reasonOf(request.body), untilOf(request.body.closedUntil))
    },
  )

  app.post(
    '/accessControl/open',
    {
      config: { priority: 'answers', takesNull: true },
      schema: {
        operationId: 'openAccess',
        summary: 'Open',
        tags,
        response: { 200: info, ...refusals(400, 401, 403, 404, 405, 413, 415) },
      },
    },
    async (request) => {
      const { accountId, keyId } = callerOf(request)
      return openAccess(core, accountId, `key:${keyId}`)
    },
  )

  app.get(
    '/accessControl',
    {
      schema: {
        operationId: 'getAccess',
        summary: 'Access status',
        tags,
        response: { 200: info, ...refusals(401, 403, 404, 405) },
      },
    },
    async (request) => accessState(core, callerOf(request).accountId),
  )

  app.get(
    '/accessControl/sessionCount',
    {
      config: { priority: 'counts' },
      schema: {
        operationId: 'countSessions',
        summary: 'Session count',
        description:
          'Sessions of this configuration: completed in the range, and created in it and still ongoing. start ≤ t < end.',
        tags,
        querystring: Type.Object({
          start: Type.Optional(Type.String({ format: 'date-time' })),
          end: Type.Optional(Type.String({ format: 'date-time' })),
        }),
        response: { 200: answer(SessionCount, 'The counts'), ...refusals(400, 401, 403, 404, 405) },
      },
      validatorCompiler: knownTexts,
    },
    async (request) => {
      const { accountId, configurationId } = callerOf(request)
      const range = readRange(request.query, 'start', 'end')
      return countSessions(core.db.lists(accountId), accountId, configurationId, range)
    },
  )
}

/** The other spelling of the reason is taken as well; the documents know one. */
async function requireReason({ body }: { body?: unknown }): Promise<void> {
  if (body === undefined) invalid('', 'A JSON body with closedReason is required.')
  if (typeof body === 'object' && body !== null && 'ClosedReason' in body && !('closedReason' in body))
    Object.assign(body, { closedReason: body.ClosedReason })
}

/** Accepts both spellings and the numbers of the samples, but not two different reasons. */
function reasonOf(body: { closedReason?: unknown; ClosedReason?: unknown }): ClosedReason {
  const given = [body.closedReason, body.ClosedReason].filter((value) => value !== undefined).map(read)
  const [reason] = given
  if (!reason) return invalid('/closedReason', 'is required')
  if (given.some((other) => other !== reason)) invalid('/closedReason', 'is given twice with different values')
  return reason
}

function untilOf(given: string | null | undefined): Date | null {
  const until = readMoment('closedUntil', given ?? undefined, '/closedUntil')
  return until ? checkedEnd(until) : null
}

function read(value: unknown): ClosedReason {
  const found = typeof value === 'number' ? CLOSED_REASONS[value] : CLOSED_REASONS.find((reason) => reason === value)
  return found ?? invalid('/closedReason', `must be one of ${CLOSED_REASONS.join(', ')}`)
}
