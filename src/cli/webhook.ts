import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Command } from 'commander'
import { configurationOf } from '../account/provision.ts'
import { disableWebhook, enableWebhook, readWebhook, rotateWebhookSecret, setWebhook } from '../account/webhook.ts'
import {
  type Delivery,
  deliveriesOf,
  deliveryOf,
  replayDelivery,
  replaySince,
  testWebhook,
} from '../account/webhook-deliveries.ts'
import type { Core } from '../events/core.ts'
import { Guard } from '../events/delivery/guard.ts'
import type { ConfigurationRow } from '../store/configurations.ts'
import { DELIVERY_STATES } from '../store/webhooks/deliveries.ts'
import { CHOOSABLE_EVENTS } from '../store/webhooks/events.ts'
import { durationSeconds } from './duration.ts'
import { Refusal, show } from './print.ts'
import { onStore } from './store.ts'
import { deliveryJson, deliveryText, listText, webhookText } from './webhook-text.ts'

const TEST_PATIENCE_MS = 20_000

type Of = { configuration: string }

/** `fyr webhook …`: where the ends of sessions are announced, and what became of each delivery. */
export function webhookCommand(): Command {
  const webhook = new Command('webhook').description('where ended sessions are told of, and what became of it')
  for (const command of [...steering(), ...seeing()]) webhook.addCommand(command)
  return webhook
}

const about = (name: string, description: string): Command =>
  new Command(name).description(description).requiredOption('--configuration <slug>', 'whose webhook')

const on = <T>(slug: string, work: (core: Core, configuration: ConfigurationRow) => Promise<T>): Promise<T> =>
  onStore(async (core) => work(core, await configurationOf(core, slug)))

function steering(): Command[] {
  return [
    about('set', 'say where to send, and enable it; the first time it shows the secret, this once')
      .requiredOption('--url <https address>', 'the receiver')
      .option(
        '--token-file <file>',
        'send the token in this file as Authorization: Bearer …; - reads it from the input',
      )
      .option('--no-token', 'send no token any more')
      .option('--events <types>', `comma separated: ${CHOOSABLE_EVENTS.join(', ')}`)
      .action(async ({ configuration: slug, url, events, ...given }: Of & SetGiven, command: Command) => {
        const token = tokenOf(given)
        const made = await onStore(async (core, settings) => {
          const configuration = await configurationOf(core, slug)
          const { secret } = await setWebhook(core, new Guard(settings), configuration, {
            url,
            ...(token !== undefined && { token }),
            ...(events !== undefined && { events: events.split(',').map((type) => type.trim()) }),
          })
          return { secret, webhook: await readWebhook(core, configuration) }
        })
        const secret = made.secret ? `\n\n${secretText(made.secret)}` : ''
        show(command, { ...made.webhook, secret: made.secret }, () => `${webhookText(made.webhook)}${secret}`)
      }),

    about('rotate', 'make a new secret; the old one signs along during the overlap')
      .option('--overlap <duration>', '0s to 7d; 0s ends every older secret at once', '24h')
      .action(async ({ configuration: slug, overlap }: Of & { overlap: string }, command: Command) => {
        const seconds = durationSeconds(overlap)
        const made = await on(slug, (core, configuration) => rotateWebhookSecret(core, configuration, seconds))
        show(
          command,
          made,
          () => `${secretText(made.secret)}\nThe old one signs along until ${made.oldUntil.toISOString()}.`,
        )
      }),

    about('disable', 'stop sending; what was on its way is parked and can be replayed').action(
      async ({ configuration: slug }: Of, command: Command) => change(slug, disableWebhook, command),
    ),
    about('enable', 'send again; what was missed meanwhile is sent by `fyr webhook replay`').action(
      async ({ configuration: slug }: Of, command: Command) => change(slug, enableWebhook, command),
    ),

    about('replay', 'send one delivery again, or all since a moment that have not arrived')
      .argument('[delivery]', 'its id, as `fyr webhook deliveries` shows it')
      .option('--since <moment>', 'a duration ago (24h, 7d) or a timestamp; 30 days at most')
      .option('--delivered', 'with --since: also what did arrive')
      .option('--missed', 'with --since: also sessions that ended while no webhook was enabled')
      .action(async (id: string | undefined, { configuration: slug, ...given }: Of & ReplayGiven, command: Command) => {
        const count = await on(slug, (core, configuration) => replay(core, configuration, id, given))
        show(command, { queued: count }, () => `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} queued.`)
      }),
  ]
}

