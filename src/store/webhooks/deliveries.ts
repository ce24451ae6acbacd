import { type Database, type Db, type Statement, sql } from '../database/db.ts'
import { type EndpointPlace, endpointOf, FIND_FOR_SENDING, type SendingEndpoint, valuesOf } from './endpoints.ts'
import { EVENT_TYPES, EVENTS, type EventType } from './events.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

const COMPLETED = 'session.completed' satisfies EventType
const TEST = 'webhook.test' satisfies EventType
/** The types of tests, as a list in a statement. */
const TESTS = EVENT_TYPES.filter((type) => EVENTS[type].isTest)
  .map((type) => `'${type}'`)
  .join(', ')
/**
 * Whether a delivery `d` was given up and could be sent again, in a statement. A test was told to whoever made it; of an
 * erased session nothing is left to send.
 */
export const GIVEN_UP = `(d.state = 'failed' and d.type not in (${TESTS}) and not exists (
  select 1 from sessions s where s.account_id = d.account_id and s.id = d.session_id and s.erased_at is not null))`

/** A delivery claimed by this node until its lease ends, with the parts of its body. */
export type ClaimedDelivery = {
  id: string
  type: EventType
  tries: number
  is_first_attempt: boolean
  claim: string
  created_at: Date
  claimed_at: Date
  session_id: string | null
  is_readable: boolean
  started_at: Date | null
  completed_at: Date | null
  sealed_key: Buffer | null
  sealed_extended_data: Buffer | null
}

// Ids as a list and sessions one by one: looked up by key, whatever statistics the planner has.
const CLAIM = sql(
  'webhook_claim',
  `with due as (
     select id, tries, attempts, claim from webhook_deliveries
     where account_id = $1 and configuration_id = $2 and endpoint = $3 and state = 'pending' and next_at <= now()
     order by next_at
     limit coalesce((select case when e.failing_since is null then $4::int else least($4::int, $7::int) end
       from webhook_endpoints e where e.account_id = $1 and e.configuration_id = $2 and e.endpoint = $3 and e.enabled), 0)
     for update skip locked),
   interrupted as (
     insert into webhook_attempts (account_id, delivery_id, number, at, error)
     select $1, id, attempts, now(), 'interrupted' from due where claim is not null on conflict do nothing),
   parked as (
     update webhook_deliveries d set state = 'failed', claim = null, settled_at = now()
     from due where d.account_id = $1 and d.id = any(array(select id from due)) and d.id = due.id and due.tries >= $6),
   claimed as (
     update webhook_deliveries d set tries = d.tries + 1, attempts = d.attempts + 1, claim = gen_random_uuid(),
       next_at = now() + $5 * interval '1 second'
     from due where d.account_id = $1 and d.id = any(array(select id from due)) and d.id = due.id and due.tries < $6
     returning d.id, d.type, d.tries, d.attempts = 1 and d.replayed_at is null as is_first_attempt, d.claim, d.created_at, d.session_id)
   select c.*, clock_timestamp() as claimed_at, s.erased_at is null as is_readable, s.started_at, s.completed_at,
     s.sealed_key, s.sealed_extended_data
   from claimed c left join lateral (
     select erased_at, started_at, completed_at, sealed_key, sealed_extended_data from sessions
     where account_id = $1 and id = c.session_id limit 1) s on true`,
)

/**
 * A claim lost in a database crash only means that the event is sent twice, which may happen anyway, so it need not
 * wait for the disk.
 */
const WITHOUT_WAITING = sql('webhook_claim_async', 'set local synchronous_commit to off')

export type ClaimLimits = { most: number; mostWhenFailing: number; leaseSeconds: number; mostTries: number }
export type Claimed = { endpoint: SendingEndpoint | null; deliveries: ClaimedDelivery[] }

/**
 * Claims due deliveries of one enabled endpoint that no other node holds, and reads the endpoint as it is then. An
 * attempt is counted when it is claimed, so that one that crashes its node is parked in the end; the deliveries of a
 * dead node are claimed again when their lease is over.
 */
