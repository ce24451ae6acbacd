import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeAccount } from '../../src/account/provision.ts'
import { coreOf } from '../../src/events/core.ts'
import { verifyChain } from '../../src/events/verify.ts'
import { eraseAccount, erasureFault, exportAccount } from '../../src/session/export/offboard.ts'
import { SessionCache } from '../../src/session/interview/session-cache.ts'
import { Releases } from '../../src/session/releases.ts'
import { findAccount, removeSessions } from '../../src/store/accounts.ts'
import { send } from '../world/call.ts'
import { answered, SORE_THROAT } from '../world/clinician.ts'
import { commandLine } from '../world/command.ts'
import { picture, upload } from '../world/handoff.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
const { fyr } = commandLine(() => world)
const folder = mkdtempSync(join(tmpdir(), 'fyr-offboard-'))
const to = join(folder, 'handed-over')

beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})

const operator = () => coreOf(world.app.core.db, world.app.core.keyring, 'operator:Anna')
const account = async () => (await findAccount(world.app.core.db, clinic.accountId)) ?? expect.fail()
const exportTo = async (path: string) => {
  const core = operator()
  const releases = Releases.forReading(core, pino({ level: 'silent' }))
  return exportAccount({ core, releases, cache: new SessionCache() }, null, await account(), path)
}

