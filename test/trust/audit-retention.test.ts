import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { revokeKey, rotateKey } from '../../src/account/provision.ts'
import { type Checked, verdictText, verifyAll } from '../../src/cli/audit.ts'
import { entryHash, genesis } from '../../src/events/chain.ts'
import { takeCheckpoint } from '../../src/events/checkpoint.ts'
import { activate, placeOf } from '../../src/session/content/activate.ts'
import { verifyContent } from '../../src/session/content/verify.ts'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { trimAudit } from '../../src/session/upkeep/trim-audit.ts'
import { startUpkeep } from '../../src/session/upkeep/upkeep.ts'
import { readSettings } from '../../src/settings.ts'
import { listAuditEntries } from '../../src/store/audit.ts'
import { findTrimmed } from '../../src/store/audit-trims.ts'
import { listConfigurations } from '../../src/store/configurations.ts'
import { listReleases } from '../../src/store/content/releases.ts'
import { listKeys } from '../../src/store/keys.ts'
import { send } from '../world/call.ts'
import { answered, SORE_THROAT } from '../world/clinician.ts'
import { commandLine } from '../world/command.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

const YEAR = 365

let world: World
const { fyr, json } = commandLine(() => world)
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

const entriesOf = (accountId: string) => listAuditEntries(world.app.core.db, accountId, { afterSeq: 0, limit: 10_000 })

/** What happened to an account so far is made to have happened so many days ago, as if the program had written it then. */
async function ago({ accountId }: Pick<Clinic, 'accountId'>, days: number): Promise<void> {
  const key = world.app.core.keyring.derive('audit', accountId)
  let before = (await findTrimmed(world.app.core.db, accountId))?.hash ?? genesis(key, accountId)
  await tamper(async () => {
    for (const entry of await entriesOf(accountId)) {
      const at = new Date(entry.at.getTime() - days * 86_400_000)
      before = entryHash(key, before, { ...entry, at })
      await world.sql('update audit_entries set at = $3, hash = $4 where account_id = $1 and seq = $2', [
        accountId,
        entry.seq,
        at,
        before,
      ])
    }
  })
  await world.sql('update audit_heads set hash = $2 where account_id = $1', [accountId, before])
  await world.sql(`update sessions set created_at = created_at - $2 * interval '1 day' where account_id = $1`, [
    accountId,
    days,
  ])
}

/** What somebody can do who writes to the database but has no master key: the guards are switched off. */
async function tamper(work: () => Promise<unknown>): Promise<void> {
  await world.sql('alter table audit_entries disable trigger user')
  await work()
  await world.sql('alter table audit_entries enable trigger user')
}

async function verified({ accountId }: Pick<Clinic, 'accountId'>): Promise<Checked> {
  const [checked] = await verifyAll(world.app.core, [], accountId)
  return checked ?? expect.fail('nothing was checked')
}

const trim = (days = YEAR) => trimAudit(world.app.core, days)

/** A clinic of two years ago with a session that was erased since, and something of today. */
async function oldClinic(): Promise<Clinic & { erased: string }> {
  const clinic = await world.clinic()
  const { sessionId } = await answered(world.url, clinic, SORE_THROAT)
  await eraseSession(world.app.core, clinic.accountId, sessionId, 'retention')
  await ago(clinic, 2 * YEAR)
  await send(`${world.url}/api/v1/session`, 'POST', { key: clinic.key })
  return { ...clinic, erased: sessionId }
}

test('audit entries are kept for ever unless a retention is set, which is a year at least', () => {
  expect(readSettings({}).AUDIT_RETENTION_DAYS).toBeNull()
  expect(readSettings({ AUDIT_RETENTION_DAYS: '4380' }).AUDIT_RETENTION_DAYS).toBe(4_380)
  expect(() => readSettings({ AUDIT_RETENTION_DAYS: '30' })).toThrow('AUDIT_RETENTION_DAYS')
})

test('A50 entries past their retention are removed from the beginning, on record, and the chain goes on and verifies as whole', async () => {
  const clinic = await oldClinic()
  const before = await entriesOf(clinic.accountId)
  const old = before.filter(({ at }) => at.getTime() < Date.now() - YEAR * 86_400_000).length
  const checkpoint = await takeCheckpoint(world.app.core, clinic.accountId, new Date())
  const told: unknown[] = []
  const upkeep = startUpkeep(
    world.app.core,
    pino({ level: 'info' }, { write: (line) => told.push(JSON.parse(line)) }),
    {
      checkpointFile: null,
      objects: null,
      endLeft: async () => {},
      forgetOld: () => {},
      backUp: async () => {},
      auditRetentionDays: YEAR,
      trimEveryMs: 50,
    },
  )
  await expect.poll(() => told, { timeout: 30_000 }).toContainEqual(expect.objectContaining({ entries: old }))
  await upkeep.stop()
  const left = await entriesOf(clinic.accountId)
  expect(left[0]?.seq).toBe(old + 1)
  const trimmed = left.find(({ action }) => action === 'audit.trimmed')
  expect(trimmed).toMatchObject({ actor: 'retention', detail: { upTo: old, sessions: 1, retentionDays: YEAR } })
  const checked = await verified(clinic)
  expect(checked).toMatchObject({ ok: true, chain: { entries: left.at(-1)?.seq, trimmed: { upTo: old } } })
  expect(verdictText(checked)).toContain(`entries ${old + 1} to ${left.at(-1)?.seq} (those before, until `)
  const [against] = await verifyAll(world.app.core, checkpoint ? [checkpoint] : [], clinic.accountId)
  expect(against).toMatchObject({ ok: true, chain: { checkpoints: 1 } })
  expect((await fyr('audit', 'verify', '--account', clinic.accountId)).out).toContain('were removed by retention on ')
  expect(await trim()).toMatchObject({ entries: 0, notWhole: [] }) // and not again every hour
  expect(await entriesOf(clinic.accountId)).toHaveLength(left.length)
})

