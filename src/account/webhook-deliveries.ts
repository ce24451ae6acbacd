import type { Core } from '../events/core.ts'
import { openAnswer } from '../events/delivery/body.ts'
import { fail, invalid } from '../problems.ts'
import type { ConfigurationRow } from '../store/configurations.ts'
import { PreconditionFailed } from '../store/database/db.ts'
import { findSessionOfAccount } from '../store/sessions.ts'
import { INSERT_TEST_DELIVERY, REPLAY_DELIVERY, REPLAY_SINCE } from '../store/webhooks/deliveries.ts'
import { MAIN_ENDPOINT } from '../store/webhooks/endpoints.ts'
import {
  type DeliveryFilter,
  type DeliveryRow,
  findDelivery,
  listAttempts,
  listDeliveries,
  listDeliveriesOfSession,
} from '../store/webhooks/log.ts'
import { keysOf, placeOf, record, webhookRowOf } from './webhook.ts'

const KEPT_DAYS = 30
/** A command that says 30d takes a moment to get here. */
const LEEWAY_MS = 60_000
const MOST_LISTED = 500

export type Attempt = {
  number: number
  at: Date
  durationMs: number | null
  status: number | null
  error: string | null
  answer: string | null
}
export type Delivery<Row extends DeliveryRow = DeliveryRow> = { row: Row; attempts: Attempt[] }

/** Deliveries of a configuration's webhook, newest first, each with its attempts and the start of each response. */
export async function deliveriesOf(
  core: Core,
  configuration: ConfigurationRow,
  filter: DeliveryFilter,
  endpoint: string = MAIN_ENDPOINT,
): Promise<Delivery[]> {
  if (filter.limit < 1 || filter.limit > MOST_LISTED) invalid('/limit', `must be 1 to ${MOST_LISTED}`)
  const place = placeOf(configuration, endpoint)
  return withAttempts(core, place.accountId, await listDeliveries(core.db, place, filter))
}

export async function deliveryOf(
  core: Core,
  configuration: ConfigurationRow,
  deliveryId: string,
  endpoint: string = MAIN_ENDPOINT,
): Promise<Delivery> {
  const place = placeOf(configuration, endpoint)
  const row = (await findDelivery(core.db, place, deliveryId)) ?? fail('delivery-not-found')
  const [delivery] = await withAttempts(core, place.accountId, [row])
  return delivery ?? fail('delivery-not-found')
}

/** What was sent about one session, to every endpoint, oldest first. */
export const deliveriesOfSession = async (core: Core, accountId: string, sessionId: string) =>
  withAttempts(core, accountId, await listDeliveriesOfSession(core.db, accountId, sessionId))

async function withAttempts<Row extends DeliveryRow>(
  core: Core,
  accountId: string,
  rows: readonly Row[],
): Promise<Delivery<Row>[]> {
  const keys = await keysOf(core, accountId)
  const ids = rows.map(({ id }) => id)
  const attempts = Map.groupBy(await listAttempts(core.db, accountId, ids), (attempt) => attempt.delivery_id)
  return rows.map((row) => ({
    row,
    attempts: (attempts.get(row.id) ?? []).map((attempt) => ({
      number: attempt.number,
      at: attempt.at,
      durationMs: attempt.duration_ms,
      status: attempt.status,
      error: attempt.error,
      answer:
        attempt.sealed_answer && openAnswer(keys, { ...row, sealed_key: attempt.sealed_key }, attempt.sealed_answer),
    })),
  }))
}

/** Sends a test event, tried once. Returns its id; the result is in the delivery log. */
export async function testWebhook(
  core: Core,
  configuration: ConfigurationRow,
  endpoint: string = MAIN_ENDPOINT,
): Promise<{ id: string }> {
  await requireEnabled(core, configuration, endpoint)
  const effect = { statement: INSERT_TEST_DELIVERY, row: { configuration_id: configuration.id, endpoint } }
  const [queued] = await record(core, configuration, 'webhook.tested', { endpoint }, [effect])
  if (typeof queued?.id !== 'string') throw new Error('The test was queued without an id.')
  return { id: queued.id }
}

/** Sends one delivery again under the same id, from the first try of a new cycle. */
export async function replayDelivery(
  core: Core,
  configuration: ConfigurationRow,
  deliveryId: string,
  endpoint: string = MAIN_ENDPOINT,
): Promise<void> {
  await requireEnabled(core, configuration, endpoint)
  const place = placeOf(configuration, endpoint)
  const delivery = (await findDelivery(core.db, place, deliveryId)) ?? fail('delivery-not-found')
  if (delivery.session_id && !(await findSessionOfAccount(core.db, place.accountId, delivery.session_id)))
    fail('session-not-found')
  const row = { configuration_id: place.configurationId, endpoint, id: deliveryId }
  const detail = { endpoint, delivery: deliveryId }
  try {
    await record(core, configuration, 'webhook.replayed', detail, [{ statement: REPLAY_DELIVERY, row }])
  } catch (error) {
    if (error instanceof PreconditionFailed) fail('delivery-under-way')
    throw error
  }
}

export type Replay = { since: Date; delivered?: boolean; missed?: boolean }

/**
 * Resends what has not arrived since a moment; on request also what did arrive, and sessions that ended while no
 * webhook was enabled. Returns how many were queued.
 */
export async function replaySince(
  core: Core,
  configuration: ConfigurationRow,
  { since, delivered = false, missed = false }: Replay,
  endpoint: string = MAIN_ENDPOINT,
): Promise<{ count: number }> {
  if (Date.now() - since.getTime() > KEPT_DAYS * 86_400_000 + LEEWAY_MS)
    invalid('/since', `must be within ${KEPT_DAYS} days`)
  await requireEnabled(core, configuration, endpoint)
  const detail = { endpoint, since: since.toISOString(), delivered, missed }
  const row = { configuration_id: configuration.id, ...detail }
  const [queued] = await record(core, configuration, 'webhook.replayed', detail, [{ statement: REPLAY_SINCE, row }])
  return { count: typeof queued?.count === 'number' ? queued.count : 0 }
}

async function requireEnabled(core: Core, configuration: ConfigurationRow, endpoint: string): Promise<void> {
  const { enabled } = await webhookRowOf(core, configuration, endpoint)
  if (!enabled) fail('webhook-disabled')
}