export async function claimDeliveries(
  db: Database,
  place: EndpointPlace,
  { most, mostWhenFailing, leaseSeconds, mostTries }: ClaimLimits,
): Promise<Claimed> {
  const [, claimed, endpoints] = await db.batch([
    [WITHOUT_WAITING, []],
    [CLAIM, [...valuesOf(place), most, leaseSeconds, mostTries, mostWhenFailing]],
    [FIND_FOR_SENDING, valuesOf(place)],
  ])
  return { endpoint: endpointOf(endpoints?.[0]), deliveries: (claimed ?? []) as ClaimedDelivery[] }
}

/** How one attempt ended, as stored: `error` is null when the receiver answered, whatever it said. */
export type Settlement = {
  id: string
  claim: string
  outcome: 'delivered' | 'failed' | 'retry'
  wait_seconds: number | null
  status: number | null
  error: string | null
  duration_ms: number | null
  sealed_answer: string | null
}

/** Effect: settles claimed attempts and logs them. One whose claim was lost changes nothing. Rows: Settlement. */
export const SETTLE_DELIVERY: Statement = sql(
  'webhook_settle',
  `with given as (
     select * from jsonb_to_recordset($2::jsonb) as g(id text, claim uuid, outcome text, wait_seconds float8, status smallint,
       error text, duration_ms int, sealed_answer text)),
   settled as (
     update webhook_deliveries d set claim = null,
       tries = case when g.error = 'interrupted' then d.tries - 1 else d.tries end,
       state = case g.outcome when 'retry' then 'pending' else g.outcome end,
       next_at = case g.outcome when 'retry' then clock_timestamp() + g.wait_seconds * interval '1 second' else d.next_at end,
       settled_at = case g.outcome when 'retry' then null else clock_timestamp() end
     from given g where d.account_id = $1 and d.id = any(array(select id from given)) and d.id = g.id and d.claim = g.claim
     returning d.id, d.configuration_id, d.endpoint, d.type, d.attempts, g.outcome, g.status, g.error, g.duration_ms, g.sealed_answer),
   logged as (
     insert into webhook_attempts (account_id, delivery_id, number, at, duration_ms, status, error, sealed_answer)
     select $1, id, attempts, clock_timestamp() - coalesce(duration_ms, 0) * interval '1 millisecond', duration_ms, status, error,
       decode(sealed_answer, 'hex')
     from settled on conflict do nothing),
   judged as (
     select configuration_id, endpoint, bool_or(outcome = 'delivered') as works from settled
     where outcome = 'delivered' or (type not in (${TESTS}) and error is distinct from 'interrupted' and error is distinct from 'session-erased')
     group by configuration_id, endpoint),
   felt as (
     update webhook_endpoints e set
       failing_since = case when not j.works then coalesce(e.failing_since, now()) end,
       failed_at = case when not j.works then now() end,
       warned_at = case when not j.works then e.warned_at end
     from judged j where e.account_id = $1 and e.configuration_id = j.configuration_id and e.endpoint = j.endpoint
       and (not j.works or e.failing_since is not null))
   select id from settled`,
)

export const settleDeliveries = (
  db: Database,
  accountId: string,
  settlements: readonly Settlement[],
): Promise<unknown> => db.batch([[SETTLE_DELIVERY, [accountId, JSON.stringify(settlements)]]])

const PARK = sql(
  'webhook_park',
  `update webhook_deliveries set state = 'failed', claim = null, settled_at = now()
   where account_id = $1 and configuration_id = $2 and endpoint = $3 and state = 'pending' and (claim is null or next_at <= now())`,
)

/** Parks what a stopped webhook still had to send: visible, and replayed on request. */
export const parkDeliveries = (db: Db, place: EndpointPlace): Promise<unknown> => db.query(PARK, valuesOf(place))

const DELETE_ORPHANS = sql(
  'webhook_orphans_delete',
  `with gone as (
     delete from webhook_deliveries d where d.account_id = $1 and d.configuration_id = $2 and d.endpoint = $3
       and not exists (select 1 from webhook_endpoints e where e.account_id = $1 and e.configuration_id = $2 and e.endpoint = $3) returning d.id)
   delete from webhook_attempts a using gone where a.account_id = $1 and a.delivery_id = gone.id`,
)

