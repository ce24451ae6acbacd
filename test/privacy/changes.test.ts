import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  changeAccount,
  changeConfiguration,
  configurationOf,
  issueKey,
  revokeKey,
  rotateKey,
} from '../../src/account/provision.ts'
import { disableWebhook, enableWebhook, rotateWebhookSecret, setWebhook } from '../../src/account/webhook.ts'
import { addWebhook, removeWebhook } from '../../src/account/webhook-endpoints.ts'
import { type Core, coreOf } from '../../src/events/core.ts'
import { endVisits } from '../../src/session/visit.ts'
import { commandLine } from '../world/command.ts'
import { guardWith } from '../world/guard.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
let core: Core
const { fyr } = commandLine(() => world)
const folder = mkdtempSync(join(tmpdir(), 'fyr-changes-'))
const guard = guardWith()

beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  core = coreOf(world.app.core.db, world.app.core.keyring, 'operator:Anna')
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})

/** The newest entry with this action. */
async function entryOf(action: string): Promise<{ actor: string; detail: Record<string, unknown> }> {
  const [row] = await world.sql(
    'select actor, detail from audit_entries where account_id = $1 and action = $2 order by seq desc limit 1',
    [clinic.accountId, action],
  )
  return row as { actor: string; detail: Record<string, unknown> }
}

test('every change of an account says what it was, what it is, and who did it', async () => {
  await changeAccount(core, clinic.accountId, { name: 'Harbour', cap: { kind: 'daily', most: 20 } })
  expect(await entryOf('account.changed')).toMatchObject({
    actor: 'operator:Anna',
    detail: { changes: { name: { to: 'Harbour' }, cap: { from: null, to: { kind: 'daily', most: 20 } } } },
  })
  await changeAccount(core, clinic.accountId, { name: 'Harbour', active: false, cap: { most: 20, kind: 'daily' } })
  expect((await entryOf('account.changed')).detail).toEqual({ changes: { active: { from: true, to: false } } })
  await changeAccount(core, clinic.accountId, { active: true, cap: null })
  expect((await entryOf('account.changed')).detail).toEqual({
    changes: { active: { from: false, to: true }, cap: { from: { kind: 'daily', most: 20 }, to: null } },
  })
})

test('every change of a configuration too', async () => {
  const before = await configurationOf(core, clinic.slug)
  await changeConfiguration(core, before, { document: { retentionDays: 30, emergencyNumber: '112' } })
  expect(await entryOf('configuration.changed')).toEqual({
    actor: 'operator:Anna',
    detail: { slug: clinic.slug, changes: { retentionDays: { from: 90, to: 30 } } },
  })
  await changeConfiguration(core, await configurationOf(core, clinic.slug), { enabled: false })
  expect((await entryOf('configuration.changed')).detail.changes).toEqual({ enabled: { from: true, to: false } })
  await changeConfiguration(core, await configurationOf(core, clinic.slug), { enabled: true })
})

test('keys: issued, rotated and revoked by name; the key itself is in no entry', async () => {
  const configuration = await configurationOf(core, clinic.slug)
  const first = await issueKey(core, configuration, { note: 'booking' })
  expect(await entryOf('key.issued')).toMatchObject({ actor: 'operator:Anna', detail: { note: 'booking' } })
  const next = await rotateKey(core, configuration, first.id, 60)
  expect((await entryOf('key.rotated')).detail).toMatchObject({
    changes: { works: { from: 'always', to: 'for 60 seconds' } },
  })
  await revokeKey(core, configuration, next.id)
  expect((await entryOf('key.revoked')).detail).toMatchObject({
    note: 'booking',
    changes: { works: { from: true, to: false } },
  })
  await expectNowhere(first.key, next.key)
})

test('webhooks: the host, the events and whether it works, never the path, the token or the secret', async () => {
  const configuration = await configurationOf(core, clinic.slug)
  const at = (path: string) => `https://localhost/${path}`
  const { secret } = await setWebhook(core, guard, configuration, { url: at('path-one'), token: 'token-one' })
  await setWebhook(core, guard, configuration, {
    url: at('path-two'),
    token: 'token-two',
    events: ['session.completed', 'session.started'],
  })
  expect(await entryOf('webhook.set')).toMatchObject({
    actor: 'operator:Anna',
    detail: {
      host: 'localhost',
      changes: {
        events: { from: ['session.completed'], to: ['session.completed', 'session.started'] },
        address: { from: '(not recorded)', to: '(not recorded)' },
        token: { from: '(not recorded)', to: '(not recorded)' },
      },
    },
  })
  await disableWebhook(core, configuration)
  expect((await entryOf('webhook.disabled')).detail).toMatchObject({ changes: { enabled: { from: true, to: false } } })
  await enableWebhook(core, configuration)
  expect((await entryOf('webhook.enabled')).detail).toMatchObject({ changes: { enabled: { from: false, to: true } } })
  const rotated = await rotateWebhookSecret(core, configuration, 0)
  const other = await addWebhook(core, guard, configuration, 'second', { url: at('path-three') })
  await removeWebhook(core, configuration, 'second')
  expect((await entryOf('webhook.removed')).detail).toMatchObject({ endpoint: 'second', was: { host: 'localhost' } })
  const secrets = [secret, rotated.secret, other.secret].map(String)
  await expectNowhere('path-one', 'path-two', 'path-three', 'token-one', 'token-two', ...secrets)
})

test('commands go on record under --as, OPERATOR or the user of the machine', async () => {
  const file = join(folder, 'hours.json')
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
  const week = Object.fromEntries(days.map((day) => [day, [{ from: '08:00', to: '16:00' }]]))
  writeFileSync(file, JSON.stringify({ week, exceptions: [] }))
  const run = await fyr('account', 'change', clinic.accountId, '--hours', file, '--as', 'Björn')
  expect({ code: run.code, err: run.err }).toEqual({ code: 0, err: '' })
  expect(await entryOf('account.changed')).toMatchObject({
    actor: 'operator:Björn',
    detail: { changes: { monitoredHours: { from: null, to: { week } } } },
  })
  expect((await fyr('account', 'change', clinic.accountId, '--hours', 'none')).code).toBe(0)
  const { actor, detail } = await entryOf('account.changed')
  expect(actor).toMatch(/^operator:.+/)
  expect(detail).toMatchObject({ changes: { monitoredHours: { from: { week }, to: null } } })
  const refused = await fyr('account', 'change', clinic.accountId, '--name', 'x', '--as', ' ')
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('--as must be a name') })
  await endVisits(core, clinic.accountId, { sessionId: null, keyId: null, auditUserIdentifier: 'dr' })
  expect((await entryOf('visits.ended')).actor).toBe('operator:Anna')
})

async function expectNowhere(...secrets: readonly string[]): Promise<void> {
  const rows = await world.sql('select e::text as text from audit_entries e where account_id = $1', [clinic.accountId])
  const all = rows.map(({ text }) => text).join('\n')
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([])
}