test('A57 an account is handed over whole, erased only with that export, and its proof and chain can be verified', async () => {
  const { sessionId } = await answered(world.url, clinic, SORE_THROAT)
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  await upload(patient, 'arm.jpg', await picture(40, 40, 1))
  const { sessionId: erasedBefore } = await answered(world.url, clinic, SORE_THROAT)
  await send(`${world.url}/api/v1/session/${erasedBefore}`, 'DELETE', { key: clinic.key })
  expect(await erasureFault(operator(), await account(), to)).toContain('in service')
  await changeAccount(operator(), clinic.accountId, { active: false })
  expect(await erasureFault(operator(), await account(), to)).toContain('not exported yet')

  const run = await fyr('account', 'offboard', clinic.accountId, '--export-to', to, '--as', 'Anna', '--json')
  expect({ code: run.code, err: run.err }).toEqual({ code: 0, err: '' })
  const told = JSON.parse(run.out) as { sha256: string; sessions: number; files: number; auditEntries: number }
  expect(told).toMatchObject({ sessions: 2, files: 1, unreadable: [] })
  expect(readdirSync(to).sort()).toEqual(['account.json', 'audit.jsonl', 'manifest.sha256', 'sessions'])
  expect(readdirSync(join(to, 'sessions')).sort()).toEqual([sessionId, patient.now.sessionId].sort())
  expect(readFileSync(join(to, 'sessions', sessionId, 'session.json'), 'utf8')).toContain('Sore throat since Monday')
  expect(JSON.parse(readFileSync(join(to, 'account.json'), 'utf8'))).toMatchObject({
    account: { id: clinic.accountId, active: false },
    configurations: [{ slug: clinic.slug, keys: [{ configuration_id: clinic.configurationId }], webhooks: [] }],
  })
  const entries = readFileSync(join(to, 'audit.jsonl'), 'utf8').trimEnd().split('\n')
  expect(entries).toHaveLength(told.auditEntries)
  expect(entries.join()).not.toContain(clinic.key)
  const manifest = readFileSync(join(to, 'manifest.sha256'))
  expect(createHash('sha256').update(manifest).digest('hex')).toBe(told.sha256)

  // What happens after it, or to it, makes it worthless.
  expect(await erasureFault(operator(), await account(), to)).toBeNull()
  await send(`${world.url}/api/v1/session/${sessionId}`, 'GET', { key: clinic.key })
  expect(await erasureFault(operator(), await account(), to)).toContain('session.read')
  expect((await fyr('account', 'offboard', clinic.accountId, '--erase', to, '--yes')).err).toContain('export it again')
  const quiet = mkdtempSync(join(folder, 'quiet-'))
  await exportTo(quiet)
  expect(await erasureFault(operator(), await account(), quiet)).toBeNull()
  await patient.answerThrough({}, (asked) => asked === 'matter') // an answer is no audit entry
  expect(await erasureFault(operator(), await account(), quiet)).toContain(`active in session ${patient.now.sessionId}`)
  const second = mkdtempSync(join(folder, 'again-'))
  const { sha256 } = await exportTo(second)
  expect(await erasureFault(operator(), await account(), to)).toContain('not the last export')
  expect(await erasureFault(operator(), await account(), second)).toBeNull()
  const file = join(second, 'sessions', sessionId, 'summary.txt')
  const whole = readFileSync(file)
  appendFileSync(file, 'and more')
  expect(await erasureFault(operator(), await account(), second)).toContain('was changed')
  appendFileSync(file, '', { flag: 'w' })
  appendFileSync(file, whole)
  // Hours open and close by themselves until the clinic is gone.
  const byHours = {
    accountId: clinic.accountId,
    actor: 'fyr',
    action: 'access.closed',
    subject: clinic.accountId,
    detail: {},
  }
  await world.app.core.recorder.record(byHours)
  expect(await erasureFault(operator(), await account(), second)).toBeNull()
  // Only the rows here tell which objects a store holds.
  const [kept] = await world.sql(
    `update uploads set object_key = 'there' where account_id = $1 and ready_at is not null returning id`,
    [clinic.accountId],
  )
  await expect(eraseAccount(operator(), null, await account(), second)).rejects.toThrow('Nothing was erased')
  // Interrupted half-way, it is run again, and tells what both have erased.
  const away = () => Promise.reject(new Error('away'))
  const objects = { put: away, get: away, has: away, remove: away }
  await expect(eraseAccount(operator(), objects, await account(), second)).rejects.toThrow('away')
  await world.sql('update uploads set object_key = null where account_id = $1 and id = $2', [
    clinic.accountId,
    kept?.id,
  ])
  await removeSessions(world.app.core.db, clinic.accountId, 2)
  expect(await erasureFault(operator(), await account(), second)).toBeNull()

  const proof = await eraseAccount(operator(), null, await account(), second)
  expect(proof).toMatchObject({
    account: { id: clinic.accountId },
    by: 'operator:Anna',
    sessions: 2,
    export: { sha256, sessions: 2, files: 1 },
  })
  expect(JSON.parse(readFileSync(join(second, 'proof.json'), 'utf8'))).toEqual(proof)
  expect(await world.sql('select 1 from sessions where account_id = $1', [clinic.accountId])).toEqual([])
  const [last] = await world.sql('select * from audit_entries where account_id = $1 order by seq desc limit 1', [
    clinic.accountId,
  ])
  expect(last).toMatchObject({ action: 'account.removed', actor: 'operator:Anna', detail: { exportSha256: sha256 } })
  expect(Number(last?.seq)).toBe(proof.checkpoints[0]?.seq)
  expect(await verifyChain(operator(), clinic.accountId, proof.checkpoints)).toMatchObject({ ok: true, checkpoints: 1 })
  const verified = await fyr('audit', 'verify', '--checkpoint', join(second, 'checkpoints.jsonl'))
  expect({ code: verified.code, err: verified.err }).toEqual({ code: 0, err: '' })
})

test('a session that was changed past the program is named and not in the export, and the account is not erased with it', async () => {
  clinic = await world.clinic()
  const { sessionId } = await answered(world.url, clinic, SORE_THROAT)
  await world.sql('update sessions set urgency = 8 - coalesce(urgency, 0) where id = $1', [sessionId])
  await changeAccount(operator(), clinic.accountId, { active: false })
  const broken = mkdtempSync(join(folder, 'broken-'))
  expect(await exportTo(broken)).toMatchObject({ sessions: 0, unreadable: [sessionId] })
  expect(await erasureFault(operator(), await account(), broken)).toContain('could not be read')
})
