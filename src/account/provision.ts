import { randomUUID } from 'node:crypto'
import type { Core } from '../events/core.ts'
import { genesis } from '../events/record.ts'
import { fail, invalid, Problem } from '../problems.ts'
import { insertAccount, UPDATE_ACCOUNT } from '../store/accounts.ts'
import { startChain } from '../store/audit.ts'
import {
  type ConfigurationRow,
  findConfigurationBySlug,
  INSERT_CONFIGURATION,
  UPDATE_CONFIGURATION,
} from '../store/configurations.ts'
import { NotAsExpected } from '../store/db.ts'
import { END_KEY, INSERT_KEY, type KeyRow, listKeys } from '../store/keys.ts'
import { hashOf, newKey } from '../store/seal.ts'
import { type ConfigurationDocument, DEFAULT_DOCUMENT, readDocument, SLUG } from './configuration.ts'
import { hintOf, newApiKey } from './key.ts'

const OPERATOR = 'operator'
const TIME_ZONES = new Set(Intl.supportedValuesOf('timeZone'))

function checkTimeZone(timeZone: string): void {
  if (timeZone !== 'UTC' && !TIME_ZONES.has(timeZone))
    invalid('/timeZone', 'is not a time zone such as Europe/Helsinki')
}

/** A new customer organisation with a key of its own and the start of its audit chain. */
export async function createAccount(core: Core, name: string, timeZone: string): Promise<{ id: string }> {
  if (!name.trim()) invalid('/name', 'must not be blank')
  checkTimeZone(timeZone)
  const id = randomUUID()
  await core.db.transaction(async (tx) => {
    await insertAccount(tx, id, name.trim(), timeZone, core.keyring.wrapAccountKey(id, newKey()))
    await startChain(tx, id, genesis(core.keyring.derive('audit', id), id))
  })
  await core.recorder.record({
    accountId: id,
    actor: OPERATOR,
    action: 'account.created',
    subject: id,
    detail: { timeZone },
  })
  return { id }
}

export async function changeAccount(
  core: Core,
  id: string,
  change: { name?: string; timeZone?: string; active?: boolean },
): Promise<void> {
  if (change.timeZone) checkTimeZone(change.timeZone)
  const row = { id, name: change.name, time_zone: change.timeZone, active: change.active }
  await core.recorder.record({
    accountId: id,
    actor: OPERATOR,
    action: 'account.changed',
    subject: id,
    detail: { timeZone: change.timeZone ?? null, active: change.active ?? null },
    effects: [{ statement: UPDATE_ACCOUNT, row }],
  })
}

/** Publishes a configuration under its address. */
export async function createConfiguration(
  core: Core,
  accountId: string,
  slug: string,
  given: Partial<ConfigurationDocument> & Pick<ConfigurationDocument, 'name' | 'type'>,
): Promise<{ id: string; slug: string }> {
  if (!SLUG.test(slug)) invalid('/slug', 'must be 1 to 60 small letters, digits and hyphens')
  const document = checked({ ...DEFAULT_DOCUMENT, ...given })
  const id = randomUUID()
  try {
    await core.recorder.record({
      accountId,
      actor: OPERATOR,
      action: 'configuration.created',
      subject: id,
      detail: { slug, type: document.type },
      effects: [{ statement: INSERT_CONFIGURATION, row: { id, slug, document } }],
    })
  } catch (error) {
    if (error instanceof NotAsExpected) invalid('/slug', 'is taken')
    throw error
  }
  return { id, slug }
}

export async function changeConfiguration(
  core: Core,
  configuration: ConfigurationRow,
  change: { document?: Partial<ConfigurationDocument>; enabled?: boolean },
): Promise<void> {
  const before = typeof configuration.document === 'object' ? configuration.document : {}
  const document = change.document && checked({ ...before, ...change.document })
  await core.recorder.record({
    accountId: configuration.account_id,
    actor: OPERATOR,
    action: 'configuration.changed',
    subject: configuration.id,
    detail: { changed: Object.keys(change.document ?? {}), enabled: change.enabled ?? null },
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

/** Issues a key of a configuration. The key is in the answer and nowhere else. */
export async function issueKey(
  core: Core,
  configuration: ConfigurationRow,
  { note = '', expiresAt = null }: { note?: string; expiresAt?: Date | null } = {},
): Promise<{ key: string; id: string }> {
  const key = newApiKey()
  const id = randomUUID()
  await core.recorder.record({
    accountId: configuration.account_id,
    actor: OPERATOR,
    action: 'key.issued',
    subject: id,
    detail: { configuration: configuration.slug, expiresAt: expiresAt?.toISOString() ?? null },
    effects: [
      {
        statement: INSERT_KEY,
        row: {
          id,
          configuration_id: configuration.id,
          hash: hashOf(key).toString('hex'),
          hint: hintOf(key),
          note,
          expires_at: expiresAt,
        },
      },
    ],
  })
  return { key, id }
}

export async function keysOf(core: Core, configuration: ConfigurationRow): Promise<KeyRow[]> {
  return (await listKeys(core.db, configuration.account_id)).filter((key) => key.configuration_id === configuration.id)
}

/** A new key beside the old one, which works until the given moment. */
export async function rotateKey(
  core: Core,
  configuration: ConfigurationRow,
  oldId: string,
  until: Date,
): Promise<{ key: string; id: string }> {
  await existing(core, configuration, oldId)
  const fresh = await issueKey(core, configuration)
  await endKey(
    core,
    configuration,
    oldId,
    'key.rotated',
    { id: oldId, expires_at: until },
    { until: until.toISOString(), replacedBy: fresh.id },
  )
  return fresh
}

export async function revokeKey(core: Core, configuration: ConfigurationRow, id: string): Promise<void> {
  await existing(core, configuration, id)
  await endKey(core, configuration, id, 'key.revoked', { id, revoke: true }, {})
}

async function existing(core: Core, configuration: ConfigurationRow, id: string): Promise<void> {
  const known = await keysOf(core, configuration)
  if (!known.some((key) => key.id === id))
    fail('not-found', { detail: `Configuration ${configuration.slug} has no key ${id}.` })
}

async function endKey(
  core: Core,
  configuration: ConfigurationRow,
  id: string,
  action: string,
  row: Record<string, unknown>,
  detail: Record<string, unknown>,
): Promise<void> {
  const effects = [{ statement: END_KEY, row }]
  await core.recorder.record({
    accountId: configuration.account_id,
    actor: OPERATOR,
    action,
    subject: id,
    detail,
    effects,
  })
}
