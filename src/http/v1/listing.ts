import { timingSafeEqual } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Caller } from '../../account/callers.ts'
import type { Core } from '../../events/core.ts'
import { invalid } from '../../problems.ts'
import { findByReference, readReference } from '../../store/contact.ts'
import {
  type ListedSession,
  type ListWish,
  listSessions,
  type Order,
  orderOf,
  type Place,
  type Range,
} from '../../store/listing.ts'
import { keyedHash } from '../../store/seal.ts'
import { SESSION_STATUSES } from '../../store/sessions.ts'
import { knownTexts } from '../parameters.ts'
import { answer, refusals } from '../schemas.ts'
import { callerOf } from './caller.ts'
import { readRange } from './moments.ts'
import { SessionList } from './schemas.ts'

const MOST = 200
const DEFAULT_LIMIT = 50
const SIGNATURE_BYTES = 16

const text = (description: string) => Type.Optional(Type.String({ description }))

/** Our addition to the ten: the configuration's sessions, newest first, without health data. */
export function listingRoute(scope: FastifyInstance, core: Core): void {
  scope.withTypeProvider<TypeBoxTypeProvider>().get(
    '/sessions',
    {
      config: { priority: 'counts' },
      schema: {
        operationId: 'listSessions',
        summary: 'List sessions',
        description:
          'An addition to the documented interface: ids, statuses and timestamps, newest first; with a completion range the last completed first. A page may hold fewer than `limit`: the list ends where `nextCursor` is null.',
        tags: ['Sessions'],
        querystring: Type.Object({
          status: text('Only sessions with this status'),
          createdStart: text('Created at or after'),
          createdEnd: text('Created before'),
          completedStart: text('Completed at or after'),
          completedEnd: text('Completed before'),
          shortReference: text('Only the session with the reference that its patient reads from the page'),
          limit: text('1 to 200, default 50'),
          cursor: text('nextCursor of the page before'),
        }),
        response: { 200: answer(SessionList, 'A page of sessions'), ...refusals(400, 401, 403, 404, 405) },
      },
      validatorCompiler: knownTexts,
    },
    async (request) => {
      const caller = callerOf(request)
      const { query } = request
      const wish = {
        status: statusOf(query.status),
        created: readRange(query, 'createdStart', 'createdEnd'),
        completed: readRange(query, 'completedStart', 'completedEnd'),
        limit: limitOf(query.limit),
      }
      const order = orderOf(wish)
      const after = query.cursor === undefined ? null : readCursor(core, caller, order, query.cursor)
      const { accountId, configurationId } = caller
      if (query.shortReference !== undefined) {
        const found = await findByReference(core.db.lists(accountId), accountId, referenceOf(query.shortReference))
        const own = found.filter((row) => row.configuration_id === configurationId && fits(row, wish))
        return { sessions: own.slice(0, wish.limit).map(present), nextCursor: null }
      }
      const { sessions, next } = await listSessions(core.db.lists(accountId), accountId, configurationId, {
        ...wish,
        after,
      })
      return { sessions: sessions.map(present), nextCursor: next && cursorOf(core, caller, order, next) }
    },
  )
}

function limitOf(given: string | undefined): number {
  if (given === undefined) return DEFAULT_LIMIT
  const limit = Number(given)
  if (!/^\d{1,9}$/.test(given) || limit < 1 || limit > MOST)
    return invalid('/query/limit', `must be a whole number from 1 to ${MOST}`)
  return limit
}

const referenceOf = (given: string): string =>
  readReference(given) ?? invalid('/query/shortReference', 'must be the eight signs that the patient sees')

/** The other filters apply to the few sessions of one reference too. */
const fits = (row: ListedSession, { status, created, completed }: Omit<ListWish, 'after'>): boolean =>
  (status === null || row.status === status) && isIn(row.created_at, created) && isIn(row.completed_at, completed)

const isIn = (at: Date | null, { start, end }: Range): boolean =>
  (start === null || (at !== null && at >= start)) && (end === null || (at !== null && at < end))

function statusOf(given: string | undefined) {
  if (given === undefined) return null
  return (
    SESSION_STATUSES.find((status) => status === given) ??
    invalid('/query/status', `must be one of ${SESSION_STATUSES.join(', ')}`)
  )
}

/** Opaque and signed, so that a cursor of another configuration, of another order or a forged one is refused. */
function cursorOf(core: Core, caller: Caller, order: Order, { at, id }: Place): string {
  const place = `${at.getTime()} ${id}`
  return Buffer.concat([signature(core, caller, order, place), Buffer.from(place)]).toString('base64url')
}

function readCursor(core: Core, caller: Caller, order: Order, cursor: string): Place {
  const bytes = Buffer.from(cursor, 'base64url')
  const place = bytes.subarray(SIGNATURE_BYTES).toString('utf8')
  const given = bytes.subarray(0, SIGNATURE_BYTES)
  const [moment = '', id = ''] = place.split(' ')
  if (given.length < SIGNATURE_BYTES || !timingSafeEqual(given, signature(core, caller, order, place)))
    return invalid('/query/cursor', 'is not a cursor of this list')
  return { at: new Date(Number(moment)), id }
}

function signature(core: Core, { accountId, configurationId }: Caller, order: Order, place: string): Buffer {
  const key = core.keyring.derive('cursor', accountId)
  return keyedHash(key, configurationId, order, place).subarray(0, SIGNATURE_BYTES)
}

function present(row: ListedSession) {
  return {
    sessionId: row.id,
    sessionStatus: row.status,
    sessionCreatedTimestamp: row.created_at.toISOString(),
    userStartedTimestamp: row.started_at?.toISOString() ?? null,
    sessionCompletedTimestamp: row.completed_at?.toISOString() ?? null,
    isTest: row.is_test,
  }
}
