import { isDeepStrictEqual } from 'node:util'
import type { Core } from '../../events/core.ts'
import { type AccountRow, listAccounts } from '../../store/accounts.ts'
import { findConfigurationBySlug } from '../../store/configurations.ts'
import type { AccountChange } from '../provision.ts'
import type { PlacedFault, Pointer } from '../shape-faults.ts'
import { accountAsFile } from './as-file.ts'
import type { AccountPart, ClinicFile, ConfigurationPart, KeyPart, WebhookPart } from './clinic-file.ts'
import { accountFaults, configurationFaults, givenFields, numberFaults, repeated } from './sense.ts'

/** A field that becomes another; undefined: it was not there. */
export type Difference = { field: string; before: unknown; after: unknown }

export type WebhookPlan = {
  at: Pointer
  endpoint: string
  isNew: boolean
  /** What is to be stored anew; null when only its switch changes. */
  put: Pick<WebhookPart, 'url' | 'events'> | null
  /** How its switch stands in the end. */
  enabled: boolean
  differences: readonly Difference[]
}

export type ConfigurationPlan = {
  slug: string
  isNew: boolean
  fields: Partial<ConfigurationPart>
  enabled: boolean | null
  differences: readonly Difference[]
  webhooks: readonly WebhookPlan[]
  keys: readonly KeyPart[]
}

export type AccountPlan = {
  id: string | null
  name: string
  timeZone: string
  change: AccountChange
  differences: readonly Difference[]
  configurations: readonly ConfigurationPlan[]
}

/** What a file would change, without what stays; and what is there but not in the file, which stays too. */
export type Plan = { accounts: readonly AccountPlan[]; unmentioned: readonly string[] }

type Tell = (fault: PlacedFault) => void

/** Compares a file with what is there. A plan of which faults were told is not carried out. */
export async function planOf(core: Core, { accounts }: ClinicFile, tell: Tell): Promise<Plan> {
  const rows = await listAccounts(core.db)
  const unmentioned: string[] = []
  const plans: AccountPlan[] = []
  const seen = new Set<AccountRow>()
  for (const fault of repeated(accounts)) tell(fault)
  for (const [index, part] of accounts.entries()) {
    const at = ['accounts', index]
    const row = rowOf(rows, part, at, tell)
    if (row === undefined) continue
    if (row && seen.has(row)) tell({ at, message: 'is an account that stands in the file before, by its id or name' })
    if (row) seen.add(row)
    const plan = await accountPlan(core, row, part, at, tell, unmentioned)
    if (plan.id === null || plan.differences.length > 0 || plan.configurations.length > 0) plans.push(plan)
  }
  const others = rows.filter((row) => !seen.has(row)).map(({ name }) => `account ${name}`)
  return { accounts: plans, unmentioned: [...others, ...unmentioned] }
}

/** The account that is meant; null: a new one; undefined: it cannot be told. */
function rowOf(rows: readonly AccountRow[], part: AccountPart, at: Pointer, tell: Tell): AccountRow | null | undefined {
  const found = rows.filter(({ id, name }) => (part.id === undefined ? name === part.name.trim() : id === part.id))
  if (found.length > 1) tell({ at: [...at, 'name'], message: 'is the name of several accounts; give the id of one' })
  if (found.length > 1) return undefined
  if (!found[0] && part.id !== undefined)
    tell({ at: [...at, 'id'], message: 'is no account here; leave it out to make one' })
  return found[0] ?? (part.id === undefined ? null : undefined)
}

const NEW_ACCOUNT = { active: true, monitoredHours: null, cap: null } as const

async function accountPlan(
  core: Core,
  row: AccountRow | null,
  part: AccountPart,
  at: Pointer,
  tell: Tell,
  unmentioned: string[],
): Promise<AccountPlan> {
  for (const fault of accountFaults(part, row === null, at)) tell(fault)
  const current: Partial<AccountPart> = row ? await accountAsFile(core, row) : NEW_ACCOUNT
  const { id: _, configurations: wanted = [], ...given } = part
  const name = part.name.trim()
  const differences = differencesOf(current, { ...given, name })
  const changed = Object.fromEntries(differences.map(({ field, after }) => [field, after]))
  const { name: newName, timeZone: newZone, ...rest } = changed
  const configurations: ConfigurationPlan[] = []
  for (const [index, configuration] of wanted.entries()) {
    const place = [...at, 'configurations', index]
    const before = current.configurations?.find(({ slug }) => slug === configuration.slug) ?? null
    const plan = await configurationPlan(core, before, configuration, name, place, tell)
    if (plan) configurations.push(plan)
    if (before) unmentioned.push(...leftOut(before, configuration))
  }
  const slugs = wanted.map(({ slug }) => slug)
  for (const { slug } of current.configurations ?? [])
    if (!slugs.includes(slug)) unmentioned.push(`configuration ${slug} of ${name}`)
  return {
    id: row?.id ?? null,
    name,
    timeZone: part.timeZone ?? row?.time_zone ?? '',
    change: row ? changed : rest,
    differences,
    configurations,
  }
}

