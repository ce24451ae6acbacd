import type { Logger } from 'pino'
import { listAccounts } from '../../store/accounts.ts'
import { PreconditionFailed } from '../../store/database/db.ts'
import { SETTLE_DELIVERY, type Settlement } from '../../store/webhooks/deliveries.ts'
import { DISABLE_WEBHOOK, type DisabledReason, type EndpointPlace } from '../../store/webhooks/endpoints.ts'
import {
  forgetDeliveries,
  listTroubledEndpoints,
  type TroubledEndpoint,
  WARN_WEBHOOK,
} from '../../store/webhooks/watch.ts'
import type { Core } from '../core.ts'
import type { Effect } from '../record.ts'

const EVERY_MS = 60_000
const ROUNDS_PER_FORGETTING = 60
const ACTOR = 'fyr'

/** Stops a webhook automatically: with an audit entry, a line in the log, and the reason where its owner looks. */
export async function stopWebhook(
  { core, logger }: { core: Core; logger: Logger },
  { accountId, configurationId, endpoint }: EndpointPlace,
  reason: Exclude<DisabledReason, 'operator'>,
  settlement?: Settlement,
): Promise<void> {
  const effects: Effect[] = [
    { statement: DISABLE_WEBHOOK, row: { configuration_id: configurationId, endpoint, reason } },
  ]
  if (settlement) effects.push({ statement: SETTLE_DELIVERY, row: { ...settlement } })
  await core.recorder.record({
    accountId,
    actor: ACTOR,
    action: 'webhook.disabled',
    subject: configurationId,
    detail: { endpoint, reason },
    effects,
  })
  logger.warn({ event: 'webhook-disabled', accountId, configurationId, endpoint, reason }, 'a webhook was disabled')
}

/** Once a minute: warns about receivers that fail for long, then stops them; deletes old deliveries. */
export function watchWebhooks(core: Core, logger: Logger): { stop: () => Promise<void> } {
  let rounds = 0
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(async () => {
      try {
        await reviewEndpoints(core, logger)
        if (rounds++ % ROUNDS_PER_FORGETTING === 0)
          for (const { id } of await listAccounts(core.db)) await forgetDeliveries(core.db, id)
      } catch (error) {
        logger.warn({ name: nameOf(error) }, 'the webhook watch failed; the next round tries again')
      }
    })
  }, EVERY_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}

/** Warns about receivers that have only failed for a day, and stops those that have for five. */
export async function reviewEndpoints(core: Core, logger: Logger): Promise<void> {
  for (const troubled of await listTroubledEndpoints(core.db)) {
    const { account_id: accountId, configuration_id: configurationId, endpoint } = troubled
    try {
      if (troubled.must_warn) await warn(core, logger, troubled)
      else if (troubled.must_stop)
        await stopWebhook({ core, logger }, { accountId, configurationId, endpoint }, 'failing')
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error // another node was first
    }
  }
}

async function warn(core: Core, logger: Logger, troubled: TroubledEndpoint): Promise<void> {
  const { account_id: accountId, configuration_id: configurationId, endpoint, failing_since: failingSince } = troubled
  await core.recorder.record({
    accountId,
    actor: ACTOR,
    action: 'webhook.failing',
    subject: configurationId,
    detail: { endpoint, failingSince: failingSince.toISOString() },
    effects: [{ statement: WARN_WEBHOOK, row: { configuration_id: configurationId, endpoint } }],
  })
  logger.warn(
    { event: 'webhook-failing', accountId, configurationId, endpoint, failingSince },
    'every delivery of a webhook has failed for a day; it is disabled after five',
  )
}

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)
