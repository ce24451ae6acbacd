import { Command } from 'commander'
import {
  CONFIGURATION_TYPES,
  ConfigurationDocument,
  DEFAULT_DOCUMENT,
  type ConfigurationDocument as Document,
  fitsField,
  readDocument,
} from '../account/configuration.ts'
import { COUNTRIES, NUMBERS, type Numbers } from '../account/numbers.ts'
import { changeConfiguration, configurationOf, createConfiguration } from '../account/provision.ts'
import { type ConfigurationRow, listConfigurations } from '../store/configurations.ts'
import { jsonFile } from './json-file.ts'
import { fields, momentText, Refusal, show, table, yesNo } from './print.ts'
import { accountOf, onStore } from './store.ts'

type Given = { set: string[]; from?: string }
type CreateOptions = Given & { slug: string; account?: string; name?: string; type: string; country?: string }

const FIELD_HELP = `
Fields for --set, with what they are when nothing is said:
${Object.entries({ emergencyNumber: 'must be said', ...DEFAULT_DOCUMENT })
  .filter(([name]) => name !== 'contentVersion')
  .map(([name, value]) => `  ${name.padEnd(22)}${JSON.stringify(value)}`)
  .join('\n')}

Which content release its sessions begin with: fyr content activate <version> --configuration <slug>.`

/** `fyr configuration …`: what accounts publish for their patients. */
export function configurationCommand(): Command {
  const configuration = new Command('configuration').description('what accounts publish for their patients')

  settable(configuration.command('create'))
    .description('publish a configuration under an address of its own')
    .requiredOption('--slug <slug>', 'its address: /t/<slug>')
    .option('--account <account>', 'id or name; not needed when there is only one')
    .option('--name <name>', 'what patients see; the account’s name when not given')
    .option('--type <type>', `${CONFIGURATION_TYPES.join(' or ')}: anyone with the address, or invited only`, 'OPEN')
    .option('--country <country>', `${COUNTRIES.join(', ')}: takes the numbers people call there`)
    .action(async ({ slug, account, name, type, country, ...given }: CreateOptions, command: Command) => {
      const fields = { type: typeOf(type), ...withNumbers(country, changesOf(given)) }
      const row = await onStore(async (core) => {
        const owner = await accountOf(core, account)
        await createConfiguration(core, owner.id, slug, { name: name ?? owner.name, ...fields })
        return configurationOf(core, slug)
      })
      show(
        command,
        asJson(row),
        () =>
          `${described(row)}\n\nCheck that every number is right where your patients are.\nIssue a key: fyr key issue --configuration ${slug}`,
      )
    })

  configuration
    .command('list')
    .description('list the configurations of an account')
    .option('--account <account>', 'id or name; not needed when there is only one')
    .action(async ({ account }: { account?: string }, command: Command) => {
      const rows = await onStore(async (core) => listConfigurations(core.db, (await accountOf(core, account)).id))
      show(command, rows.map(asJson), () =>
        table(
          rows,
          [
            ['slug', ({ slug }) => slug],
            ['name', (row) => documentOf(row)?.name ?? '–'],
            ['type', (row) => documentOf(row)?.type ?? '–'],
            ['languages', (row) => documentOf(row)?.languages.join(' ') ?? '–'],
            ['works', works],
            ['created', (row) => momentText(row.created_at)],
          ],
          'There is no configuration yet. Make one: fyr configuration create --slug my-clinic --country FI',
        ),
      )
    })

  configuration
    .command('show')
    .description('show one configuration')
    .argument('<slug>')
    .action(async (slug: string, _options: unknown, command: Command) => {
      const row = await onStore((core) => configurationOf(core, slug))
      show(command, asJson(row), () => described(row))
    })

  settable(configuration.command('change'))
    .description('change fields of a configuration')
    .argument('<slug>')
    .action((slug: string, given: Given, command: Command) => {
      const document = changesOf(given)
      if (Object.keys(document).length === 0) throw new Refusal('Nothing to change: give --set field=value or --from.')
      return change(slug, { document }, command)
    })

  for (const [word, enabled, effect] of [
    ['enable', true, 'let keys and users of a configuration work again'],
    ['disable', false, 'stop a configuration: its keys answer 404, its users are told'],
  ] as const) {
    configuration
      .command(word)
      .description(effect)
      .argument('<slug>')
      .action((slug: string, _options: unknown, command: Command) => change(slug, { enabled }, command))
  }
  return configuration
}