function leftOut(before: ConfigurationPart, { slug, webhooks = [], keys }: ConfigurationPart): string[] {
  const endpoints = webhooks.map(({ endpoint }) => endpoint)
  const others = (before.webhooks ?? []).filter(({ endpoint }) => !endpoints.includes(endpoint))
  const unknown = keys ? (before.keys ?? []).filter((key) => !keys.some((one) => isSameKey(one, key))) : []
  return [
    ...others.map(({ endpoint }) => `webhook ${endpoint} of ${slug}`),
    ...unknown.map(({ note }) => `key ${JSON.stringify(note)} of ${slug}`),
  ]
}

const isSameKey = (one: KeyPart, other: KeyPart): boolean =>
  one.note === other.note && (one.sandbox ?? false) === (other.sandbox ?? false)

/** Null: nothing of it changes. */
async function configurationPlan(
  core: Core,
  before: ConfigurationPart | null,
  part: ConfigurationPart,
  accountName: string,
  at: Pointer,
  tell: Tell,
): Promise<ConfigurationPlan | null> {
  const given = givenFields(part)
  const fields = before ? given : { name: accountName, type: 'OPEN' as const, ...given }
  for (const fault of before ? [] : numberFaults(given, at)) tell(fault)
  if (!before && (await findConfigurationBySlug(core.db, part.slug)))
    tell({ at: [...at, 'slug'], message: 'is a configuration of another account' })
  for (const fault of configurationFaults(before, fields, at)) tell(fault)
  const differences = differencesOf(before ?? {}, fields)
  const switched = differencesOf({ enabled: before?.enabled ?? true }, { enabled: part.enabled })
  const webhooks = (part.webhooks ?? []).flatMap((webhook, index) =>
    webhookPlan(before?.webhooks ?? [], webhook, [...at, 'webhooks', index]),
  )
  const keys = (part.keys ?? []).filter((key) => !before?.keys?.some((one) => isSameKey(one, key)))
  const isChanged = !before || [differences, switched, webhooks, keys].some((list) => list.length > 0)
  if (!isChanged) return null
  const changed = Object.fromEntries(differences.map(({ field, after }) => [field, after]))
  const enabled = switched.length > 0 ? (part.enabled ?? null) : null
  return {
    slug: part.slug,
    isNew: !before,
    fields: changed,
    enabled,
    differences: [...differences, ...switched],
    webhooks,
    keys,
  }
}

function webhookPlan(present: readonly WebhookPart[], part: WebhookPart, at: Pointer): WebhookPlan[] {
  const before = present.find(({ endpoint }) => endpoint === part.endpoint)
  const url = URL.canParse(part.url) ? new URL(part.url).href : part.url
  const events = part.events && [...part.events].sort()
  const put = differencesOf({ url: before?.url, events: before?.events && [...before.events].sort() }, { url, events })
  const enabled = part.enabled ?? before?.enabled ?? true
  const switched = differencesOf({ enabled: before?.enabled ?? true }, { enabled })
  const differences = [...put, ...switched]
  if (before && differences.length === 0) return []
  const stored = put.length > 0 ? { url, ...(part.events && { events: part.events }) } : null
  return [{ at, endpoint: part.endpoint, isNew: !before, put: stored, enabled, differences }]
}

/** The fields that are given and are otherwise now. */
function differencesOf(before: Record<string, unknown>, given: Record<string, unknown>): Difference[] {
  return Object.entries(given)
    .filter(([, after]) => after !== undefined)
    .filter(([field, after]) => !isDeepStrictEqual(before[field], after))
    .map(([field, after]) => ({ field, before: before[field], after }))
}