function seeing(): Command[] {
  return [
    about('show', 'show the webhook and how it fares').action(async ({ configuration: slug }: Of, command: Command) => {
      const webhook = await on(slug, readWebhook)
      show(command, webhook, () => webhookText(webhook))
    }),

    about('test', 'send a test event and tell what came of it').action(
      async ({ configuration: slug }: Of, command: Command) => {
        const delivery = await on(slug, async (core, configuration) => {
          const { id } = await testWebhook(core, configuration)
          return outcomeOf(core, configuration, id)
        })
        show(command, deliveryJson(delivery), () => deliveryText(delivery))
        if (delivery.row.state === 'failed') throw new Refusal('The test event was not delivered.')
      },
    ),

    about('deliveries', 'list deliveries, newest first, or show one with its attempts and answers')
      .argument('[delivery]', 'its id')
      .option('--state <state>', DELIVERY_STATES.join(', '))
      .option('--since <moment>', 'a duration ago (24h, 7d) or a timestamp')
      .option('--limit <number>', 'at most so many', '50')
      .action(async (id: string | undefined, { configuration: slug, ...given }: Of & ListGiven, command: Command) => {
        if (id !== undefined) {
          const delivery = await on(slug, (core, configuration) => deliveryOf(core, configuration, id))
          return show(command, deliveryJson(delivery), () => deliveryText(delivery))
        }
        const filter = { state: stateOf(given.state), since: given.since ? momentOf(given.since) : null }
        const listed = await on(slug, (core, configuration) =>
          deliveriesOf(core, configuration, { ...filter, limit: Number(given.limit) || 0 }),
        )
        show(command, listed.map(deliveryJson), () => listText(listed))
      }),
  ]
}

type TokenGiven = { tokenFile?: string; token: boolean }
type SetGiven = TokenGiven & { url: string; events?: string }
type ReplayGiven = { since?: string; delivered?: boolean; missed?: boolean }
type ListGiven = { state?: string; since?: string; limit: string }

/** A token is never an argument: everyone on the machine can see arguments. */
function tokenOf({ tokenFile, token }: TokenGiven): string | null | undefined {
  if (!token) return null
  if (tokenFile === undefined) return undefined
  try {
    return readFileSync(tokenFile === '-' ? 0 : tokenFile, 'utf8').trim()
  } catch {
    throw new Refusal(`The token file ${tokenFile} can't be read.`)
  }
}

async function change(
  slug: string,
  work: (core: Core, configuration: ConfigurationRow) => Promise<void>,
  command: Command,
): Promise<void> {
  const webhook = await on(slug, async (core, configuration) => {
    await work(core, configuration)
    return readWebhook(core, configuration)
  })
  show(command, webhook, () => webhookText(webhook))
}

async function replay(
  core: Core,
  configuration: ConfigurationRow,
  id: string | undefined,
  given: ReplayGiven,
): Promise<number> {
  const { since, delivered = false, missed = false } = given
  if ((id === undefined) === (since === undefined)) throw new Refusal('Give the id of a delivery, or --since.')
  if (id !== undefined) {
    await replayDelivery(core, configuration, id)
    return 1
  }
  return (await replaySince(core, configuration, { since: momentOf(since ?? ''), delivered, missed })).count
}

/** The running service sends it; if none runs, it waits for the next start. */
async function outcomeOf(core: Core, configuration: ConfigurationRow, id: string): Promise<Delivery> {
  for (const deadline = Date.now() + TEST_PATIENCE_MS; ; ) {
    const delivery = await deliveryOf(core, configuration, id)
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

const secretText = (secret: string): string =>
  `The signing secret, shown this once:\n\n  ${secret}\n\nGive it to the receiver; docs/webhooks.md shows how to verify with it.`
