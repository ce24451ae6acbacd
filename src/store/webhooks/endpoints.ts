import { type Db, type Statement, sql } from '../database/db.ts'
import type { EventType } from './events.ts'

export const DISABLED_REASONS = ['operator', 'gone', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** The endpoint that a configuration has when it has one: the commands mean it when they name none. */
export const MAIN_ENDPOINT = 'main'

/** Which endpoint: its name is unique in its configuration. */
export type EndpointPlace = { accountId: string; configurationId: string; endpoint: string }

export type WebhookRow = {
  configuration_id: string
  endpoint: string
  sealed_url: Buffer
  sealed_token: Buffer | null
  events: EventType[]
  enabled: boolean
  disabled_reason: DisabledReason | null
  disabled_at: Date | null
  failing_since: Date | null
  failed_at: Date | null
  warned_at: Date | null
  created_at: Date
}

export type WebhookSecretRow = { id: string; sealed_secret: Buffer; created_at: Date; expires_at: Date | null }

/** Everything one attempt needs to know of its endpoint, with the account's key and the secrets that sign right now. */
export type SendingEndpoint = WebhookRow & { sealed_account_key: Buffer; secrets: { id: string; sealed: Buffer }[] }

const COLUMNS = `configuration_id, endpoint, sealed_url, sealed_token, events, enabled, disabled_reason, disabled_at, failing_since, failed_at, warned_at, created_at`

/**
 * Effect: queues an event of a session, in the transaction that causes it. Row: {configuration_id, session_id, type,
 * answer_id?}; one caused by an answer is queued only if that was stored. It is queued for each enabled
 * endpoint that wants it, and for each at most once for a session.
 */
export const INSERT_WEBHOOK_DELIVERY: Statement = sql(
  'webhook_delivery_insert',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(configuration_id uuid, session_id uuid, type text, answer_id uuid)),
   done as (
     insert into webhook_deliveries (account_id, configuration_id, endpoint, session_id, type)
     select $1, g.configuration_id, e.endpoint, g.session_id, g.type from given g
     join webhook_endpoints e on e.account_id = $1 and e.configuration_id = g.configuration_id and e.enabled and g.type = any(e.events)
     where g.answer_id is null or exists (
       select from answers a where a.account_id = $1 and a.session_id = g.session_id and a.id = g.answer_id)
     on conflict do nothing returning configuration_id, endpoint)
   select pg_notify('fyr_webhook', $1::text || ' ' || configuration_id || ' ' || endpoint)
   from (select distinct configuration_id, endpoint from done) as woken`,
)

/** Effect: address, bearer token and events, enabled and with a clean slate. Row: {configuration_id, endpoint, sealed_url (hex), sealed_token? (hex), events}. */
export const PUT_WEBHOOK: Statement = sql(
  'webhook_put',
  `insert into webhook_endpoints (account_id, configuration_id, endpoint, sealed_url, sealed_token, events)
   select $1, g.configuration_id, g.endpoint, decode(g.sealed_url, 'hex'), decode(g.sealed_token, 'hex'), g.events
   from jsonb_to_recordset($2::jsonb) as g(configuration_id uuid, endpoint text, sealed_url text, sealed_token text, events text[])
   on conflict (account_id, configuration_id, endpoint) do update set
     sealed_url = excluded.sealed_url, sealed_token = excluded.sealed_token, events = excluded.events, enabled = true, disabled_reason = null,
     disabled_at = null, failing_since = null, failed_at = null, warned_at = null`,
)

/** Effect: the first secret of a webhook; one that has any undoes the batch. Row: {configuration_id, endpoint, id, sealed_secret (hex)}. */
export const INSERT_FIRST_SECRET: Statement = sql(
  'webhook_secret_first',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(configuration_id uuid, endpoint text, id uuid, sealed_secret text)),
   done as (
     insert into webhook_secrets (account_id, configuration_id, endpoint, id, sealed_secret)
     select $1, g.configuration_id, g.endpoint, g.id, decode(g.sealed_secret, 'hex') from given g
     where not exists (
       select 1 from webhook_secrets s where s.account_id = $1 and s.configuration_id = g.configuration_id and s.endpoint = g.endpoint)
     returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

/**
 * Effect: a new secret; those before it expire after the overlap. Row: {configuration_id, endpoint, id, sealed_secret
 * (hex), overlap_seconds, most_a_day}. At most two may be valid at once, and rotations per day are limited: one too many
 * undoes the batch. Without an overlap every older one ends now, so that a leaked secret can always be stopped.
 */
export const ROTATE_SECRET: Statement = sql(
  'webhook_secret_rotate',
  `with given as (
     select *, row_number() over (partition by configuration_id, endpoint) as place from jsonb_to_recordset($2::jsonb)
       as g(ref int, configuration_id uuid, endpoint text, id uuid, sealed_secret text, overlap_seconds float8, most_a_day int)),
   allowed as (
     select g.* from given g where g.place = 1
       and (g.overlap_seconds = 0 or not exists (
         select 1 from webhook_secrets s where s.account_id = $1 and s.configuration_id = g.configuration_id and s.endpoint = g.endpoint
           and s.expires_at > now()))
       and (select count(*) from webhook_secrets s where s.account_id = $1 and s.configuration_id = g.configuration_id
         and s.endpoint = g.endpoint and s.created_at > now() - interval '24 hours') <= g.most_a_day),
   ended as (
     update webhook_secrets s set expires_at = least(s.expires_at, now() + a.overlap_seconds * interval '1 second')
     from allowed a where s.account_id = $1 and s.configuration_id = a.configuration_id and s.endpoint = a.endpoint returning s.id),
   done as (
     insert into webhook_secrets (account_id, configuration_id, endpoint, id, sealed_secret)
     select $1, configuration_id, endpoint, id, decode(sealed_secret, 'hex') from allowed returning configuration_id)
   select g.ref, now() + g.overlap_seconds * interval '1 second' as old_until,
     expect_rows((select count(*) from done), (select count(*) from given)) from given g`,
)

/** Effect: stops an enabled webhook. Row: {configuration_id, endpoint, reason}. One that is already stopped undoes the batch. */
export const DISABLE_WEBHOOK: Statement = sql(
  'webhook_disable',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(configuration_id uuid, endpoint text, reason text)),
   done as (
     update webhook_endpoints e set enabled = false, disabled_reason = g.reason, disabled_at = now()
     from given g where e.account_id = $1 and e.configuration_id = g.configuration_id and e.endpoint = g.endpoint and e.enabled
     returning e.configuration_id, e.endpoint)
   select expect_rows((select count(*) from done), (select count(*) from given)),
     (select count(pg_notify('fyr_webhook', $1::text || ' ' || configuration_id || ' ' || endpoint)) from done)`,
)

