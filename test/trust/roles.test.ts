// @module-tag thorough
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { closeAccess, openAccess } from '../../src/account/access.ts'
import {
  changeAccount,
  changeConfiguration,
  configurationOf,
  createAccount,
  createConfiguration,
  issueKey,
} from '../../src/account/provision.ts'
import { addRole, removeRole } from '../../src/account/roles.ts'
import { addAccountKey, useAccountKey } from '../../src/account/sealing/account-key.ts'
import { rotateWebhookSecret, setWebhook } from '../../src/account/webhook.ts'
import { removeWebhook } from '../../src/account/webhook-endpoints.ts'
import { verdictText, verifyAll } from '../../src/cli/audit.ts'
import { tellFault } from '../../src/cli/print.ts'
import { type Core, coreOf } from '../../src/events/core.ts'
import { makeBackup } from '../../src/session/backups/make.ts'
import { statusOf } from '../../src/session/status.ts'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { keepHouse } from '../../src/session/upkeep/housekeeping.ts'
import { carryOnResealing } from '../../src/session/upkeep/reseal.ts'
import { trimAudit } from '../../src/session/upkeep/trim-audit.ts'
import { listAccounts } from '../../src/store/accounts.ts'
import { listAuditEntries } from '../../src/store/audit.ts'
import { backupFile } from '../../src/store/backup/files.ts'
import { NotPermitted } from '../../src/store/database/db.ts'
import { MigrationFault, migrate, migrationsOf } from '../../src/store/database/migrate.ts'
import { openPostgres } from '../../src/store/database/postgres.ts'
import { tablesWithRights } from '../../src/store/database/roles.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { send } from '../world/call.ts'
import { answered, SORE_THROAT, visiting } from '../world/clinician.ts'
import { commandLine } from '../world/command.ts'
import { administer } from '../world/database.ts'
import { guardWith } from '../world/guard.ts'
import { picture, upload } from '../world/handoff.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import { addressOf, type Kind, LOGINS, loginOf, PASSWORD, PREFIX, refusalOf } from './logins.ts'

/** As the server's owner; and a node that runs as the service's role on the same database. */
let world: World
let node: World
let clinic: Clinic
let other: Clinic
/** A session that was answered, with a file and a visit, on the node of the service's role. */
let sessionId: string
const cores = new Map<Kind, Core>()

const urlOf = (kind: Kind): string => addressOf(world.databaseUrl, kind)

const as = (kind: Kind): Core => cores.get(kind) ?? expect.fail(`no ${kind}`)
const commandsOf = (kind: Kind) => commandLine(() => ({ databaseUrl: urlOf(kind), masterKey: world.masterKey }))

const guard = () => guardWith({ DATABASE_URL: world.databaseUrl })

const refusal = (kind: Kind, text: string): Promise<string | null> => refusalOf(urlOf(kind), text)

async function expectRefused(kind: Kind, statements: readonly string[]): Promise<void> {
  for (const text of statements)
    expect({ text, said: await refusal(kind, text) }).toEqual({
      text,
      said: expect.stringMatching(/permission denied|must be owner|row-level security/),
    })
}

beforeAll(async () => {
  world = await newWorld()
  const made = await commandLine(() => world).fyr('database', 'roles', '--prefix', PREFIX, '--apply')
  if (made.code !== 0) throw new Error(made.err)
  for (const kind of Object.keys(LOGINS) as Kind[])
    await world.sql(`create role ${loginOf(kind)} login password '${PASSWORD}' in role ${PREFIX}_${kind}`)
  ;[clinic, other] = [await world.clinic(), await world.clinic()]
  await addRole(world.app.core, clinic.accountId, loginOf('clinic_admin'), PREFIX)
  for (const kind of Object.keys(LOGINS) as Kind[])
    cores.set(
      kind,
      coreOf(await openPostgres(urlOf(kind), 2), new Keyring({ given: world.masterKey }), `operator:${kind}`),
    )
  node = await newWorld({}, { url: urlOf('service'), drop: async () => {} })
})
afterAll(async () => {
  for (const core of cores.values()) await core.db.close()
  await node.close()
  await world.close()
  for (const name of [...Object.values(LOGINS), ...Object.keys(LOGINS)])
    await administer(inject('serverUrl'), `drop role if exists ${PREFIX}_${name}`)
})

test('every table has its rights stated', async () => {
  const tables = await world.sql(`select tablename from pg_tables where schemaname = 'public' order by 1`)
  expect(tablesWithRights().sort()).toEqual(tables.map(({ tablename }) => tablename))
})