test('a clinic that leaves is told how many entries are handed over, not how many there once were', async () => {
  const clinic = await oldClinic()
  await trim()
  const folder = mkdtempSync(join(tmpdir(), 'fyr-trimmed-'))
  const told = await json<{ auditEntries: number }>('account', 'offboard', clinic.accountId, '--export-to', folder)
  const lines = readFileSync(join(folder, 'audit.jsonl'), 'utf8').trimEnd().split('\n')
  expect(JSON.parse(lines[0] ?? '').seq).toBeGreaterThan(1)
  expect(told.auditEntries).toBe(lines.length)
  rmSync(folder, { recursive: true })
})

test('the service goes on writing to a chain that was trimmed, and it is trimmed again', async () => {
  const clinic = await world.clinic()
  const [configuration] = await listConfigurations(world.app.core.db, clinic.accountId)
  const [release] = await listReleases(world.app.core.db)
  if (!configuration || !release) throw new Error('no release')
  await activate(world.app.core, placeOf(configuration), release.version, 'operator')
  for (const sessions of [1, 2, 3]) {
    const { sessionId } = await answered(world.url, clinic, SORE_THROAT)
    await eraseSession(world.app.core, clinic.accountId, sessionId, 'retention')
    await ago(clinic, 2 * YEAR)
    // Activated since: what is carried from before is written later, and is no later activation.
    if (sessions === 3) await activate(world.app.core, placeOf(configuration), null, 'operator')
    expect((await trim())?.entries).toBeGreaterThan(3)
    expect(await verified(clinic)).toMatchObject({ ok: true, fault: null, chain: { trimmed: { sessions } } })
    expect((await verifyContent(world.app.core)).filter(({ fault }) => fault !== null)).toEqual([])
  }
  const { sessionId } = await answered(world.url, clinic, SORE_THROAT)
  const log = await fyr('session', 'log', sessionId)
  expect(log).toMatchObject({ code: 0, err: '' })
  const [erased] = await world.sql('select id from sessions where account_id = $1 and erased_at is not null limit 1', [
    clinic.accountId,
  ])
  expect((await fyr('session', 'log', String(erased?.id))).err).toContain('was removed by retention')
})

test('the entries of a session that is kept stay, and all that came after them', async () => {
  const clinic = await world.clinic()
  const { sessionId: erased } = await answered(world.url, clinic, SORE_THROAT)
  const { sessionId: kept } = await answered(world.url, clinic, SORE_THROAT)
  await eraseSession(world.app.core, clinic.accountId, erased, 'retention')
  await ago(clinic, 2 * YEAR)
  await world.sql(
    `update sessions set created_at = created_at + $2 * interval '1 day' where account_id = $1 and id = $3`,
    [clinic.accountId, 2 * YEAR, kept],
  ) // its moments are sealed
  const ofKept = (await entriesOf(clinic.accountId)).filter(({ subject }) => subject === kept)
  expect((await trim())?.entries).toBe((ofKept[0]?.seq ?? 0) - 1)
  const left = await entriesOf(clinic.accountId)
  expect(left.filter(({ subject }) => subject === kept)).toEqual(ofKept)
  expect(left[0]?.seq).toBe(ofKept[0]?.seq)
  expect(await verified(clinic)).toMatchObject({ ok: true, notAsRecorded: [] })
})

test('what still holds of the removed entries is said again: keys that were issued, replaced and revoked', async () => {
  const clinic = await world.clinic()
  const { accountId } = clinic
  const [configuration] = await listConfigurations(world.app.core.db, accountId)
  const [key] = await listKeys(world.app.core.db, accountId)
  if (!configuration || !key) throw new Error('no key')
  const second = await rotateKey(world.app.core, configuration, key.id, 60)
  await revokeKey(world.app.core, configuration, key.id)
  await ago(clinic, 2 * YEAR)
  await trim()
  const carried = (await entriesOf(accountId)).filter(({ action }) => action === 'audit.carried')
  expect(carried.map(({ subject, detail }) => [subject, detail.action])).toEqual([
    [key.id, 'key.issued'],
    [key.id, 'key.rotated'],
    [key.id, 'key.revoked'],
  ])
  expect(await verified(clinic)).toMatchObject({ ok: true, fault: null })
  await world.sql('update api_keys set revoked_at = null where account_id = $1 and id = $2', [accountId, key.id])
  expect((await verified(clinic)).fault).toContain(key.id)
  await world.sql('update api_keys set id = gen_random_uuid() where account_id = $1 and id = $2', [
    accountId,
    second.id,
  ])
  expect((await verified(clinic)).fault).toMatch(/not issued on record.*,/)
})