/** Effect: starts a stopped webhook afresh. Row: {configuration_id, endpoint}. */
export const ENABLE_WEBHOOK: Statement = sql(
  'webhook_enable',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(configuration_id uuid, endpoint text)),
   done as (
     update webhook_endpoints e set enabled = true, disabled_reason = null, disabled_at = null, failing_since = null,
       failed_at = null, warned_at = null
     from given g where e.account_id = $1 and e.configuration_id = g.configuration_id and e.endpoint = g.endpoint returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

/**
 * Effect: removes an endpoint with its secrets, its deliveries and their attempts. Row: {configuration_id, endpoint}.
 * One that is not there undoes the batch.
 */
export const REMOVE_WEBHOOK: Statement = sql(
  'webhook_remove',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(configuration_id uuid, endpoint text)),
   done as (
     delete from webhook_endpoints e using given g
     where e.account_id = $1 and e.configuration_id = g.configuration_id and e.endpoint = g.endpoint returning 1),
   secrets as (
     delete from webhook_secrets s using given g
     where s.account_id = $1 and s.configuration_id = g.configuration_id and s.endpoint = g.endpoint),
   told as (
     delete from webhook_deliveries d using given g
     where d.account_id = $1 and d.configuration_id = g.configuration_id and d.endpoint = g.endpoint returning d.id),
   tried as (delete from webhook_attempts a using told where a.account_id = $1 and a.delivery_id = told.id)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

const FIND = sql(
  'webhook_find',
  `select ${COLUMNS} from webhook_endpoints where account_id = $1 and configuration_id = $2 and endpoint = $3`,
)
const SECRETS = sql(
  'webhook_secrets',
  `select id, sealed_secret, created_at, expires_at from webhook_secrets
   where account_id = $1 and configuration_id = $2 and endpoint = $3 and (expires_at is null or expires_at > clock_timestamp()) order by created_at desc`,
)

const LIST = sql(
  'webhook_list',
  `select ${COLUMNS} from webhook_endpoints where account_id = $1 and configuration_id = $2 order by created_at, endpoint`,
)

export const valuesOf = ({ accountId, configurationId, endpoint }: EndpointPlace) => [
  accountId,
  configurationId,
  endpoint,
]

export async function findWebhook(db: Db, place: EndpointPlace): Promise<WebhookRow | null> {
  return (await db.query<WebhookRow>(FIND, valuesOf(place)))[0] ?? null
}

/** The endpoints of a configuration, oldest first. */
export const listWebhooks = (db: Db, accountId: string, configurationId: string): Promise<WebhookRow[]> =>
  db.query<WebhookRow>(LIST, [accountId, configurationId])

/** The secrets that sign right now, newest first. */
export const listLiveSecrets = (db: Db, place: EndpointPlace): Promise<WebhookSecretRow[]> =>
  db.query<WebhookSecretRow>(SECRETS, valuesOf(place))

/** The endpoint as it is now: a corrected address or an ended secret takes effect with the very next attempt. */
export const FIND_FOR_SENDING = sql(
  'webhook_for_sending',
  `select e.${COLUMNS.replaceAll(', ', ', e.')}, a.sealed_key as sealed_account_key,
     coalesce((select json_agg(json_build_object('id', s.id, 'sealed', encode(s.sealed_secret, 'hex')) order by s.created_at desc)
       from webhook_secrets s where s.account_id = $1 and s.configuration_id = $2 and s.endpoint = $3
         and (s.expires_at is null or s.expires_at > clock_timestamp())), '[]') as secrets
   from webhook_endpoints e join accounts a on a.id = e.account_id
   where e.account_id = $1 and e.configuration_id = $2 and e.endpoint = $3`,
)

type StoredEndpoint = WebhookRow & { sealed_account_key: Buffer; secrets: { id: string; sealed: string }[] }

export function endpointOf(row: unknown): SendingEndpoint | null {
  if (!row) return null
  const stored = row as StoredEndpoint
  return { ...stored, secrets: stored.secrets.map(({ id, sealed }) => ({ id, sealed: Buffer.from(sealed, 'hex') })) }
}