async function change(
  slug: string,
  wanted: { document?: Partial<Document>; enabled?: boolean },
  command: Command,
): Promise<void> {
  const row = await onStore(async (core) => {
    await changeConfiguration(core, await configurationOf(core, slug), wanted)
    return configurationOf(core, slug)
  })
  show(command, asJson(row), () => described(row))
}

function settable(command: Command): Command {
  return command
    .option('--set <field=value>', 'a field and its value, as JSON or plain text; repeatable', collected, [])
    .option('--from <file>', 'take the fields from a JSON file')
    .addHelpText('after', FIELD_HELP)
}

const collected = (text: string, before: string[]): string[] => [...before, text]

function typeOf(text: string): Document['type'] {
  return (
    CONFIGURATION_TYPES.find((type) => type === text) ?? refuse(`--type must be ${CONFIGURATION_TYPES.join(' or ')}.`)
  )
}

/** Numbers to call are never assumed: each is given (null: there is none), or comes from the country. */
function withNumbers(country: string | undefined, changes: Partial<Document>): Partial<Document> & Numbers {
  const known = COUNTRIES.find((one) => one === country?.toUpperCase())
  if (country !== undefined && !known) refuse(`--country must be one of ${COUNTRIES.join(', ')}.`)
  const fields: Partial<Document> = { ...(known && NUMBERS[known]), ...changes }
  const { emergencyNumber, adviceNumber, crisisLine, poisonLine } = fields
  if (
    emergencyNumber === undefined ||
    adviceNumber === undefined ||
    crisisLine === undefined ||
    poisonLine === undefined
  )
    return refuse(
      `Say whom people call: --country (${COUNTRIES.join(', ')}), or --set emergencyNumber=…, adviceNumber, crisisLine and poisonLine (null where there is none).`,
    )
  return { ...fields, emergencyNumber, adviceNumber, crisisLine, poisonLine }
}

/** The fields to change, from a file and from options; validated where they are stored. */
function changesOf({ set, from }: Given): Partial<Document> {
  const changes: Record<string, unknown> = from === undefined ? {} : { ...Object(jsonFile(from)) }
  for (const pair of set) {
    const at = pair.indexOf('=')
    if (at < 1) refuse(`--set ${pair}: write it as field=value.`)
    changes[pair.slice(0, at)] = fieldValue(pair.slice(0, at), pair.slice(at + 1))
  }
  const unknown = Object.keys(changes).find((name) => !Object.hasOwn(ConfigurationDocument.properties, name))
  if (unknown !== undefined) {
    refuse(`There is no field ${unknown}. Fields: ${Object.keys(ConfigurationDocument.properties).join(', ')}.`)
  }
  return changes
}

/** JSON or plain text. A number becomes text where the field takes only text: 113 is whom to call, not how many. */
function fieldValue(name: string, text: string): unknown {
  const value = parsed(text)
  return typeof value === 'number' && !fitsField(name, value) && fitsField(name, text) ? text : value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function refuse(message: string): never {
  throw new Refusal(message)
}

function documentOf(row: ConfigurationRow): Document | null {
  const read = readDocument(row.document)
  return 'document' in read ? read.document : null
}

const works = (row: ConfigurationRow): string => (documentOf(row) ? yesNo(row.enabled) : 'no: faulty')

function asJson(row: ConfigurationRow) {
  const { id, slug, enabled, document } = row
  return {
    id,
    accountId: row.account_id,
    slug,
    enabled,
    isValid: documentOf(row) !== null,
    document,
    createdAt: row.created_at,
  }
}

const plain = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '–' : JSON.stringify(value)

function described(row: ConfigurationRow): string {
  const document = new Map(typeof row.document === 'object' && row.document ? Object.entries(row.document) : [])
  const named = Object.keys(ConfigurationDocument.properties).filter((name) => document.has(name))
  const read = readDocument(row.document)
  return fields([
    ['slug', row.slug],
    ['id', row.id],
    ['account', row.account_id],
    ['works', works(row)],
    ['created', momentText(row.created_at)],
    ...named.map((name) => [name, plain(document.get(name))] as const),
    ...('faults' in read ? read.faults.map(({ pointer, message }) => ['fault', `${pointer} ${message}`] as const) : []),
  ])
}
