import { randomUUID } from 'node:crypto'
import { type Changes, changesBetween, NOT_TOLD } from '../events/changes.ts'
import type { Core } from '../events/core.ts'
import type { DeliveryKeys } from '../events/delivery/body.ts'
import { openForEndpoint, ownerOf, sealForEndpoint } from '../events/delivery/endpoint.ts'
import { AddressRefused, type Guard } from '../events/delivery/guard.ts'
import { newSecret } from '../events/delivery/signing.ts'
import type { Effect } from '../events/record.ts'
import { fail, invalid } from '../problems.ts'
import { findAccount } from '../store/accounts.ts'
import type { ConfigurationRow } from '../store/configurations.ts'
import { PreconditionFailed } from '../store/database/db.ts'
import {
  DISABLE_WEBHOOK,
  type DisabledReason,
  ENABLE_WEBHOOK,
  type EndpointPlace,
  findWebhook,
  INSERT_FIRST_SECRET,
  listLiveSecrets,
  MAIN_ENDPOINT,
  PUT_WEBHOOK,
  ROTATE_SECRET,
  type WebhookRow,
} from '../store/webhooks/endpoints.ts'
import { CHOOSABLE_EVENTS, DEFAULT_EVENTS, type EventType } from '../store/webhooks/events.ts'
import { countDeliveries } from '../store/webhooks/log.ts'

const BY_OPERATOR = 'operator' satisfies DisabledReason
const LONGEST_OVERLAP_SECONDS = 7 * 86_400
const MOST_ROTATIONS_A_DAY = 10
const TOKEN = /^[\x21-\x7e]{1,1000}$/

export const DEFAULT_OVERLAP_SECONDS = 86_400

/** A webhook as its owner sees it, without secrets and token: they are shown once, when made. */
export type Webhook = {
  endpoint: string
  url: string
  hasToken: boolean
  events: readonly EventType[]
  enabled: boolean
  disabledReason: DisabledReason | null
  disabledAt: Date | null
  failingSince: Date | null
  warnedAt: Date | null
  createdAt: Date
  secrets: { id: string; createdAt: Date; expiresAt: Date | null }[]
  pending: number
  failed: number
}

/**
 * Sets where a configuration's events go, and enables the webhook. Only the main endpoint comes into being by this; others
 * are added (webhook-endpoints.ts). The first call makes a secret and returns it this
 * once; changing the address keeps it. A token of undefined stays as it is, null removes it; events of undefined stay
 * as they are, at first the default ones.
 */
export async function setWebhook(
  core: Core,
  guard: Guard,
  configuration: ConfigurationRow,
  given: WebhookGiven,
  endpoint: string = MAIN_ENDPOINT,
): Promise<{ secret: string | null }> {
  const before = await findWebhook(core.db, placeOf(configuration, endpoint))
  if (!before && endpoint !== MAIN_ENDPOINT) fail('webhook-not-found')
  return putWebhook(core, configuration, endpoint, await checkedGiven(guard, given), before)
}

/** What an operator says about an endpoint. */
export type WebhookGiven = { url: string; token?: string | null; events?: readonly string[] }

/** The same with the address looked up, which may take a while: done before anything is held. */
type WebhookChecked = Omit<WebhookGiven, 'url'> & { address: URL }

export const checkedGiven = async (guard: Guard, { url, ...given }: WebhookGiven): Promise<WebhookChecked> => ({
  ...given,
  address: await checkedAddress(guard, url),
})

export async function putWebhook(
  core: Core,
  configuration: ConfigurationRow,
  endpoint: string,
  { address, token, events }: WebhookChecked,
  before: WebhookRow | null,
): Promise<{ secret: string | null }> {
  const { account_id: accountId, id: configurationId } = configuration
  if (typeof token === 'string' && !TOKEN.test(token)) invalid('/token', 'must be 1 to 1,000 visible ASCII characters')
  const chosen = events && checkedEvents(events)
  const keys = await keysOf(core, accountId)
  const owner = ownerOf({ configuration_id: configurationId, endpoint })
  const sealedToken =
    token === undefined ? before?.sealed_token?.toString('hex') : token && sealForEndpoint(keys, owner, 'token', token)
  const sealedUrl = sealForEndpoint(keys, owner, 'url', address.href)
  const row = {
    configuration_id: configurationId,
    endpoint,
    sealed_url: sealedUrl,
    sealed_token: sealedToken ?? null,
    events: chosen ?? before?.events ?? DEFAULT_EVENTS,
  }
  const effects: Effect[] = [{ statement: PUT_WEBHOOK, row }]
  const made = before ? null : freshSecret(keys, configurationId, endpoint)
  if (made) effects.push({ statement: INSERT_FIRST_SECRET, row: made.row })
  const now = { host: address.host, hasToken: sealedToken != null, events: row.events, enabled: true }
  const was = before && openForEndpoint(keys, owner, 'url', before.sealed_url)
  const changes: Changes = {
    ...changesBetween(before ? toldOf(before, was ?? '') : {}, now),
    ...(was !== null && was !== address.href && { address: { from: NOT_TOLD, to: NOT_TOLD } }),
    ...(before?.sealed_token && token && { token: { from: NOT_TOLD, to: NOT_TOLD } }),
  }
  const detail = { endpoint, ...now, changes }
  await record(core, configuration, 'webhook.set', detail, effects)
  return { secret: made?.secret ?? null }
}

/** What audit entries tell of an endpoint. Its path may be a secret, so of its address only the host. */
export const toldOf = ({ sealed_token: token, events, enabled }: WebhookRow, url: string) => ({
  host: new URL(url).host,
  hasToken: token !== null,
  events,
  enabled,
})

