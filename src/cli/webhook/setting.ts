import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { configurationOf } from '../../account/provision.ts'
import { readWebhook, setWebhook, type WebhookGiven } from '../../account/webhook.ts'
import { addWebhook, removeWebhook, webhooksOf } from '../../account/webhook-endpoints.ts'
import type { Core } from '../../events/core.ts'
import { Guard } from '../../events/delivery/guard.ts'
import type { Settings } from '../../settings.ts'
import type { ConfigurationRow } from '../../store/configurations.ts'
import { MAIN_ENDPOINT } from '../../store/webhooks/endpoints.ts'
import { CHOOSABLE_EVENTS } from '../../store/webhooks/events.ts'
import { Refusal, show } from '../print.ts'
import { onStore } from '../store.ts'
import { webhooksText, webhookText } from './webhook-text.ts'

/** Which webhook a command is about. */
export type Of = { configuration: string; endpoint: string }

type Given = { url: string; tokenFile?: string; token: boolean; events?: string }

/** A command about one endpoint of a configuration: the main one unless another is named. */
export const about = (name: string, description: string): Command =>
  ofConfiguration(name, description).option('--endpoint <name>', 'which of its endpoints', MAIN_ENDPOINT)

export const on = <T>(
  { configuration: slug, endpoint }: Of,
  work: (core: Core, configuration: ConfigurationRow, endpoint: string, settings: Settings) => Promise<T>,
): Promise<T> => onStore(async (core, settings) => work(core, await configurationOf(core, slug), endpoint, settings))

export const secretText = (secret: string): string =>
  `The signing secret, shown this once:\n\n  ${secret}\n\nGive it to the receiver; docs/webhooks.md shows how to verify with it.`

/** Where events go: `set` for the one endpoint most have, `add`, `list` and `remove` for several. */
export function settingCommands(): Command[] {
  return [
    withAddress(
      about('set', 'say where to send, and enable it; the first time it shows the secret, this once'),
      (core, guard, configuration, endpoint, given) => setWebhook(core, guard, configuration, given, endpoint),
    ),
    withAddress(
      ofConfiguration('add', 'add an endpoint beside the others; it shows its own secret, this once').requiredOption(
        '--endpoint <name>',
        'its name: small letters, digits and hyphens',
      ),
      addWebhook,
    ),
    ofConfiguration('list', 'list the endpoints and how they fare').action(
      async ({ configuration }: Pick<Of, 'configuration'>, command: Command) => {
        const webhooks = await on({ configuration, endpoint: MAIN_ENDPOINT }, webhooksOf)
        show(command, webhooks, () => webhooksText(webhooks))
      },
    ),
    ofConfiguration('remove', 'remove an endpoint with its secrets and its log; what waits is not sent')
      .requiredOption('--endpoint <name>', 'which')
      .action(async (of: Of, command: Command) => {
        await on(of, removeWebhook)
        show(command, { removed: of.endpoint }, () => `The endpoint ${of.endpoint} is removed.`)
      }),
  ]
}

const ofConfiguration = (name: string, description: string): Command =>
  new Command(name).description(description).requiredOption('--configuration <slug>', 'whose webhook')

type Put = (
  core: Core,
  guard: Guard,
  configuration: ConfigurationRow,
  endpoint: string,
  given: WebhookGiven,
) => Promise<{ secret: string | null }>

function withAddress(command: Command, put: Put): Command {
  return command
    .requiredOption('--url <https address>', 'the receiver')
    .option('--token-file <file>', 'send the token in this file as Authorization: Bearer …; - reads it from the input')
    .option('--no-token', 'send no token any more')
    .option('--events <types>', `comma separated: ${CHOOSABLE_EVENTS.join(', ')}`)
    .action(async (given: Of & Given, self: Command) => {
      const wanted = wantedOf(given)
      const made = await on(given, async (core, configuration, endpoint, settings) => {
        const { secret } = await put(core, new Guard(settings), configuration, endpoint, wanted)
        return { secret, webhook: await readWebhook(core, configuration, endpoint) }
      })
      const secret = made.secret ? `\n\n${secretText(made.secret)}` : ''
      show(self, { ...made.webhook, secret: made.secret }, () => `${webhookText(made.webhook)}${secret}`)
    })
}

function wantedOf({ url, events, ...given }: Given): WebhookGiven {
  const token = tokenOf(given)
  return {
    url,
    ...(token !== undefined && { token }),
    ...(events !== undefined && { events: events.split(',').map((type) => type.trim()) }),
  }
}

/** A token is never an argument: everyone on the machine can see arguments. */
function tokenOf({ tokenFile, token }: Pick<Given, 'tokenFile' | 'token'>): string | null | undefined {
  if (!token) return null
  if (tokenFile === undefined) return undefined
  try {
    return readFileSync(tokenFile === '-' ? 0 : tokenFile, 'utf8').trim()
  } catch {
    throw new Refusal(`The token file ${tokenFile} can't be read.`)
  }
}
