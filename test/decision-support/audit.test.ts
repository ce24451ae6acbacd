import { spawnSync } from 'node:child_process'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyChain } from '../../src/events/verify.ts'
import { FYR } from '../world/bundle.ts'
import { expectProblem } from '../world/call.ts'
import { answered, auditOf, CHEST_PAIN, Clinician, linkTo, type Told, visiting } from '../world/clinician.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
let told: Told
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  told = await answered(world.url, clinic, CHEST_PAIN)
})
afterAll(() => world.close())

const READS = ['/picture?language=fi', '/summary?language=sv', '/pdf?language=en', '/fhir?language=no']

/** While it lasts no audit entry can be written, whatever the reason. */
async function withoutAudit<T>(work: () => Promise<T>): Promise<T> {
  await world.sql(
    `create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$`,
  )
  await world.sql(
    'create trigger refuse_audit before insert on audit_entries for each row execute function refuse_audit()',
  )
  try {
    return await work()
  } finally {
    await world.sql('drop trigger refuse_audit on audit_entries')
    await world.sql('drop function refuse_audit')
  }
}

describe('who saw what', () => {
  test('A16: every read is an entry with the identifier, what was done and to which session, and the chain is whole', async () => {
    const clinician = await visiting(world, clinic, told.sessionId, 'dr.a')
    for (const path of READS) expect((await clinician.call('GET', path)).status).toBe(200)
    const entries = (await auditOf(world, told.sessionId)).filter(({ actor }) => actor === 'clinician:dr.a')
    expect(entries.map(({ action }) => action)).toEqual([
      'visit.opened',
      'session.viewed',
      'session.summary.read',
      'session.pdf.read',
      'session.fhir.read',
    ])
    for (const { detail } of entries)
      expect(detail).toMatchObject({ auditUserIdentifier: 'dr.a', visit: clinician.visitId })
    expect(entries[1]?.detail.language).toBe('fi')
    expect(await verifyChain(world.app.core, clinic.accountId, [])).toMatchObject({ ok: true })
  })

  test('A16: when the entry cannot be written nothing is shown and nothing is changed', async () => {
    const clinician = await visiting(world, clinic, told.sessionId)
    const { token } = await linkTo(world.url, clinic, told.sessionId)
    const judgement = { id: crypto.randomUUID(), urgency: 'Level2', reason: 'no entry, no judgement' }
    const replies = await withoutAudit(async () => [
      ...(await Promise.all(READS.map((path) => clinician.call('GET', path)))),
      await clinician.call('POST', '/judgements', { json: judgement }),
      await new Clinician(world.url, clinic.slug).open(token),
    ])
    for (const reply of replies) {
      expectProblem(reply, 503, 'audit-unavailable')
      expect(reply.headers['retry-after']).toBeDefined()
      expect(reply.text).not.toMatch(/chest|Bisoprolol|Level[1-8]|disk full/i)
    }
    expect(await world.sql('select 1 from judgements where session_id = $1', [told.sessionId])).toEqual([])
    expect((await clinician.picture()).urgency.level).toBe('Level1')
    expect(await verifyChain(world.app.core, clinic.accountId, [])).toMatchObject({ ok: true })
  })

  test('the command line tells who saw what of a session, and that the chain is whole', async () => {
    const own = await answered(world.url, clinic, CHEST_PAIN)
    const clinician = await visiting(world, clinic, own.sessionId, 'dr.listed')
    await clinician.picture()
    const fyr = (...words: string[]) => {
      const env = { ...process.env, DATABASE_URL: world.databaseUrl, MASTER_KEY: world.masterKey.toString('base64') }
      return spawnSync('node', [FYR, ...words, '--account', clinic.accountId, '--json'], {
        encoding: 'utf8',
        env,
      })
    }
    const listed: { actor: string; action: string }[] = JSON.parse(
      fyr('audit', 'list', '--session', own.sessionId).stdout,
    )
    const seen = listed.filter(({ actor }) => actor === 'clinician:dr.listed').map(({ action }) => action)
    expect(seen).toEqual(['visit.opened', 'session.viewed'])
    expect(fyr('audit', 'verify')).toMatchObject({ status: 0 })
  })

  test('following along asks cheaply: signs of life write nothing, each change that is shown is one entry', async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    const clinician = await visiting(world, clinic, patient.now.sessionId, 'dr.follows')
    const version = async () =>
      ((await clinician.call('POST', '/alive', { json: {} })).body as { version: string }).version
    const first = await version()
    expect((await clinician.picture()).version).toBe(first)
    for (let time = 0; time < 5; time++) expect(await version()).toBe(first)
    await patient.answer('for_whom', 'self')
    const second = await version()
    expect(second).not.toBe(first)
    expect((await clinician.picture()).version).toBe(second)
    const mine = (await auditOf(world, patient.now.sessionId)).filter(({ actor }) => actor === 'clinician:dr.follows')
    expect(mine.map(({ action }) => action)).toEqual(['visit.opened', 'session.viewed', 'session.viewed'])
    expect(mine.map(({ detail }) => detail.version)).toEqual([undefined, first, second])
  })

  test('A16: a file that is looked at is an entry that names it; one that is not there is none, and without an entry none is shown', async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    const id = crypto.randomUUID()
    const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    await patient.call('POST', '/session/files', { id, name: 'rash.png', size: bytes.length })
    const sent = await patient.call('PATCH', `/session/files/${id}`, bytes, { 'upload-offset': '0' })
    expect(sent.body).toMatchObject({ ready: true })
    const clinician = await visiting(world, clinic, patient.now.sessionId, 'dr.files')
    expectProblem(await clinician.call('GET', `/files/${crypto.randomUUID()}`), 404, 'file-not-found')
    expectProblem(await withoutAudit(() => clinician.call('GET', `/files/${id}`)), 503, 'audit-unavailable')
    expect((await clinician.call('GET', `/files/${id}?size=small`)).status).toBe(200)
    const mine = (await auditOf(world, patient.now.sessionId)).filter(({ actor }) => actor === 'clinician:dr.files')
    expect(mine.map(({ action }) => action)).toEqual(['visit.opened', 'session.file.read'])
    expect(mine[1]?.detail).toMatchObject({ file: id, size: 'small' })
  })

  test('A19: an identifier meant to write lines of its own is kept exactly and breaks neither log nor chain', async () => {
    const hostile = 'dr "x"\r\n{"level":60,"msg":"forged"}\u001b[31m<script>alert(1)</script>\u202e😀'
    const clinician = await visiting(world, clinic, told.sessionId, hostile)
    const picture = await clinician.picture()
    expect(picture.viewer.auditUserIdentifier).toBe(hostile)
    const [newest] = (await auditOf(world, told.sessionId)).slice(-1)
    expect(newest).toMatchObject({ actor: `clinician:${hostile}`, detail: { auditUserIdentifier: hostile } })
    expect(await verifyChain(world.app.core, clinic.accountId, [])).toMatchObject({ ok: true })
    for (const line of world.log().trim().split('\n')) {
      expect(() => JSON.parse(line)).not.toThrow()
      expect(JSON.parse(line).msg).not.toBe('forged')
    }
  })

  test('A18: neither token nor secret of a visit is in any log line', async () => {
    const { token } = await linkTo(world.url, clinic, told.sessionId)
    const clinician = new Clinician(world.url, clinic.slug)
    await clinician.open(token, { embedded: true })
    await clinician.picture()
    await clinician.open(`${token}x`)
    await clinician.call('GET', `/picture?token=${token}`)
    await clinician.call('GET', `/nothing/${token}`)
    const [, secret = ''] = token.split('.')
    expect(world.log()).toContain('/api/decision-support/v1/visits')
    expect(world.log()).not.toContain(secret)
    expect(world.log()).not.toContain(clinician.secret)
  })
})