/** Deletes what was queued in the moment in which its endpoint was removed: another one of that name must not get it. */
export const deleteOrphans = (db: Db, place: EndpointPlace): Promise<unknown> =>
  db.query(DELETE_ORPHANS, valuesOf(place))

/** Effect: a test event for the endpoint. Row: {configuration_id, endpoint}. Returns {ref, id}. */
export const INSERT_TEST_DELIVERY: Statement = sql(
  'webhook_test_insert',
  `with given as materialized (
     select ref, configuration_id, endpoint, 'evt_' || replace(gen_random_uuid()::text, '-', '') as id
     from jsonb_to_recordset($2::jsonb) as g(ref int, configuration_id uuid, endpoint text)),
   done as (
     insert into webhook_deliveries (account_id, id, configuration_id, endpoint, type)
     select $1, id, configuration_id, endpoint, '${TEST}' from given returning id)
   select g.ref, d.id, pg_notify('fyr_webhook', $1::text || ' ' || g.configuration_id || ' ' || g.endpoint) from given g join done d using (id)`,
)

/** Effect: sends one delivery again, from the first try of a new cycle. Row: {configuration_id, endpoint, id}. One being sent undoes the batch. */
export const REPLAY_DELIVERY: Statement = sql(
  'webhook_replay',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(configuration_id uuid, endpoint text, id text)),
   done as (
     update webhook_deliveries d set state = 'pending', tries = 0, claim = null, next_at = now(), settled_at = null,
       replayed_at = now()
     from given g where d.account_id = $1 and d.configuration_id = g.configuration_id and d.endpoint = g.endpoint and d.id = g.id
       and (d.claim is null or d.next_at <= now())
     returning d.configuration_id, d.endpoint)
   select expect_rows((select count(*) from done), (select count(*) from given)),
     (select count(pg_notify('fyr_webhook', $1::text || ' ' || configuration_id || ' ' || endpoint)) from done)`,
)

/**
 * Effect: resends what was to be delivered since a moment: what failed or waits, and on request what was delivered and
 * what was never queued because no webhook was enabled. Row: {configuration_id, endpoint, since, delivered, missed}.
 * Returns {ref, count}.
 */
export const REPLAY_SINCE: Statement = sql(
  'webhook_replay_since',
  `with given as (
     select * from jsonb_to_recordset($2::jsonb) as g(ref int, configuration_id uuid, endpoint text, since timestamptz, delivered boolean, missed boolean)),
   again as (
     update webhook_deliveries d set state = 'pending', tries = 0, claim = null, next_at = now(), settled_at = null,
       replayed_at = now()
     from given g where d.account_id = $1 and d.configuration_id = g.configuration_id and d.endpoint = g.endpoint and d.created_at >= g.since
       and d.type not in (${TESTS}) and (d.state <> 'delivered' or g.delivered) and (d.claim is null or d.next_at <= now())
       and exists (select 1 from sessions s where s.account_id = $1 and s.id = d.session_id and s.erased_at is null)
     returning d.configuration_id, d.endpoint),
   added as (
     insert into webhook_deliveries (account_id, configuration_id, endpoint, session_id, type, replayed_at)
     select $1, g.configuration_id, g.endpoint, s.id, '${COMPLETED}', now() from given g
     join sessions s on s.account_id = $1 and s.configuration_id = g.configuration_id and s.completed_at >= g.since and s.erased_at is null
     join webhook_endpoints e on e.account_id = $1 and e.configuration_id = g.configuration_id and e.endpoint = g.endpoint
       and '${COMPLETED}' = any(e.events)
     where g.missed on conflict do nothing returning configuration_id, endpoint),
   queued as (select configuration_id, endpoint from again union all select configuration_id, endpoint from added)
   select g.ref, (select count(*)::int from queued q where q.configuration_id = g.configuration_id and q.endpoint = g.endpoint) as count,
     pg_notify('fyr_webhook', $1::text || ' ' || g.configuration_id || ' ' || g.endpoint)
   from given g`,
)
