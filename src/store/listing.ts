import { type Db, sql } from './database/db.ts'
import { SESSION_STATUSES, type SessionRow, type SessionStatus } from './sessions.ts'

/** Lists and counts run on separate connections: `db.lists(accountId)`. */
type Lists = Pick<Db, 'query'>

export type ListedSession = Pick<SessionRow, 'id' | 'status' | 'created_at' | 'started_at' | 'completed_at' | 'is_test'>

/** `start` ≤ t < `end`; null is unbounded. */
export type Range = { start: Date | null; end: Date | null }

/** Where in a list a page begins: after the session with this moment and id. */
export type Place = { at: Date; id: string }

/** The order of a list, newest first: by creation or, where the filter is about it, by completion. */
export type Order = 'created' | 'completed'

export type ListWish = {
  status: SessionStatus | null
  created: Range
  completed: Range
  after: Place | null
  limit: number
}
export type ListPage = { sessions: ListedSession[]; next: Place | null }

const COLUMNS = 'id, status, created_at, started_at, completed_at, is_test'
const BY_CREATION = 'order by created_at desc, id desc'
const BY_COMPLETION = 'order by completed_at desc, id desc'

/** The newest of each status, which are adjacent in the index, and of those the newest. */
const LIST = sql(
  'session_list',
  `select ${COLUMNS} from unnest($7::text[]) as each(one), lateral (
     select ${COLUMNS} from sessions where account_id = $1 and configuration_id = $2 and status = each.one and erased_at is null
       and created_at >= $3 and (created_at, id) < ($4, $5::uuid) ${BY_CREATION} limit $6) newest ${BY_CREATION} limit $6`,
)
const LIST_COMPLETED = sql(
  'session_list_completed',
  `select ${COLUMNS} from (
     select ${COLUMNS} from sessions where account_id = $1 and configuration_id = $2 and erased_at is null
       and completed_at >= $3 and (completed_at, id) < ($4, $5::uuid) ${BY_COMPLETION} limit $9) looked_at
   where created_at >= $7 and created_at < $8 ${BY_COMPLETION} limit $6`,
)
const LOOKED_AT_LAST = sql(
  'session_list_looked_at_last',
  `select completed_at as at, id from sessions where account_id = $1 and configuration_id = $2 and erased_at is null
     and completed_at >= $3 and (completed_at, id) < ($4, $5::uuid) ${BY_COMPLETION} limit 1 offset $6::int - 1`,
)

/** Where no index matches exactly, as with both ranges, at most this many sessions are examined for a page, which may then hold few. */
const MOST_LOOKED_AT = 5_000

const ALWAYS = { start: '-infinity', end: 'infinity' }
const LEAST_ID = '00000000-0000-0000-0000-000000000000'

const isBounded = ({ start, end }: Range): boolean => start !== null || end !== null

export const orderOf = ({ completed }: Pick<ListWish, 'completed'>): Order =>
  isBounded(completed) ? 'completed' : 'created'

/** A page of the configuration's sessions. It costs as much as it shows, however many sessions there are. */
export async function listSessions(
  db: Lists,
  accountId: string,
  configurationId: string,
  wish: ListWish,
): Promise<ListPage> {
  const whose = [accountId, configurationId]
  const order = orderOf(wish)
  const { status, created, limit } = wish
  if (order === 'created') {
    const values = [...whose, ...bounds(created, wish.after), limit + 1, status ? [status] : SESSION_STATUSES]
    return pageOf(await db.query<ListedSession>(LIST, values), order, limit)
  }
  if (status && status !== 'Ended') return { sessions: [], next: null } // only what has ended is completed
  const walk = [...whose, ...bounds(wish.completed, wish.after)]
  const { start, end } = written(created)
  const rows = await db.query<ListedSession>(LIST_COMPLETED, [...walk, limit + 1, start, end, MOST_LOOKED_AT])
  const page = pageOf(rows, order, limit)
  if (page.next || !isBounded(created)) return page
  const [last] = await db.query<Place>(LOOKED_AT_LAST, [...walk, MOST_LOOKED_AT])
  return { ...page, next: last ?? null }
}

const written = ({ start, end }: Range): { start: Date | string; end: Date | string } => ({
  start: start ?? ALWAYS.start,
  end: end ?? ALWAYS.end,
})