async function checkedAddress(guard: Guard, url: string): Promise<URL> {
  try {
    return await guard.check(url)
  } catch (error) {
    if (error instanceof AddressRefused) return invalid('/url', error.message)
    throw error
  }
}

/** The chosen events, each once and in the order of their table. */
function checkedEvents(events: readonly string[]): EventType[] {
  const chosen = CHOOSABLE_EVENTS.filter((type) => events.includes(type))
  const isKnown = events.every((name) => CHOOSABLE_EVENTS.some((type) => type === name))
  if (!isKnown || chosen.length === 0) invalid('/events', `must be one or more of ${CHOOSABLE_EVENTS.join(', ')}`)
  return chosen
}

function freshSecret(keys: DeliveryKeys, configurationId: string, endpoint: string) {
  const [id, secret] = [randomUUID(), newSecret()]
  const sealedSecret = sealForEndpoint(keys, id, 'secret', secret)
  const row = { configuration_id: configurationId, endpoint, id, sealed_secret: sealedSecret }
  return { secret, row }
}

/** A new secret beside the old one, which also signs until the overlap ends. Returned this once. */
export async function rotateWebhookSecret(
  core: Core,
  configuration: ConfigurationRow,
  overlapSeconds: number = DEFAULT_OVERLAP_SECONDS,
  endpoint: string = MAIN_ENDPOINT,
): Promise<{ secret: string; oldUntil: Date }> {
  if (!(overlapSeconds >= 0 && overlapSeconds <= LONGEST_OVERLAP_SECONDS)) invalid('/overlap', 'must be 0 to 7 days')
  await webhookRowOf(core, configuration, endpoint)
  const { secret, row } = freshSecret(await keysOf(core, configuration.account_id), configuration.id, endpoint)
  const limits = { overlap_seconds: overlapSeconds, most_a_day: MOST_ROTATIONS_A_DAY }
  try {
    const effects = [{ statement: ROTATE_SECRET, row: { ...row, ...limits } }]
    const [rotated] = await record(core, configuration, 'webhook.secret-rotated', { endpoint, overlapSeconds }, effects)
    const oldUntil = rotated?.old_until
    if (!(oldUntil instanceof Date)) throw new Error('The rotation came back without its moment.')
    return { secret, oldUntil }
  } catch (error) {
    if (error instanceof PreconditionFailed) fail('webhook-secret-limit')
    throw error
  }
}

/** Stops a webhook: sessions that end from now on are not announced, and pending deliveries are parked. */
export async function disableWebhook(
  core: Core,
  configuration: ConfigurationRow,
  endpoint: string = MAIN_ENDPOINT,
): Promise<void> {
  const { enabled } = await webhookRowOf(core, configuration, endpoint)
  if (!enabled) return
  const effect = {
    statement: DISABLE_WEBHOOK,
    row: { configuration_id: configuration.id, endpoint, reason: BY_OPERATOR },
  }
  await record(
    core,
    configuration,
    'webhook.disabled',
    { endpoint, reason: BY_OPERATOR, changes: changesBetween({ enabled }, { enabled: false }) },
    [effect],
  ).catch((error) => {
    if (!(error instanceof PreconditionFailed)) throw error // stopped at the same moment
  })
}

/** Starts a stopped webhook again. Missed events are not sent automatically: see replaySince. */
export async function enableWebhook(
  core: Core,
  configuration: ConfigurationRow,
  endpoint: string = MAIN_ENDPOINT,
): Promise<void> {
  const { enabled } = await webhookRowOf(core, configuration, endpoint)
  if (enabled) return
  const effect = { statement: ENABLE_WEBHOOK, row: { configuration_id: configuration.id, endpoint } }
  const changes = changesBetween({ enabled }, { enabled: true })
  await record(core, configuration, 'webhook.enabled', { endpoint, changes }, [effect])
}

export async function readWebhook(
  core: Core,
  configuration: ConfigurationRow,
  endpoint: string = MAIN_ENDPOINT,
): Promise<Webhook> {
  const place = placeOf(configuration, endpoint)
  const row = await webhookRowOf(core, configuration, endpoint)
  const keys = await keysOf(core, place.accountId)
  const secrets = await listLiveSecrets(core.db, place)
  return {
    endpoint,
    url: openForEndpoint(keys, ownerOf(row), 'url', row.sealed_url),
    hasToken: row.sealed_token !== null,
    events: row.events,
    enabled: row.enabled,
    disabledReason: row.disabled_reason,
    disabledAt: row.disabled_at,
    failingSince: row.failing_since,
    warnedAt: row.warned_at,
    createdAt: row.created_at,
    secrets: secrets.map((secret) => ({ id: secret.id, createdAt: secret.created_at, expiresAt: secret.expires_at })),
    ...(await countDeliveries(core.db, place)),
  }
}

export async function webhookRowOf(core: Core, configuration: ConfigurationRow, endpoint: string): Promise<WebhookRow> {
  return (await findWebhook(core.db, placeOf(configuration, endpoint))) ?? fail('webhook-not-found')
}

export const placeOf = ({ account_id: accountId, id }: ConfigurationRow, endpoint: string): EndpointPlace => ({
  accountId,
  configurationId: id,
  endpoint,
})

export async function keysOf(core: Core, accountId: string): Promise<DeliveryKeys> {
  const account = (await findAccount(core.db, accountId)) ?? fail('configuration-not-found')
  return { accountId, accountKey: core.keyring.openAccountKey(accountId, account.sealed_key) }
}

/** With an audit entry about the configuration. */
export function record(
  core: Core,
  { account_id: accountId, id }: ConfigurationRow,
  action: string,
  detail: Record<string, unknown>,
  effects: readonly Effect[],
): Promise<Record<string, unknown>[]> {
  return core.recorder.record({ accountId, actor: core.operator, action, subject: id, detail, effects })
}
