import { timingSafeEqual } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Caller } from '../../account/callers.ts'
import { FLAGS } from '../../engine/flags.ts'
import type { Core } from '../../events/core.ts'
import { invalid } from '../../problems.ts'
import { marksOf } from '../../session/marks.ts'
import { INCLUDES, readListed, type Shown } from '../../session/worklist.ts'
import { findByReference } from '../../store/contact.ts'
import {
  type ListedSession,
  type ListPage,
  type ListWish,
  listSessions,
  listWork,
  type Order,
  orderOf,
  type Place,
  type Range,
} from '../../store/listing.ts'
import { keyedHash } from '../../store/seal.ts'
import { SESSION_STATUSES } from '../../store/sessions.ts'
import { knownTexts } from '../parameters.ts'
import { answer, refusals, URGENCIES } from '../schemas.ts'
import { callerOf } from './caller.ts'
import {
  DEFAULT_LIMIT,
  filtersIn,
  filtersOf,
  includeOf,
  limitOf,
  MOST,
  referenceOf,
  statusOf,
} from './listing-query.ts'
import { readRange } from './moments.ts'
import { SessionList } from './schemas.ts'

const SIGNATURE_BYTES = 16

/** Query values reach the route as text, whatever their schema says of them. */
const text = (description: string, schema: object = { type: 'string' }) =>
  Type.Optional(Type.Unsafe<string>({ ...schema, description }))
const moment = { type: 'string', format: 'date-time' }

/** Our addition to the ten: the configuration's sessions, newest first. Health data only where it is asked for, and then audited. */
export function listingRoute(scope: FastifyInstance, core: Core): void {
  scope.withTypeProvider<TypeBoxTypeProvider>().get(
    '/sessions',
    {
      config: { priority: 'counts' },
      schema: {
        operationId: 'listSessions',
        summary: 'List sessions',
        description:
          'An addition to the documented interface: ids, statuses and timestamps, newest first; with a completion range the last completed first. A page may hold fewer than `limit`: the list ends where `nextCursor` is null. With `include`, or a filter by urgency, flag, complaint, contact or judgement, it is one audited reading of all sessions shown.',
        tags: ['Sessions'],
        querystring: Type.Object({
          status: text('Only sessions with this status', { enum: SESSION_STATUSES }),
          createdStart: text('Created at or after', moment),
          createdEnd: text('Created before', moment),
          completedStart: text('Completed at or after', moment),
          completedEnd: text('Completed before', moment),
          urgency: text('Only these urgencies, such as `Level1,Level2`'),
          flag: text('Only sessions with this flag: red for Level1 to Level3, warning for Level4', { enum: FLAGS }),
          complaint: text('Only sessions that ended with this complaint, such as `chest-pain`'),
          contact: text('Only sessions whose user left a telephone number, or did not', { enum: ['true', 'false'] }),
          judgement: text('Only sessions that a clinician judged, or none did', {
            enum: ['true', 'false'],
          }),
          include: text(`What to show of each session, with commas between: ${INCLUDES.join(', ')}`),
          shortReference: text('Only the session with the reference that its patient reads from the page'),
          limit: text('How many at most', {
            type: 'integer',
            format: 'int32',
            minimum: 1,
            maximum: MOST,
            default: DEFAULT_LIMIT,
          }),
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
      const looked = { include: includeOf(query.include), filters: filtersIn(query) }
      const { sessions, next } = await pageFor(core, caller, { ...wish, after }, query)
      const isReading = looked.include.length > 0 || looked.filters.length > 0
      const ids = sessions.map(({ id }) => id)
      const shown = isReading ? await readListed(core, caller, ids, looked) : null
      return {
        sessions: sessions.flatMap((row) => presentIn(shown, row)),
        nextCursor: next && cursorOf(core, caller, order, next),
      }
    },
  )
}

type Query = Parameters<typeof filtersOf>[0] & { shortReference?: string }

/** Finds the page: by reference, by filters that need their own indexes, or along the plain list. */
async function pageFor(core: Core, caller: Caller, wish: ListWish, query: Query): Promise<ListPage> {
  const { accountId, configurationId } = caller
  const lists = core.db.lists(accountId)
  const [filter] = filtersIn(query)
  if (query.shortReference === undefined)
    return filter === undefined
      ? listSessions(lists, accountId, configurationId, wish)
      : listWork(lists, accountId, configurationId, wish, filtersOf(query, marksOf(core.keyring, accountId)))
  if (filter !== undefined) invalid(`/query/${filter}`, 'cannot be combined with shortReference')
  const found = await findByReference(lists, accountId, referenceOf(query.shortReference))
  const own = found.filter((row) => row.configuration_id === configurationId && fits(row, wish))
  return { sessions: own.slice(0, wish.limit), next: null }
}

/** The other filters apply to the few sessions of one reference too. */
const fits = (row: ListedSession, { status, created, completed }: Omit<ListWish, 'after'>): boolean =>
  (status === null || row.status === status) && isIn(row.created_at, created) && isIn(row.completed_at, completed)

const isIn = (at: Date | null, { start, end }: Range): boolean =>
  (start === null || (at !== null && at >= start)) && (end === null || (at !== null && at < end))

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

/** A session of the page with what was read of it; none when it was erased meanwhile. */
function presentIn(shown: ReadonlyMap<string, Shown> | null, row: ListedSession) {
  if (!shown) return [present(row)]
  const read = shown.get(row.id)
  if (!read) return []
  const { urgency, ...rest } = read
  return [
    {
      ...present(row),
      ...(urgency !== undefined && { urgency: URGENCIES[urgency ?? 0] ?? 'No urgency set' }),
      ...rest,
    },
  ]
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
