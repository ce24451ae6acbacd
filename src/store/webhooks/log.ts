import { type Db, sql } from '../database/db.ts'
import { type DeliveryState, GIVEN_UP } from './deliveries.ts'
import { type EndpointPlace, valuesOf } from './endpoints.ts'
import type { EventType } from './events.ts'

export type DeliveryRow = {
  id: string
  session_id: string | null
  type: EventType
  state: DeliveryState
  tries: number
  attempts: number
  is_sending: boolean
  created_at: Date
  next_at: Date
  settled_at: Date | null
}

export type AttemptRow = {
  delivery_id: string
  number: number
  at: Date
  duration_ms: number | null
  status: number | null
  error: string | null
  sealed_answer: Buffer | null
  sealed_key: Buffer | null
}

const COLUMNS = `id, session_id, type, state, tries, attempts, claim is not null and next_at > now() as is_sending, created_at, next_at, settled_at`

const LIST = sql(
  'webhook_delivery_list',
  `select ${COLUMNS} from webhook_deliveries
   where account_id = $1 and configuration_id = $2 and endpoint = $3 and ($4::text is null or state = $4)
     and ($5::timestamptz is null or created_at >= $5)
   order by created_at desc, id desc limit $6`,
)
const OF_SESSION = sql(
  'webhook_delivery_of_session',
  `select ${COLUMNS}, endpoint from webhook_deliveries where account_id = $1 and session_id = $2 order by created_at, id`,
)
const FIND = sql(
  'webhook_delivery_find',
  `select ${COLUMNS} from webhook_deliveries where account_id = $1 and configuration_id = $2 and endpoint = $3 and id = $4`,
)
const ATTEMPTS = sql(
  'webhook_attempt_list',
  `select a.delivery_id, a.number, a.at, a.duration_ms, a.status, a.error, a.sealed_answer, s.sealed_key from webhook_attempts a
   join webhook_deliveries d on d.account_id = a.account_id and d.id = a.delivery_id
   left join sessions s on s.account_id = d.account_id and s.id = d.session_id
   where a.account_id = $1 and a.delivery_id = any($2::text[]) order by a.delivery_id, a.number`,
)
const COUNTS = sql(
  'webhook_delivery_counts',
  `select count(*) filter (where d.state = 'pending')::int as pending, count(*) filter (where ${GIVEN_UP})::int as failed
   from webhook_deliveries d where d.account_id = $1 and d.configuration_id = $2 and d.endpoint = $3 and d.state in ('pending', 'failed')`,
)

export type DeliveryFilter = { state: DeliveryState | null; since: Date | null; limit: number }

/** Deliveries of an endpoint, newest first. */
export const listDeliveries = (
  db: Db,
  place: EndpointPlace,
  { state, since, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> => db.query<DeliveryRow>(LIST, [...valuesOf(place), state, since, limit])

/** What was sent about a session, to every endpoint, oldest first. */
export const listDeliveriesOfSession = (
  db: Db,
  accountId: string,
  sessionId: string,
): Promise<(DeliveryRow & { endpoint: string })[]> => db.query(OF_SESSION, [accountId, sessionId])

export async function findDelivery(db: Db, place: EndpointPlace, id: string): Promise<DeliveryRow | null> {
  return (await db.query<DeliveryRow>(FIND, [...valuesOf(place), id]))[0] ?? null
}

/** The attempts of these deliveries, each delivery's oldest first, with the key that opens the receiver's answers. */
export const listAttempts = (db: Db, accountId: string, deliveryIds: readonly string[]): Promise<AttemptRow[]> =>
  db.query<AttemptRow>(ATTEMPTS, [accountId, deliveryIds])

export async function countDeliveries(db: Db, place: EndpointPlace): Promise<{ pending: number; failed: number }> {
  const [row] = await db.query<{ pending: number; failed: number }>(COUNTS, valuesOf(place))
  return row ?? { pending: 0, failed: 0 }
}
