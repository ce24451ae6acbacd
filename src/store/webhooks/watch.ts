import { type Db, type Statement, sql } from '../database/db.ts'
import { GIVEN_UP } from './deliveries.ts'

/** An endpoint with something to send, and how soon (now when not positive). */
export type DueEndpoint = { account_id: string; configuration_id: string; endpoint: string; due_in_seconds: number }

/** Skips from endpoint to endpoint along the index, so that ten thousand waiting deliveries cost no more than one. */
const DUE = sql(
  'webhook_due',
  `with recursive waiting as (
     (select account_id, configuration_id, endpoint, next_at from webhook_deliveries where state = 'pending'
      order by account_id, configuration_id, endpoint, next_at limit 1)
     union all
     select n.account_id, n.configuration_id, n.endpoint, n.next_at from waiting w, lateral (
       select account_id, configuration_id, endpoint, next_at from webhook_deliveries
       where state = 'pending' and (account_id, configuration_id, endpoint) > (w.account_id, w.configuration_id, w.endpoint)
       order by account_id, configuration_id, endpoint, next_at limit 1) n)
   select account_id, configuration_id, endpoint, extract(epoch from next_at - clock_timestamp())::float8 as due_in_seconds from waiting
   order by next_at`,
)

/** A door: finds the accounts that have something to send. */
export const listDueEndpoints = (db: Db): Promise<DueEndpoint[]> => db.query<DueEndpoint>(DUE)

export type TroubledEndpoint = {
  account_id: string
  configuration_id: string
  endpoint: string
  failing_since: Date
  must_warn: boolean
  must_stop: boolean
}

/** Failing for a day gives a warning; failing for five, at least a day after the warning, stops the webhook. */
const TROUBLED = sql(
  'webhook_troubled',
  `select account_id, configuration_id, endpoint, failing_since, warned_at is null as must_warn,
     coalesce(failed_at >= failing_since + interval '120 hours' and warned_at <= now() - interval '24 hours', false) as must_stop
   from webhook_endpoints
   where failing_since <= now() - interval '24 hours' and enabled
     and (warned_at is null or failed_at >= failing_since + interval '120 hours')`,
)

/** A door: finds the accounts whose receivers have failed for long. */
export const listTroubledEndpoints = (db: Db): Promise<TroubledEndpoint[]> => db.query<TroubledEndpoint>(TROUBLED)

/** Effect: records the warning, once. Row: {configuration_id, endpoint}. If it was given already, the batch is undone. */
export const WARN_WEBHOOK: Statement = sql(
  'webhook_warn',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(configuration_id uuid, endpoint text)),
   done as (
     update webhook_endpoints e set warned_at = now() from given g
     where e.account_id = $1 and e.configuration_id = g.configuration_id and e.endpoint = g.endpoint and e.warned_at is null and e.failing_since is not null
     returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

const FORGET = sql(
  'webhook_forget',
  `with gone as (
     delete from webhook_deliveries where account_id = $1 and state <> 'pending' and created_at < now() - interval '30 days' returning id),
   attempts as (delete from webhook_attempts a using gone where a.account_id = $1 and a.delivery_id = gone.id)
   delete from webhook_secrets where account_id = $1 and expires_at < now() - interval '24 hours'`,
)

/** Deliveries are kept 30 days, secrets not longer than they are needed. */
export const forgetDeliveries = (db: Db, accountId: string): Promise<unknown> => db.query(FORGET, [accountId])

export type WebhookMeasures = {
  pending: number
  failed: number
  oldest_seconds: number
  failing: number
  disabled: number
}

const MEASURE = sql(
  'webhook_measure',
  `select
     (select count(*)::int from webhook_deliveries where state = 'pending') as pending,
     (select count(*)::int from webhook_deliveries d where ${GIVEN_UP}) as failed,
     (select coalesce(extract(epoch from clock_timestamp() - min(coalesce(replayed_at, created_at))), 0)::float8 from webhook_deliveries
       where state = 'pending') as oldest_seconds,
     (select count(*)::int from webhook_endpoints where failing_since is not null and enabled) as failing,
     (select count(*)::int from webhook_endpoints where disabled_reason in ('gone', 'failing')) as disabled`,
)

/** A door: what monitoring sees of all accounts together. */
export async function measureWebhooks(db: Db): Promise<WebhookMeasures> {
  const [row] = await db.query<WebhookMeasures>(MEASURE)
  return row ?? { pending: 0, failed: 0, oldest_seconds: 0, failing: 0, disabled: 0 }
}

/** What is wrong with webhooks, and with which: of which configuration, and which of its endpoints. */
export type WebhookTrouble = { trouble: 'waiting' | 'dead' | 'failing' | 'stopped'; slug: string; endpoint: string }

const TROUBLES = sql(
  'webhook_troubles',
  `with troubles as (
     select account_id, configuration_id, endpoint, 'dead' as trouble from webhook_deliveries d where ${GIVEN_UP}
     union select account_id, configuration_id, endpoint, 'waiting' from webhook_deliveries
       where state = 'pending' and coalesce(replayed_at, created_at) < now() - make_interval(secs => $1)
     union select account_id, configuration_id, endpoint, 'failing' from webhook_endpoints where failing_since is not null and enabled
     union select account_id, configuration_id, endpoint, 'stopped' from webhook_endpoints where disabled_reason in ('gone', 'failing'))
   select t.trouble, c.slug, t.endpoint from troubles t
   join configurations c on c.account_id = t.account_id and c.id = t.configuration_id
   order by c.slug, t.endpoint, t.trouble = 'dead', t.trouble`,
)

/** A door: the webhooks of all accounts that somebody should look at. One that was stopped has to be enabled before it sends anything again. */
export const listWebhookTroubles = (db: Db, waitingSeconds: number): Promise<WebhookTrouble[]> =>
  db.query<WebhookTrouble>(TROUBLES, [waitingSeconds])
