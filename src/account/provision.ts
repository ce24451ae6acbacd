import { randomUUID } from 'node:crypto'
import { genesis } from '../events/chain.ts'
import { changesBetween } from '../events/changes.ts'
import type { Core } from '../events/core.ts'
import { startDeploymentChain } from '../events/deployment.ts'
import type { Effect } from '../events/record.ts'
import { fail, invalid, Problem } from '../problems.ts'
import { DEPLOYMENT, findAccount, INSERT_ACCOUNT, UPDATE_ACCOUNT } from '../store/accounts.ts'
import {
  type ConfigurationRow,
  findConfigurationBySlug,
  INSERT_CONFIGURATION,
  UPDATE_CONFIGURATION,
} from '../store/configurations.ts'
import { PreconditionFailed } from '../store/database/db.ts'
import { END_KEY, INSERT_KEY, type KeyRow, listKeys } from '../store/keys.ts'
import { hashOf } from '../store/seal.ts'
import { AccountKey } from '../store/sealing/account-key.ts'
import { type ConfigurationDocument, DEFAULT_DOCUMENT, readDocument, SLUG } from './configuration.ts'
import { hoursFaults, readCap } from './hours.ts'
import { hintOf, newApiKey } from './key.ts'

const LONGEST_NOTE = 200
const TIME_ZONES = new Set(Intl.supportedValuesOf('timeZone'))

export const isTimeZone = (text: string): boolean => text === 'UTC' || TIME_ZONES.has(text)

function checkTimeZone(timeZone: string): void {
  if (!isTimeZone(timeZone)) invalid('/timeZone', 'is not a time zone such as Europe/Helsinki')
}

/** A new account with a key of its own and the start of its audit chain. The deployment's chain records which accounts exist. */
export async function createAccount(core: Core, name: string, timeZone: string): Promise<{ id: string }> {
  if (!name.trim()) invalid('/name', 'must not be blank')
  checkTimeZone(timeZone)
  const id = randomUUID()
  const row = {
    id,
    name: name.trim(),
    time_zone: timeZone,
    sealed_key: core.keyring.wrapAccountKey(id, AccountKey.first()).toString('hex'),
    check_value: core.keyring.check.toString('hex'),
    genesis: genesis(core.keyring.derive('audit', id), id).toString('hex'),
  }
  const created = { actor: core.operator, action: 'account.created', subject: id }
  await startDeploymentChain(core)
  await core.recorder.record({
    ...created,
    accountId: DEPLOYMENT,
    detail: { name: row.name },
    effects: [{ statement: INSERT_ACCOUNT, row }],
  })
  await core.recorder.record({ ...created, accountId: id, detail: { timeZone } })
  return { id }
}

export type AccountChange = {
  name?: string
  timeZone?: string
  active?: boolean
  monitoredHours?: unknown
  cap?: unknown
}

/** Changes an account; null removes its hours or cap. */
export async function changeAccount(core: Core, id: string, change: AccountChange): Promise<void> {
  if (change.timeZone) checkTimeZone(change.timeZone)
  const { monitoredHours, cap } = change
  const faults = monitoredHours === undefined || monitoredHours === null ? [] : hoursFaults(monitoredHours)
  if (cap !== undefined && cap !== null && !readCap(cap))
    faults.push({ pointer: '/cap', message: 'must be {kind: daily or ongoing, most: a whole number from 1}' })
  if (faults.length > 0) throw new Problem('invalid-request', { errors: faults })
  const before = (await findAccount(core.db, id)) ?? fail('not-found', { detail: `There is no account ${id}.` })
  const row = {
    id,
    name: change.name,
    time_zone: change.timeZone,
    active: change.active,
    monitored_hours: monitoredHours,
    no_hours: monitoredHours === null,
    cap,
    no_cap: cap === null,
  }
  await core.recorder.record({
    accountId: id,
    actor: core.operator,
    action: 'account.changed',
    subject: id,
    detail: {
      changes: changesBetween(
        { ...before, timeZone: before.time_zone, monitoredHours: before.monitored_hours },
        change,
      ),
    },
    effects: [{ statement: UPDATE_ACCOUNT, row }],
  })
}

/** The release that a configuration's sessions begin with is not a settable field: activating a release checks and records it. */
type Settable = Omit<ConfigurationDocument, 'contentVersion'>

function refuseContentVersion(given: object): void {
  if ('contentVersion' in given) invalid('/contentVersion', 'is set by activating a release: fyr content activate')
}

/** Publishes a configuration under its address. */
export async function createConfiguration(
  core: Core,
  accountId: string,
  slug: string,
  given: Partial<Settable> & Pick<Settable, 'name' | 'type' | 'emergencyNumber'>,
): Promise<{ id: string; slug: string }> {
  if (!SLUG.test(slug)) invalid('/slug', 'must be 1 to 60 small letters, digits and hyphens')
  refuseContentVersion(given)
  const document = checked({ ...DEFAULT_DOCUMENT, ...given })
  const id = randomUUID()
  try {
    await core.recorder.record({
      accountId,
      actor: core.operator,
      action: 'configuration.created',
      subject: id,
      detail: { slug, document },
      effects: [{ statement: INSERT_CONFIGURATION, row: { id, slug, document } }],
    })
  } catch (error) {
    if (error instanceof PreconditionFailed) invalid('/slug', 'is taken')
    throw error
  }
  return { id, slug }
}