describe('the service', () => {
  test('runs a session from its start to its end, and everything around it', async () => {
    const patient = new Patient(node.url)
    await patient.enterOpen(clinic.slug)
    await upload(patient, 'throat.jpg', await picture(40, 40, 10))
    await patient.answerThrough(SORE_THROAT)
    expect((await patient.finish()).status).toBe(200)
    sessionId = patient.now.sessionId
    const clinician = await visiting(node, clinic, sessionId)
    expect(await clinician.picture()).toBeTruthy()
    const judgement = await clinician.call('POST', '/judgements', {
      json: { id: crypto.randomUUID(), urgency: 'Level2', reason: 'seen' },
    })
    expect({ status: judgement.status, text: judgement.text }).toMatchObject({ status: 201 })
    const { key } = clinic
    const created = await send(`${node.url}/api/v1/session`, 'POST', { key, headers: { 'idempotency-key': 'roles-1' } })
    expect(created.status).toBe(201)
    for (const [action, json] of [
      ['close', { closedReason: 'Other' }],
      ['open', null],
    ] as const)
      expect((await send(`${node.url}/api/v1/accessControl/${action}`, 'POST', { key, json })).status).toBeLessThan(300)
    for (const path of ['', '/summary', '/pdf', '/fhir', '/export'])
      expect((await send(`${node.url}/api/v1/session/${sessionId}${path}`, 'GET', { key })).status, path).toBe(200)
    expect((await send(`${node.url}/api/v1/sessions`, 'GET', { key })).status).toBe(200)
    const { sessionId: erased } = await answered(node.url, clinic, SORE_THROAT)
    expect((await send(`${node.url}/api/v1/session/${erased}`, 'DELETE', { key })).status).toBe(204)
    expect(node.log()).not.toContain('permission denied')
    expect(node.log()).not.toContain('"internal error"')
  })

  test('sends webhooks, and notes what became of them', async () => {
    const configuration = await configurationOf(world.app.core, other.slug)
    await setWebhook(world.app.core, guard(), configuration, { url: 'https://127.0.0.1/hook' })
    await answered(node.url, other, SORE_THROAT)
    const attempts = () =>
      world.sql('select error from webhook_attempts where account_id = $1 and error is not null', [other.accountId])
    await expect.poll(attempts, { timeout: 20_000 }).not.toEqual([])
  })

  test('does its upkeep: housekeeping, trimming, replacing account keys, checkpoints and backups', async () => {
    const { core } = node.app
    await keepHouse(core)
    await node.endLeft()
    await trimAudit(core, 365)
    const number = await addAccountKey(as('operator'), clinic.accountId, 'operator')
    if (number) await useAccountKey(as('operator'), clinic.accountId, number, 'operator')
    await world.sql(`update account_keys set used_since = now() - interval '1 hour' where account_id = $1`, [
      clinic.accountId,
    ])
    await carryOnResealing(core, AbortSignal.timeout(20_000))
    const [keys] = await world.sql('select count(*)::int as n from account_keys where account_id = $1', [
      clinic.accountId,
    ])
    expect(keys?.n).toBe(1)
    const folder = mkdtempSync(join(tmpdir(), 'fyr-roles-'))
    const destination = () => backupFile(join(folder, 'a.backup'))
    const made = await makeBackup(core, { backupKey: randomBytes(32), destination, actor: 'fyr' })
    expect(made.tables.find(({ name }) => name === 'sessions')?.rows).toBeGreaterThan(0)
    rmSync(folder, { recursive: true })
  })

  test('owns nothing: it makes, changes and empties no table, and makes no account, key or configuration', {
    tags: 'slice',
  }, async () => {
    await expectRefused('service', [
      'create table mine (a int)',
      'drop table sessions',
      'alter table audit_entries disable trigger user',
      'truncate sessions',
      `update audit_entries set actor = 'x'`,
      `insert into accounts (id, name, sealed_key) values (gen_random_uuid(), 'x', '')`,
      'delete from accounts',
      `update configurations set enabled = false`,
      `update api_keys set revoked_at = null`,
      'delete from sessions',
      `insert into role_accounts (account_id, role_name) values (gen_random_uuid(), 'x')`,
      `update master_key_checks set check_value = ''`,
    ])
    await expect(createAccount(as('service'), 'x', 'UTC')).rejects.toThrow(NotPermitted)
  })
})

