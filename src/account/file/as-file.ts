import type { TSchema } from 'typebox'
import type { Core } from '../../events/core.ts'
import { type AccountRow, listAccounts } from '../../store/accounts.ts'
import { type ConfigurationRow, listConfigurations } from '../../store/configurations.ts'
import { readCap, readHours } from '../hours.ts'
import { keysOf } from '../provision.ts'
import type { SchemaPart } from '../shape-faults.ts'
import { webhooksOf } from '../webhook-endpoints.ts'
import { type AccountPart, ClinicFile, type ConfigurationPart, DOCUMENT_FIELDS } from './clinic-file.ts'

/**
 * Accounts as a file has them: all that a file can set, no secrets, and ids only where a name is not enough. Everything
 * is in the order of its name, so that two exports differ only where the accounts do.
 */
export async function asFile(core: Core, accounts: readonly AccountRow[]): Promise<ClinicFile> {
  const all = await listAccounts(core.db)
  const parts: AccountPart[] = []
  for (const row of accounts.toSorted(by(({ name, id }) => `${name}\0${id}`))) {
    const { name, ...part } = await accountAsFile(core, row)
    const isShared = all.filter((other) => other.name === row.name).length > 1
    parts.push({ name, ...(isShared && { id: row.id }), ...part })
  }
  return { accounts: parts }
}

/** The same with fields in the order of the schema: the database keeps them in an order of its own. */
function inOrder<T>(schema: TSchema | undefined, value: T): T
function inOrder(schema: TSchema | undefined, value: unknown): unknown {
  const part: SchemaPart = schema ?? {}
  const choices = part.anyOf ?? [part]
  if (Array.isArray(value)) {
    const items = choices.find((choice) => choice.items)?.items
    return value.map((one) => inOrder(items, one))
  }
  const known = choices.find((choice) => choice.properties)?.properties
  if (typeof value !== 'object' || value === null || !known) return value
  const given = new Map(Object.entries(value))
  const names = Object.keys(known).filter((name) => given.has(name))
  return Object.fromEntries(names.map((name) => [name, inOrder(known[name], given.get(name))]))
}

export async function accountAsFile(core: Core, row: AccountRow): Promise<AccountPart> {
  const configurations: ConfigurationPart[] = []
  const rows = await listConfigurations(core.db, row.id)
  for (const configuration of rows.toSorted(by(({ slug }) => slug)))
    configurations.push(await configurationAsFile(core, configuration))
  return inOrder(ClinicFile.properties.accounts.items, {
    name: row.name,
    timeZone: row.time_zone,
    active: row.active,
    monitoredHours: readHours(row.monitored_hours),
    cap: readCap(row.cap),
    configurations,
  })
}

async function configurationAsFile(core: Core, row: ConfigurationRow): Promise<ConfigurationPart> {
  const document = new Map(Object.entries(Object(row.document)))
  const webhooks = (await webhooksOf(core, row)).sort(by(({ endpoint }) => endpoint))
  const keys = (await keysOf(core, row)).filter(({ live }) => live)
  const notes = new Map(keys.map(({ note, is_sandbox }) => [`${is_sandbox} ${note}`, { note, sandbox: is_sandbox }]))
  return {
    slug: row.slug,
    enabled: row.enabled,
    ...Object.fromEntries(
      DOCUMENT_FIELDS.filter((name) => document.has(name)).map((name) => [name, document.get(name)]),
    ),
    webhooks: webhooks.map(({ endpoint, url, events, enabled }) => ({ endpoint, url, events: [...events], enabled })),
    keys: [...notes.values()].sort(by(({ note, sandbox }) => `${note}\0${sandbox}`)),
  }
}

/** By code unit, which is the same on every machine. */
const by =
  <T>(nameOf: (one: T) => string) =>
  (a: T, b: T): number =>
    nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0