export async function changeConfiguration(
  core: Core,
  configuration: ConfigurationRow,
  change: { document?: Partial<Settable>; enabled?: boolean },
): Promise<void> {
  if (change.document) refuseContentVersion(change.document)
  const before = typeof configuration.document === 'object' ? configuration.document : {}
  const document = change.document && checked({ ...before, ...change.document })
  const changes = changesBetween(
    { ...before, enabled: configuration.enabled },
    { ...change.document, enabled: change.enabled },
  )
  await core.recorder.record({
    accountId: configuration.account_id,
    actor: core.operator,
    action: 'configuration.changed',
    subject: configuration.id,
    detail: { slug: configuration.slug, changes },
    effects: [{ statement: UPDATE_CONFIGURATION, row: { id: configuration.id, document, enabled: change.enabled } }],
  })
}

function checked(value: unknown): ConfigurationDocument {
  const read = readDocument(value)
  if ('faults' in read) throw new Problem('invalid-request', { errors: read.faults })
  return read.document
}

export async function configurationOf(core: Core, slug: string): Promise<ConfigurationRow> {
  return (
    (await findConfigurationBySlug(core.db, slug)) ??
    fail('configuration-not-found', { detail: `There is no configuration ${slug}.` })
  )
}

type KeyWishes = { note?: string; expiresInSeconds?: number | null; isSandbox?: boolean }

/** Issues a key of a configuration. The key is in the return value and nowhere else. */
export async function issueKey(
  core: Core,
  configuration: ConfigurationRow,
  wishes: KeyWishes = {},
): Promise<{ key: string; id: string }> {
  const { key, id, effect } = freshKey(configuration, wishes)
  await core.recorder.record({
    accountId: configuration.account_id,
    actor: core.operator,
    action: 'key.issued',
    subject: id,
    detail: {
      configuration: configuration.slug,
      note: wishes.note ?? '',
      expiresInSeconds: wishes.expiresInSeconds ?? null,
      ...(wishes.isSandbox && { sandbox: true }),
    },
    effects: [effect],
  })
  return { key, id }
}

/** Keys expire by the database's clock, so only the lifetime is stored here. */
function freshKey(
  configuration: ConfigurationRow,
  { note = '', expiresInSeconds = null, isSandbox = false }: KeyWishes,
) {
  if (note.length > LONGEST_NOTE) invalid('/note', `may have ${LONGEST_NOTE} characters`)
  const key = newApiKey()
  const id = randomUUID()
  const row = {
    id,
    configuration_id: configuration.id,
    hash: hashOf(key).toString('hex'),
    hint: hintOf(key),
    note,
    is_sandbox: isSandbox,
    expires_in_seconds: expiresInSeconds,
  }
  const effect: Effect = { statement: INSERT_KEY, row }
  return { key, id, effect }
}

export async function keysOf(core: Core, configuration: ConfigurationRow): Promise<KeyRow[]> {
  return (await listKeys(core.db, configuration.account_id)).filter((key) => key.configuration_id === configuration.id)
}

/** A new key beside the old one, which works until the overlap ends. Both changes happen or neither. */
export async function rotateKey(
  core: Core,
  configuration: ConfigurationRow,
  oldId: string,
  overlapSeconds: number,
): Promise<{ key: string; id: string; oldUntil: Date }> {
  const { note, live, is_sandbox: isSandbox, expires_at: until } = await existing(core, configuration, oldId)
  if (!live) fail('not-found', { detail: `The key ${oldId} works no more; issue a new one.` })
  const { key, id, effect } = freshKey(configuration, { note, isSandbox })
  await core.recorder.record({
    accountId: configuration.account_id,
    actor: core.operator,
    action: 'key.rotated',
    subject: oldId,
    detail: {
      overlapSeconds,
      replacedBy: id,
      changes: { works: { from: until?.toISOString() ?? 'always', to: `for ${overlapSeconds} seconds` } },
    },
    effects: [effect, { statement: END_KEY, row: { id: oldId, expires_in_seconds: overlapSeconds } }],
  })
  const { expires_at: oldUntil } = await existing(core, configuration, oldId)
  if (!oldUntil) throw new Error('A rotated key was stored without its end.')
  return { key, id, oldUntil }
}

export async function revokeKey(core: Core, configuration: ConfigurationRow, id: string): Promise<void> {
  const { live, note } = await existing(core, configuration, id)
  await core.recorder.record({
    accountId: configuration.account_id,
    actor: core.operator,
    action: 'key.revoked',
    subject: id,
    detail: { configuration: configuration.slug, note, changes: changesBetween({ works: live }, { works: false }) },
    effects: [{ statement: END_KEY, row: { id, revoke: true } }],
  })
}

async function existing(core: Core, configuration: ConfigurationRow, id: string): Promise<KeyRow> {
  const known = (await keysOf(core, configuration)).find((key) => key.id === id)
  return known ?? fail('not-found', { detail: `Configuration ${configuration.slug} has no key ${id}.` })
}