describe('a clinic admin', () => {
  test('sees and changes their own account: opening, hours, configurations and webhooks, all on record', async () => {
    const core = as('clinic_admin')
    expect((await listAccounts(core.db)).map(({ id }) => id)).toEqual([clinic.accountId])
    await closeAccess(core, clinic.accountId, core.operator, 'Other', null)
    expect(await openAccess(core, clinic.accountId, core.operator)).toMatchObject({ open: true })
    await changeAccount(core, clinic.accountId, { cap: { kind: 'daily', most: 200 } })
    await createConfiguration(core, clinic.accountId, `${clinic.slug}-b`, {
      name: 'Second',
      type: 'OPEN',
      emergencyNumber: '112',
    })
    const configuration = await configurationOf(core, clinic.slug)
    await changeConfiguration(core, configuration, { document: { name: 'Renamed' } })
    await setWebhook(core, guard(), configuration, { url: 'https://127.0.0.1/hook' })
    await rotateWebhookSecret(core, configuration, 0)
    await removeWebhook(core, configuration, 'main')
    const entries = await listAuditEntries(core.db, clinic.accountId, { afterSeq: 0, limit: 1_000 })
    expect(entries.filter(({ actor }) => actor === 'operator:clinic_admin').map(({ action }) => action)).toEqual([
      'access.closed',
      'access.opened',
      'account.changed',
      'configuration.created',
      'configuration.changed',
      expect.stringMatching(/^webhook\./),
      expect.stringMatching(/^webhook\./),
      expect.stringMatching(/^webhook\./),
    ])
    expect(await verifyAll(world.app.core, [], clinic.accountId)).toMatchObject([{ ok: true }])
  })

  test('neither sees nor changes another account', async () => {
    const core = as('clinic_admin')
    for (const table of ['accounts', 'configurations', 'audit_entries', 'access_events', 'sessions', 'api_keys']) {
      const column = table === 'accounts' ? 'id' : 'account_id'
      const client = new pg.Client({ connectionString: urlOf('clinic_admin') })
      await client.connect()
      const { rows } = await client.query(`select ${column} as account from ${table} group by 1`)
      await client.end()
      expect({ table, accounts: rows.map(({ account }) => account) }).toEqual({ table, accounts: [clinic.accountId] })
    }
    await expect(closeAccess(core, other.accountId, core.operator, 'Other', null)).rejects.toThrow()
    await expectRefused('clinic_admin', [
      `insert into access_events (account_id, kind) values ('${other.accountId}', 'closed')`,
      `insert into configurations (account_id, id, slug, document) values ('${other.accountId}', gen_random_uuid(), 'x', '{}')`,
    ])
    const changed = await world.sql('select count(*)::int as n from access_events where account_id = $1', [
      other.accountId,
    ])
    expect(changed).toEqual([{ n: 0 }])
    await expect(configurationOf(core, other.slug)).rejects.toThrow()
  })

  test('reads nothing that a patient said, and makes no key, account, erasure or role', async () => {
    await expectRefused('clinic_admin', [
      'select sealed from answers',
      'select sealed_outcome from sessions',
      'select urgency from sessions',
      'select sealed_bytes from uploads',
      'select hash from api_keys',
      'select * from judgements',
      'update sessions set erased_at = now()',
      `update accounts set sealed_key = ''`,
      'delete from audit_entries',
      'update audit_heads set trimmed_seq = 3',
      `insert into role_accounts (account_id, role_name) values ('${other.accountId}', current_user)`,
      'create table mine (a int)',
    ])
    const core = as('clinic_admin')
    const configuration = await configurationOf(core, clinic.slug)
    await expect(issueKey(core, configuration)).rejects.toThrow(NotPermitted)
    await expect(eraseSession(core, clinic.accountId, sessionId, core.operator)).rejects.toThrow(NotPermitted)
  })

  test('is told in a sentence, with exit code 1', async () => {
    const { fyr } = commandsOf('clinic_admin')
    const issued = await fyr('key', 'issue', '--configuration', clinic.slug)
    expect(issued).toEqual({
      code: 1,
      out: '',
      err: `The database role ${loginOf('clinic_admin')} may not do this (permission denied for table api_keys). Nothing was changed. Connect as a role that may: docs/operations.md, Database roles.\n`,
    })
    expect(await fyr('audit', 'verify')).toMatchObject({ code: 1, err: expect.stringContaining('some accounts only') })
  })

  test('whose account is taken away sees none', async () => {
    await removeRole(world.app.core, clinic.accountId, loginOf('clinic_admin'))
    expect(await listAccounts(as('clinic_admin').db)).toEqual([])
    await addRole(world.app.core, clinic.accountId, loginOf('clinic_admin'), PREFIX)
    await expect(addRole(world.app.core, clinic.accountId, loginOf('auditor'), PREFIX)).rejects.toThrow()
    await expect(addRole(world.app.core, clinic.accountId, 'nobody-such', PREFIX)).rejects.toThrow()
  })
})

