import type { Core } from '../../events/core.ts'
import { AddressRefused, type Guard } from '../../events/delivery/guard.ts'
import { together } from '../../events/together.ts'
import { DEPLOYMENT } from '../../store/accounts.ts'
import { findWebhook } from '../../store/webhooks/endpoints.ts'
import {
  changeAccount,
  changeConfiguration,
  configurationOf,
  createAccount,
  createConfiguration,
  issueKey,
} from '../provision.ts'
import type { PlacedFault } from '../shape-faults.ts'
import { disableWebhook, enableWebhook, placeOf, putWebhook } from '../webhook.ts'
import { followsFrom } from './fitting.ts'
import { type ConfigurationPlan, type Plan, planOf, type WebhookPlan } from './plan.ts'
import { FileFaults, type ReadFile } from './read-file.ts'

/** A secret that came into being; it is nowhere else. */
export type Made =
  | { kind: 'webhook-secret'; configuration: string; endpoint: string; secret: string }
  | { kind: 'key'; configuration: string; note: string; key: string }

/** A plan whose every part makes sense, with the addresses of webhooks looked up. */
export type CheckedPlan = Plan & { addresses: ReadonlyMap<WebhookPlan, URL> }

/** Compares a file with what is there, or throws FileFaults: all of them, of its form and of its sense. Nothing changes. */
export async function planFile(
  core: Core,
  guard: Guard,
  { file, faults: ofForm, faultAt }: ReadFile,
): Promise<CheckedPlan> {
  const faults = [...ofForm]
  const tell = (fault: PlacedFault) => {
    if (!followsFrom(ofForm, fault)) faults.push(fault)
  }
  const plan = await planOf(core, file, tell)
  const addresses = new Map<WebhookPlan, URL>()
  for (const webhook of webhooksIn(plan)) {
    if (!webhook.put) continue
    try {
      addresses.set(webhook, await guard.check(webhook.put.url))
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error
      tell({ at: [...webhook.at, 'url'], message: error.message })
    }
  }
  if (faults.length > 0) throw new FileFaults(faults.map(faultAt))
  return { ...plan, addresses }
}

const webhooksIn = ({ accounts }: Plan): WebhookPlan[] =>
  accounts.flatMap(({ configurations }) => configurations.flatMap(({ webhooks }) => webhooks))

/** Somebody has changed what a plan was made from. Nothing was done. */
export class ChangedMeanwhile extends Error {}

function changed(): never {
  throw new ChangedMeanwhile('Something of it was changed in the meantime.')
}

export const isEmpty = ({ accounts }: Plan): boolean => accounts.length === 0

/**
 * Does what was planned, all of it or nothing, each change with its audit entry. If something of it has changed since
 * it was planned, it is refused: what was shown would not be what happens.
 */
export function applyPlan(core: Core, { file }: ReadFile, plan: CheckedPlan): Promise<Made[]> {
  const ids = plan.accounts.map(({ id }) => id ?? DEPLOYMENT)
  const names = new Set(plan.accounts.map(({ name }) => name))
  return together(core, [...new Set(ids)], async (inside) => {
    const touched = { accounts: file.accounts.filter(({ name }) => names.has(name.trim())) }
    const now = await planOf(inside, touched, changed)
    if (withoutPlaces(now) !== withoutPlaces(plan)) changed()
    const made: Made[] = []
    for (const { id, name, timeZone, change, configurations } of plan.accounts) {
      const accountId = id ?? (await createAccount(inside, name, timeZone)).id
      if (Object.keys(change).length > 0) await changeAccount(inside, accountId, change)
      for (const configuration of configurations)
        made.push(...(await applyConfiguration(inside, accountId, configuration, plan.addresses)))
    }
    return made
  })
}

/** A file's part may have moved to another place among those that change. */
const withoutPlaces = ({ accounts }: Plan): string =>
  JSON.stringify(accounts, (name, value) => (name === 'at' ? null : value))

async function applyConfiguration(
  core: Core,
  accountId: string,
  { slug, isNew, fields, enabled, webhooks, keys }: ConfigurationPlan,
  addresses: CheckedPlan['addresses'],
): Promise<Made[]> {
  const { name, type, emergencyNumber, ...rest } = fields
  if (isNew && name !== undefined && type !== undefined && emergencyNumber !== undefined)
    await createConfiguration(core, accountId, slug, { ...rest, name, type, emergencyNumber })
  const row = await configurationOf(core, slug)
  const document = isNew ? {} : fields
  if (enabled !== null || Object.keys(document).length > 0)
    await changeConfiguration(core, row, {
      ...(Object.keys(document).length > 0 && { document }),
      ...(enabled !== null && { enabled }),
    })
  const made: Made[] = []
  for (const webhook of webhooks) {
    const { endpoint, put } = webhook
    const before = await findWebhook(core.db, placeOf(row, endpoint))
    const address = addresses.get(webhook)
    if (put && address) {
      const { secret } = await putWebhook(core, row, endpoint, { ...put, address }, before)
      if (secret) made.push({ kind: 'webhook-secret', configuration: slug, endpoint, secret })
    }
    await (webhook.enabled ? enableWebhook : disableWebhook)(core, row, endpoint)
  }
  for (const { note, sandbox = false } of keys) {
    const { key } = await issueKey(core, row, { note, isSandbox: sandbox })
    made.push({ kind: 'key', configuration: slug, note, key })
  }
  return made
}