test('A50 a beginning that somebody else cut off is found, also with a note beside it that says it was trimmed', async () => {
  const clinic = await oldClinic()
  const { accountId } = clinic
  await expect(world.sql('delete from audit_entries where account_id = $1 and seq <= 3', [accountId])).rejects.toThrow(
    'only ever added',
  )
  const [third] = (await entriesOf(accountId)).filter(({ seq }) => seq === 3)
  await world.sql('update audit_heads set trimmed_seq = 3, trimmed_hash = $2 where account_id = $1', [
    accountId,
    third?.hash,
  ])
  await world.sql('delete from audit_entries where account_id = $1 and seq <= 3', [accountId])
  expect((await verified(clinic)).chain).toEqual({
    ok: false,
    firstBadSeq: 1,
    fault: 'entries 1 to 3 are missing, and no entry says that retention removed them',
  })
  await world.sql('update audit_heads set trimmed_seq = 0, trimmed_hash = null where account_id = $1', [accountId])
  expect((await verified(clinic)).chain).toMatchObject({ ok: false, firstBadSeq: 1 })
})

test('A50 more cut off a chain that retention had trimmed is found, and so is a forged entry that says it was retention', async () => {
  const clinic = await oldClinic()
  const { accountId } = clinic
  await trim()
  const left = await entriesOf(accountId)
  const [first] = left
  await world.sql('update audit_heads set trimmed_seq = $2, trimmed_hash = $3 where account_id = $1', [
    accountId,
    first?.seq,
    first?.hash,
  ])
  await world.sql('delete from audit_entries where account_id = $1 and seq = $2', [accountId, first?.seq])
  expect((await verified(clinic)).chain).toMatchObject({ ok: false, fault: expect.stringContaining('no entry says') })
  await tamper(() =>
    world.sql(
      `update audit_entries set detail = detail || jsonb_build_object('upTo', $2::int, 'hash', $3::text) where account_id = $1 and action = 'audit.trimmed'`,
      [accountId, first?.seq, first?.hash.toString('hex')],
    ),
  )
  const trimEntry = left.find(({ action }) => action === 'audit.trimmed')
  expect((await verified(clinic)).chain).toMatchObject({ ok: false, firstBadSeq: trimEntry?.seq })
})

test('erased sessions whose entries are gone are still counted: one taken away or put in is found', async () => {
  const clinic = await oldClinic()
  await trim()
  expect(await verified(clinic)).toMatchObject({ ok: true })
  await world.sql('delete from sessions where account_id = $1 and id = $2', [clinic.accountId, clinic.erased])
  expect(await verified(clinic)).toMatchObject({
    ok: false,
    notAsRecorded: [{ what: expect.stringContaining('0 are there, and 1 were created on record') }],
  })
})

test('a session that is kept cannot pass for one whose entries were trimmed, and an erased one does not come back', async () => {
  const clinic = await oldClinic()
  await trim()
  await world.sql('update sessions set erased_at = null where account_id = $1 and id = $2', [
    clinic.accountId,
    clinic.erased,
  ])
  expect((await verified(clinic)).notAsRecorded).toContainEqual({
    session: clinic.erased,
    what: 'was not created on record',
  })
})

test('nothing is removed from a chain that is not whole, and the log says so; others are trimmed', async () => {
  const [broken, whole] = [await oldClinic(), await oldClinic()]
  await tamper(() =>
    world.sql(`update audit_entries set actor = 'nobody' where account_id = $1 and seq = 4`, [broken.accountId]),
  )
  const before = (await entriesOf(broken.accountId)).length
  const trimmed = await trim()
  expect(trimmed?.notWhole).toContainEqual(expect.objectContaining({ accountId: broken.accountId, seq: 4 }))
  expect(await entriesOf(broken.accountId)).toHaveLength(before)
  expect((await entriesOf(whole.accountId))[0]?.seq).toBeGreaterThan(1)
})

test('killed between saying it and doing it, the next run removes the rest, and the chain is whole all along', async () => {
  const clinic = await oldClinic()
  const { db } = world.app.core
  const { query } = db
  db.query = (statement, values) =>
    statement.name === 'audit_remove_trimmed' && values?.[0] === clinic.accountId
      ? Promise.reject(new Error('killed'))
      : query(statement, values)
  try {
    await expect(trim()).rejects.toThrow('killed')
  } finally {
    db.query = query
  }
  expect((await entriesOf(clinic.accountId))[0]?.seq).toBe(1)
  expect(await verified(clinic)).toMatchObject({ ok: true, chain: { trimmed: { sessions: 1 } } })
  expect((await trim())?.entries).toBeGreaterThan(0)
  expect((await entriesOf(clinic.accountId))[0]?.seq).toBeGreaterThan(1)
  expect(await verified(clinic)).toMatchObject({ ok: true })
})