/** The lower bound, and the place to stop before: the end of the range, or where the previous page ended. */
function bounds(range: Range, after: Place | null): [from: Date | string, before: Date | string, id: string] {
  const { start, end } = written(range)
  if (after && (end === ALWAYS.end || after.at < end)) return [start, after.at, after.id]
  return [start, end, LEAST_ID]
}

/** One more than shown was read, to know whether there is a next page. */
function pageOf(rows: ListedSession[], order: Order, limit: number): ListPage {
  const sessions = rows.slice(0, limit)
  const last = sessions.at(-1)
  const at = order === 'created' ? last?.created_at : last?.completed_at
  return { sessions, next: rows.length > limit && last && at ? { at, id: last.id } : null }
}

/** What a list may be narrowed to beyond status and moments; null is whatever it is. */
export type Filters = {
  /** Levels by their number, 0 for no urgency. */
  urgencies: readonly number[] | null
  /** The mark of a complaint. */
  complaint: Buffer | null
  /** Whether a telephone number was left. */
  contact: boolean | null
  /** Whether it was judged, and the mark of that. */
  judged: { is: boolean; mark: Buffer } | null
}

/** The last level that puts up a flag. */
const LAST_FLAGGED = 4

/**
 * A walk goes along one index; of at most so many sessions on it, a page shows those that fit the other filters too.
 * Where the page is not full, a last row says how far was looked. Each is fetched by its key (`offset 0` keeps the other
 * conditions out), as a planner that has counted nothing would take another index and read all sessions for each.
 */
const PAGE = `page as materialized (
     select s.id, s.status, s.created_at, s.started_at, s.completed_at, s.is_test, w.at, false as is_end
     from (select at, id from walk order by at desc, id desc limit $6::int) w, lateral (
       select id, configuration_id, status, created_at, started_at, completed_at, is_test, erased_at, urgency, sealed_contact
       from sessions where account_id = $1 and id = w.id offset 0) s
     where s.configuration_id = $2 and s.erased_at is null and ($8::text is null or s.status = $8)
       and s.created_at >= $9::timestamptz and s.created_at < $10::timestamptz
       and ($11::smallint[] is null or coalesce(s.urgency, 0::smallint) = any($11))
       and ($12::boolean is null or (s.sealed_contact is not null) = $12)
       and (cardinality($13::bytea[]) = 0 or cardinality($13) =
         (select count(*) from session_marks m where m.account_id = $1 and m.session_id = s.id and m.mark = any($13)))
       and (cardinality($14::bytea[]) = 0 or 0 =
         (select count(*) from session_marks m where m.account_id = $1 and m.session_id = s.id and m.mark = any($14)))
     order by w.at desc, w.id desc limit $7::int)
   select * from page union all
   select e.id, null, null, null, null, null, e.at, true from (select at, id from walk order by at desc, id desc limit 1 offset $6::int - 1) e
   where (select count(*) from page) < $7::int`
const FROM_PLACE = 'created_at >= $3 and (created_at, id) < ($4, $5::uuid) order by created_at desc, id desc'

const WORK_BY_CREATION = sql(
  'worklist_by_creation',
  `with walk as not materialized (select created_at as at, id from sessions
     where account_id = $1 and configuration_id = $2 and erased_at is null and status <> '' and ${FROM_PLACE}), ${PAGE}`,
)
const WORK_BY_STATUS = sql(
  'worklist_by_status',
  `with walk as not materialized (select created_at as at, id from sessions
     where account_id = $1 and configuration_id = $2 and status = $8 and erased_at is null and ${FROM_PLACE}), ${PAGE}`,
)
const WORK_FLAGGED = sql(
  'worklist_flagged',
  `with walk as not materialized (select created_at as at, id from sessions
     where account_id = $1 and configuration_id = $2 and urgency <= ${LAST_FLAGGED} and erased_at is null and ${FROM_PLACE}), ${PAGE}`,
)
const WORK_WITH_CONTACT = sql(
  'worklist_with_contact',
  `with walk as not materialized (select created_at as at, id from sessions
     where account_id = $1 and configuration_id = $2 and sealed_contact is not null and erased_at is null and ${FROM_PLACE}), ${PAGE}`,
)
const WORK_MARKED = sql(
  'worklist_marked',
  `with walk as not materialized (select created_at as at, session_id as id from session_marks
     where account_id = $1 and configuration_id = $2 and mark = $15 and created_at >= $3 and (created_at, session_id) < ($4, $5::uuid)
     order by created_at desc, session_id desc), ${PAGE}`,
)
const WORK_BY_COMPLETION = sql(
  'worklist_by_completion',
  `with walk as not materialized (select completed_at as at, id from sessions
     where account_id = $1 and configuration_id = $2 and erased_at is null and completed_at >= $3 and (completed_at, id) < ($4, $5::uuid)
     order by completed_at desc, id desc), ${PAGE}`,
)

