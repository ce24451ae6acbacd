import { setTimeout as wait } from 'node:timers/promises'
import { Command } from 'commander'
import { disableWebhook, enableWebhook, readWebhook, rotateWebhookSecret } from '../account/webhook.ts'
import {
  type Delivery,
  deliveriesOf,
  deliveryOf,
  replayDelivery,
  replaySince,
  testWebhook,
} from '../account/webhook-deliveries.ts'
import type { Core } from '../events/core.ts'
import type { ConfigurationRow } from '../store/configurations.ts'
import { DELIVERY_STATES } from '../store/webhooks/deliveries.ts'
import { durationSeconds } from './duration.ts'
import { Refusal, remark, show } from './print.ts'
import { about, type Of, on, secretText, settingCommands } from './webhook/setting.ts'
import { deliveryJson, deliveryText, listText, webhookText } from './webhook/webhook-text.ts'

const TEST_PATIENCE_MS = 20_000

/** `fyr webhook …`: where the ends of sessions are announced, and what became of each delivery. */
export function webhookCommand(): Command {
  const webhook = new Command('webhook').description('where ended sessions are told of, and what became of it')
  for (const command of [...settingCommands(), ...steering(), ...seeing()]) webhook.addCommand(command)
  return webhook
}

function steering(): Command[] {
  return [
    about('rotate', 'make a new secret; the old one signs along during the overlap')
      .option('--overlap <duration>', '0s to 7d; 0s ends every older secret at once', '24h')
      .action(async ({ overlap, ...of }: Of & { overlap: string }, command: Command) => {
        const seconds = durationSeconds(overlap)
        const made = await on(of, (core, configuration) =>
          rotateWebhookSecret(core, configuration, seconds, of.endpoint),
        )
        show(
          command,
          made,
          () => `${secretText(made.secret)}\nThe old one signs along until ${made.oldUntil.toISOString()}.`,
        )
      }),

    about('disable', 'stop sending; what was on its way is parked and can be replayed').action(
      async (of: Of, command: Command) => change(of, disableWebhook, command),
    ),
    about('enable', 'send again; what was missed meanwhile is sent by `fyr webhook replay --missed`').action(
      async (of: Of, command: Command) => {
        const { disabledAt } = await on(of, readWebhook)
        await change(of, enableWebhook, command)
        if (disabledAt)
          remark(
            `What ended meanwhile was not sent: fyr webhook replay --configuration ${of.configuration} --endpoint ${of.endpoint} --since ${disabledAt.toISOString()} --missed`,
          )
      },
    ),

    about('replay', 'send one delivery again, or all since a moment that have not arrived')
      .argument('[delivery]', 'its id, as `fyr webhook deliveries` shows it')
      .option('--since <moment>', 'a duration ago (24h, 7d) or a timestamp; 30 days at most')
      .option('--delivered', 'with --since: also what did arrive')
      .option('--missed', 'with --since: also sessions that ended while no webhook was enabled')
      .action(async (id: string | undefined, given: Of & ReplayGiven, command: Command) => {
        const count = await on(given, (core, configuration) => replay(core, configuration, id, given))
        show(command, { queued: count }, () => `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} queued.`)
      }),
  ]
}

function seeing(): Command[] {
  return [
    about('show', 'show the webhook and how it fares').action(async (of: Of, command: Command) => {
      const webhook = await on(of, readWebhook)
      show(command, webhook, () => webhookText(webhook))
    }),

    about('test', 'send a test event and tell what came of it').action(async (of: Of, command: Command) => {
      const delivery = await on(of, async (core, configuration, endpoint) => {
        const { id } = await testWebhook(core, configuration, endpoint)
        return outcomeOf(core, configuration, id, endpoint)
      })
      show(command, deliveryJson(delivery), () => deliveryText(delivery))
      if (delivery.row.state === 'failed') throw new Refusal('The test event was not delivered.')
    }),

    about('deliveries', 'list deliveries, newest first, or show one with its attempts and answers')
      .argument('[delivery]', 'its id')
      .option('--state <state>', DELIVERY_STATES.join(', '))
      .option('--since <moment>', 'a duration ago (24h, 7d) or a timestamp')
      .option('--limit <number>', 'at most so many', '50')
      .action(async (id: string | undefined, given: Of & ListGiven, command: Command) => {
        if (id !== undefined) {
          const delivery = await on(given, (core, configuration, endpoint) =>
            deliveryOf(core, configuration, id, endpoint),
          )
          return show(command, deliveryJson(delivery), () => deliveryText(delivery))
        }
        const since = given.since ? momentOf(given.since) : null
        const filter = { state: stateOf(given.state), since, limit: Number(given.limit) || 0 }
        const listed = await on(given, (core, configuration, endpoint) =>
          deliveriesOf(core, configuration, filter, endpoint),
        )
        show(command, listed.map(deliveryJson), () => listText(listed))
      }),
  ]
}

type ReplayGiven = { since?: string; delivered?: boolean; missed?: boolean }
type ListGiven = { state?: string; since?: string; limit: string }

async function change(
  of: Of,
  work: (core: Core, configuration: ConfigurationRow, endpoint: string) => Promise<void>,
  command: Command,
): Promise<void> {
  const webhook = await on(of, async (core, configuration, endpoint) => {
    await work(core, configuration, endpoint)
    return readWebhook(core, configuration, endpoint)
  })
  show(command, webhook, () => webhookText(webhook))
}

async function replay(
  core: Core,
  configuration: ConfigurationRow,
  id: string | undefined,
  given: Of & ReplayGiven,
): Promise<number> {
  const { since, delivered = false, missed = false, endpoint } = given
  if ((id === undefined) === (since === undefined)) throw new Refusal('Give the id of a delivery, or --since.')
  if (id !== undefined) {
    await replayDelivery(core, configuration, id, endpoint)
    return 1
  }
  const wanted = { since: momentOf(since ?? ''), delivered, missed }
  return (await replaySince(core, configuration, wanted, endpoint)).count
}

/** The running service sends it; if none runs, it waits for the next start. */
async function outcomeOf(core: Core, configuration: ConfigurationRow, id: string, endpoint: string): Promise<Delivery> {
  for (const deadline = Date.now() + TEST_PATIENCE_MS; ; ) {
    const delivery = await deliveryOf(core, configuration, id, endpoint)
    if (delivery.row.state !== 'pending') return delivery
    if (Date.now() > deadline) throw new Refusal(`Nobody has sent the test event ${id} yet. Is the service running?`)
    await wait(200)
  }
}

function momentOf(text: string): Date {
  if (/^\d+[smhd]$/.test(text)) return new Date(Date.now() - durationSeconds(text) * 1_000)
  const moment = new Date(text)
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(moment.getTime()))
    throw new Refusal(`${text} is no moment: write 24h, 7d or a timestamp such as 2027-01-31T08:00:00Z.`)
  return moment
}

function stateOf(text: string | undefined) {
  if (text === undefined) return null
  const state = DELIVERY_STATES.find((known) => known === text)
  if (!state) throw new Refusal(`--state must be one of ${DELIVERY_STATES.join(', ')}.`)
  return state
}
