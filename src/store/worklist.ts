import { type Db, sql } from './database/db.ts'
import {
  bounds,
  type ListedSession,
  type ListPage,
  type ListWish,
  MOST_LOOKED_AT,
  orderOf,
  type Place,
  pageOf,
  written,
} from './listing.ts'

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
     select s.id, s.status, s.created_at, s.started_at, s.completed_at, w.at, false as is_end
     from (select at, id from walk order by at desc, id desc limit $6::int) w, lateral (
       select id, configuration_id, status, created_at, started_at, completed_at, erased_at, urgency, sealed_contact
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
   select e.id, null, null, null, null, e.at, true from (select at, id from walk order by at desc, id desc limit 1 offset $6::int - 1) e
   where (select count(*) from page) < $7::int`
const FROM_PLACE = 'created_at >= $3 and (created_at, id) < ($4, $5::uuid) order by created_at desc, id desc'

const BY_CREATION = sql(
  'worklist_by_creation',
  `with walk as not materialized (select created_at as at, id from sessions
     where account_id = $1 and configuration_id = $2 and erased_at is null and ${FROM_PLACE}), ${PAGE}`,
)
const BY_STATUS = sql(
  'worklist_by_status',
  `with walk as not materialized (select created_at as at, id from sessions
     where account_id = $1 and configuration_id = $2 and status = $8 and erased_at is null and ${FROM_PLACE}), ${PAGE}`,
)
const FLAGGED = sql(
  'worklist_flagged',
  `with walk as not materialized (select created_at as at, id from sessions
     where account_id = $1 and configuration_id = $2 and urgency <= ${LAST_FLAGGED} and erased_at is null and ${FROM_PLACE}), ${PAGE}`,
)
const WITH_CONTACT = sql(
  'worklist_with_contact',
  `with walk as not materialized (select created_at as at, id from sessions
     where account_id = $1 and configuration_id = $2 and sealed_contact is not null and erased_at is null and ${FROM_PLACE}), ${PAGE}`,
)
const MARKED = sql(
  'worklist_marked',
  `with walk as not materialized (select created_at as at, session_id as id from session_marks
     where account_id = $1 and configuration_id = $2 and mark = $15 and created_at >= $3 and (created_at, session_id) < ($4, $5::uuid)
     order by created_at desc, session_id desc), ${PAGE}`,
)
const BY_COMPLETION = sql(
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
  db: Pick<Db, 'query'>,
  accountId: string,
  configurationId: string,
  wish: ListWish,
  filters: Filters,
): Promise<ListPage> {
  const { status, created, completed, limit } = wish
  const order = orderOf(wish)
  const { complaint, judged } = filters
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
      ? await db.query<Seen>(MARKED, [...values, mark])
      : await db.query<Seen>(order === 'completed' ? BY_COMPLETION : walkFor(status, filters), values)
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
  if (urgencies?.every((level) => level > 0 && level <= LAST_FLAGGED)) return FLAGGED
  if (contact) return WITH_CONTACT
  return status ? BY_STATUS : BY_CREATION
}

const MARKS = sql('session_marks_list', 'select mark from session_marks where account_id = $1 and session_id = $2')

/** Under which marks lists find a session. */
export const listMarks = async (db: Db, accountId: string, sessionId: string): Promise<Buffer[]> =>
  (await db.query<{ mark: Buffer }>(MARKS, [accountId, sessionId])).map(({ mark }) => mark)