type Seen = (ListedSession & { at: Date; is_end: false }) | (Place & { is_end: true })

/**
 * A page of the sessions that fit every filter, in the order of other lists. It looks at a bounded number of them, so it
 * may hold few and still have a next one.
 */
export async function listWork(
  db: Lists,
  accountId: string,
  configurationId: string,
  wish: ListWish,
  filters: Filters,
): Promise<ListPage> {
  const { status, created, completed, limit } = wish
  const order = orderOf(wish)
  const { complaint, judged } = filters
  const isNever = filters.urgencies?.length === 0 || (order === 'completed' && status !== null && status !== 'Ended')
  if (isNever) return { sessions: [], next: null }
  const required = [complaint, judged?.is ? judged.mark : null].filter((mark) => mark !== null)
  const { start, end } = written(created)
  const values = [
    ...[accountId, configurationId, ...bounds(order === 'completed' ? completed : created, wish.after)],
    ...[MOST_LOOKED_AT, limit + 1, status, start, end, filters.urgencies, filters.contact],
    ...[required, judged && !judged.is ? [judged.mark] : []],
  ]
  const [mark] = required
  const rows =
    order === 'created' && mark
      ? await db.query<Seen>(WORK_MARKED, [...values, mark])
      : await db.query<Seen>(order === 'completed' ? WORK_BY_COMPLETION : walkFor(status, filters), values)
  const page = pageOf(
    rows.filter((row) => !row.is_end),
    order,
    limit,
  )
  const last = rows.find((row) => row.is_end)
  return page.next || !last ? page : { ...page, next: { at: last.at, id: last.id } }
}

/** The index that leaves the fewest sessions to look at. */
function walkFor(status: ListWish['status'], { urgencies, contact }: Filters) {
  if (urgencies?.every((level) => level > 0 && level <= LAST_FLAGGED)) return WORK_FLAGGED
  if (contact) return WORK_WITH_CONTACT
  return status ? WORK_BY_STATUS : WORK_BY_CREATION
}

const MARKS = sql('session_marks_list', 'select mark from session_marks where account_id = $1 and session_id = $2')

/** Under which marks lists find a session. */
export const listMarks = async (db: Db, accountId: string, sessionId: string): Promise<Buffer[]> =>
  (await db.query<{ mark: Buffer }>(MARKS, [accountId, sessionId])).map(({ mark }) => mark)

const HOUR_MS = 3_600_000

const COUNT = sql(
  'session_count',
  `select
     (select coalesce(sum(sessions), 0) from completed_hours where account_id = $1 and configuration_id = $2 and hour >= $5 and hour < $6)::int
     + (select count(*) from sessions where account_id = $1 and configuration_id = $2 and completed_at >= $3 and completed_at < least($4, $5) and not is_test)::int
     + (select count(*) from sessions where account_id = $1 and configuration_id = $2 and completed_at >= greatest($5, $6) and completed_at < $4 and not is_test)::int
       as completed,
     (select count(*) from sessions where account_id = $1 and configuration_id = $2 and completed_at is null and abandoned_at is null
        and erased_at is null and status in ('Created', 'StartedChat') and active_until > now() and created_at >= $3 and created_at < $4 and not is_test)::int
       as active`,
)

/**
 * Completed sessions are added up from whole hours, and read one by one only in the partial hours at both ends; ongoing
 * ones are few.
 */
export async function countSessions(
  db: Lists,
  accountId: string,
  configurationId: string,
  range: Range,
): Promise<{ completed: number; active: number }> {
  const { start, end } = written(range)
  const firstHour = range.start ? new Date(Math.ceil(range.start.getTime() / HOUR_MS) * HOUR_MS) : start
  const lastHour = range.end ? new Date(Math.floor(range.end.getTime() / HOUR_MS) * HOUR_MS) : end
  const values = [accountId, configurationId, start, end, firstHour, lastHour]
  const [row] = await db.query<{ completed: number; active: number }>(COUNT, values)
  return row ?? { completed: 0, active: 0 }
}