describe('an auditor', () => {
  test('verifies every chain and holds sessions against them without opening one', async () => {
    const checked = await verifyAll(as('auditor'), [], null)
    expect(checked.filter(({ ok }) => !ok)).toEqual([])
    const [own] = checked.filter(({ accountId }) => accountId === clinic.accountId)
    expect(own).toMatchObject({ opened: false, sessions: 3 })
    expect(own && verdictText(own)).toContain('held against the entries and not opened')
    await world.sql('alter table sessions disable trigger user')
    await world.sql(`update sessions set status = 'StartedChat' where account_id = $1 and id = $2`, [
      clinic.accountId,
      sessionId,
    ])
    const [changed] = await verifyAll(as('auditor'), [], clinic.accountId)
    expect(changed?.notAsRecorded).toEqual([{ session: sessionId, what: 'ended on record, and is not ended now' }])
    await world.sql(`update sessions set status = 'Ended' where account_id = $1 and id = $2`, [
      clinic.accountId,
      sessionId,
    ])
    await world.sql('alter table sessions enable trigger user')
  })

  test('reads who saw a session, and the state of the deployment', async () => {
    const { fyr } = commandsOf('auditor')
    const log = await fyr('session', 'log', sessionId)
    expect(log).toMatchObject({ code: 0, err: '' })
    expect(log.out).toContain('nurse.kari')
    expect((await statusOf(as('auditor'), '0', new Date())).accounts).toHaveLength(2)
    expect((await fyr('audit', 'list', '--account', clinic.accountId)).code).toBe(0)
  })

  test('reads nothing that a patient said, and writes nothing', async () => {
    await expectRefused('auditor', [
      'select sealed from answers',
      'select sealed_matter from sessions',
      'select patient_age from sessions',
      'select sealed_bytes from uploads',
      'select sealed_secret from webhook_secrets',
      'select sealed_url from webhook_endpoints',
      'select hash from api_keys',
      'select * from visits',
      ...tablesWithRights().map((table) => `delete from ${table}`),
      `insert into audit_entries (account_id, seq, at, actor, action, subject, detail, hash) values ('${clinic.accountId}', 999, now(), '', '', '', '{}', '')`,
      'update audit_heads set seq = 1',
      'update accounts set active = false',
      'create table mine (a int)',
    ])
    const core = as('auditor')
    await expect(closeAccess(core, clinic.accountId, core.operator, 'Other', null)).rejects.toThrow(NotPermitted)
    const { fyr } = commandsOf('auditor')
    expect(await fyr('access', 'close', clinic.accountId)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^The database role \S+ may not do this \(permission denied for table \w+\)\. Nothing was changed\./,
      ),
    })
  })
})

describe('an operator', () => {
  const extra = { name: '9999_extra.sql', text: 'create table extra (account_id uuid)', hash: 'x' }

  test('does everything, brings migrations, and what they make belongs to all operators', async () => {
    const core = as('operator')
    const { id } = await createAccount(core, 'Third', 'UTC')
    expect((await listAccounts(core.db)).map((account) => account.id)).toContain(id)
    expect(await refusal('operator', 'select sealed from answers')).toBeNull()
    expect((await verifyAll(core, [], clinic.accountId))[0]).toMatchObject({ ok: true, opened: true })
    for (const kind of ['service', 'auditor', 'clinic_admin'] as const) {
      expect(await migrate(urlOf(kind))).toEqual([])
      const failed = await migrate(urlOf(kind), [...migrationsOf(), extra]).catch((error: unknown) => error)
      expect(failed).toBeInstanceOf(MigrationFault)
      expect(String(failed)).toMatch(/9999_extra\.sql.* may not make.*fyr database roles --apply/)
    }
    expect(await migrate(urlOf('operator'), [...migrationsOf(), extra])).toEqual([extra.name])
    const [table] = await world.sql(`select tableowner from pg_tables where tablename = 'extra'`)
    expect(table?.tableowner).toBe(`${PREFIX}_operator`)
    expect(await refusal('service', 'select * from extra')).toContain('permission denied')
    await world.sql('drop table extra')
    await world.sql('delete from migrations where name = $1', [extra.name])
  })

  test('gives the rights again with the command, and is told what to run by hand', async () => {
    const { fyr } = commandsOf('operator')
    await world.sql(`grant delete on sessions to ${PREFIX}_auditor`)
    expect(await fyr('database', 'roles', '--prefix', PREFIX, '--apply')).toMatchObject({ code: 0, err: '' })
    expect(await refusal('auditor', 'delete from sessions')).toContain('permission denied')
    const printed = await fyr('database', 'roles', '--prefix', PREFIX)
    expect(printed.out).toContain(`grant select on audit_entries to ${PREFIX}_auditor;`)
    const listed = await fyr('database', 'clinic-admin', '--account', clinic.accountId)
    expect(listed.out).toContain(loginOf('clinic_admin'))
  })
})

test('a refusal of the server that no store translated is told in a sentence too', () => {
  const written: string[] = []
  const { write } = process.stderr
  process.stderr.write = (text: string | Uint8Array) => written.push(String(text)) > 0
  try {
    const error = Object.assign(new Error('permission denied for schema public'), { code: '42501' })
    expect(tellFault(error, false)).toBe(1)
  } finally {
    process.stderr.write = write
  }
  expect(written.join('')).toContain('may not do this (permission denied for schema public)')
})
