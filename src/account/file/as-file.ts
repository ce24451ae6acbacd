import type { Core } from '../../events/core.ts'
import { type AccountRow, listAccounts } from '../../store/accounts.ts'
import { type ConfigurationRow, listConfigurations } from '../../store/configurations.ts'
import { readCap, readHours } from '../hours.ts'
import { keysOf } from '../provision.ts'
import { webhooksOf } from '../webhook-endpoints.ts'
import { type AccountPart, type ClinicFile, type ConfigurationPart, DOCUMENT_FIELDS } from './clinic-file.ts'

/** Accounts as a file has them: all that a file can set, no secrets, and ids only where a name is not enough. */
export async function asFile(core: Core, accounts: readonly AccountRow[]): Promise<ClinicFile> {
  const all = await listAccounts(core.db)
  const parts: AccountPart[] = []
  for (const row of accounts) {
    const { name, ...part } = await accountAsFile(core, row)
    const isShared = all.filter((other) => other.name === row.name).length > 1
    parts.push({ name, ...(isShared && { id: row.id }), ...part })
  }
  return { accounts: parts }
}

export async function accountAsFile(core: Core, row: AccountRow): Promise<AccountPart> {
  const configurations: ConfigurationPart[] = []
  for (const configuration of await listConfigurations(core.db, row.id))
    configurations.push(await configurationAsFile(core, configuration))
  return {
    name: row.name,
    timeZone: row.time_zone,
    active: row.active,
    monitoredHours: readHours(row.monitored_hours),
    cap: readCap(row.cap),
    configurations,
  }
}

async function configurationAsFile(core: Core, row: ConfigurationRow): Promise<ConfigurationPart> {
  const document = new Map(Object.entries(Object(row.document)))
  const webhooks = await webhooksOf(core, row)
  const keys = (await keysOf(core, row)).filter(({ live }) => live)
  const notes = new Map(keys.map(({ note, is_sandbox }) => [`${is_sandbox} ${note}`, { note, sandbox: is_sandbox }]))
  return {
    slug: row.slug,
    enabled: row.enabled,
    ...Object.fromEntries(
      DOCUMENT_FIELDS.filter((name) => document.has(name)).map((name) => [name, document.get(name)]),
    ),
    webhooks: webhooks.map(({ endpoint, url, events, enabled }) => ({ endpoint, url, events: [...events], enabled })),
    keys: [...notes.values()],
  }
}
