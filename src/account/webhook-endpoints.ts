import type { Core } from '../events/core.ts'
import { openForEndpoint, ownerOf } from '../events/delivery/endpoint.ts'
import type { Guard } from '../events/delivery/guard.ts'
import { fail, invalid } from '../problems.ts'
import type { ConfigurationRow } from '../store/configurations.ts'
import { PreconditionFailed } from '../store/database/db.ts'
import { listWebhooks, REMOVE_WEBHOOK } from '../store/webhooks/endpoints.ts'
import {
  checkedGiven,
  keysOf,
  putWebhook,
  readWebhook,
  record,
  toldOf,
  type Webhook,
  type WebhookGiven,
  webhookRowOf,
} from './webhook.ts'

/** What an endpoint may be called. */
export const ENDPOINT_NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/
/** Each ending queues a delivery for every endpoint, in its own transaction. */
export const MOST_ENDPOINTS = 10

/** Adds an endpoint beside those a configuration has, with a secret of its own, returned this once. */
export async function addWebhook(
  core: Core,
  guard: Guard,
  configuration: ConfigurationRow,
  endpoint: string,
  given: WebhookGiven,
): Promise<{ secret: string | null }> {
  if (!ENDPOINT_NAME.test(endpoint)) invalid('/endpoint', 'must be 1 to 40 small letters, digits and hyphens')
  const present = await listWebhooks(core.db, configuration.account_id, configuration.id)
  if (present.some((row) => row.endpoint === endpoint)) invalid('/endpoint', 'is the name of a webhook that is there')
  if (present.length >= MOST_ENDPOINTS) invalid('/endpoint', `would be one more than ${MOST_ENDPOINTS}`)
  return putWebhook(core, configuration, endpoint, await checkedGiven(guard, given), null)
}

/** The webhooks of a configuration, oldest first. */
export async function webhooksOf(core: Core, configuration: ConfigurationRow): Promise<Webhook[]> {
  const rows = await listWebhooks(core.db, configuration.account_id, configuration.id)
  return Promise.all(rows.map(({ endpoint }) => readWebhook(core, configuration, endpoint)))
}

/** Removes an endpoint with its secrets and its log. What it had still to send is not sent. */
export async function removeWebhook(core: Core, configuration: ConfigurationRow, endpoint: string): Promise<void> {
  const row = await webhookRowOf(core, configuration, endpoint)
  const keys = await keysOf(core, configuration.account_id)
  const was = toldOf(row, openForEndpoint(keys, ownerOf(row), 'url', row.sealed_url))
  const effect = { statement: REMOVE_WEBHOOK, row: { configuration_id: configuration.id, endpoint } }
  try {
    await record(core, configuration, 'webhook.removed', { endpoint, was }, [effect])
  } catch (error) {
    if (error instanceof PreconditionFailed) fail('webhook-not-found') // removed at the same moment
    throw error
  }
}
