import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  changeAccount,
  changeConfiguration,
  configurationOf,
  issueKey,
  revokeKey,
} from '../../src/account/provision.ts'
import { eraseSession, removeLeftObjects } from '../../src/session/upkeep/erase.ts'
import { endVisits } from '../../src/session/visit.ts'
import { expectProblem, send } from '../world/call.ts'
import { auditOf, Clinician, linkTo } from '../world/clinician.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
let patient: Patient
let sessionId: string
let fileId: string
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  clinic = await world.clinic()
  patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  sessionId = patient.now.sessionId
  fileId = randomUUID()
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  await patient.call('POST', '/session/files', { id: fileId, name: 'arm.jpg', size: bytes.length })
  const sent = await patient.call('PATCH', `/session/files/${fileId}`, bytes, { 'upload-offset': '0' })
  expect(sent.body).toMatchObject({ ready: true })
})

const byKey = (path: string, key = clinic.key) =>
  send(`${world.url}/api/v1/session/${sessionId}${path}`, 'GET', { key })
const configuration = () => configurationOf(world.app.core, clinic.slug)

/** The address of the file as the interface gives it. */
async function address(key = clinic.key): Promise<string> {
  const reply = await byKey('/files', key)
  const [file] = reply.body as { downloadUrl: string }[]
  return new URL(file?.downloadUrl ?? '').pathname
}
const fetched = (path: string) => send(`${world.url}${path}`, 'GET')
const entries = async (action: string) => (await auditOf(world, sessionId)).filter((entry) => entry.action === action)

describe('D16: the address of a file', () => {
  test('each read by it is an audit entry that names the key it was listed for', async () => {
    const path = await address()
    expect(await entries('session.file.read')).toEqual([])
    expect((await fetched(path)).status).toBe(200)
    const [entry, ...more] = await entries('session.file.read')
    expect(entry).toMatchObject({ actor: expect.stringMatching(/^key:/), detail: { file: fileId, by: 'address' } })
    expect(more).toEqual([])
  })

  test('A13: it ends at once when the user signs out, and the clinic still reads the file by key', async () => {
    const path = await address()
    await patient.call('POST', '/sign-out')
    expectProblem(await fetched(path), 410, 'file-gone')
    const kept = await byKey(`/files/${fileId}`)
    expect([kept.status, kept.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expectProblem(await byKey(`/files/${randomUUID()}`), 404, 'file-not-found')
  })

  test('it ends at once with the key that listed it, and with no other', async () => {
    const { core } = world.app
    const other = await issueKey(core, await configuration())
    const [first, second] = [await address(), await address(other.key)]
    await revokeKey(core, await configuration(), other.id)
    expect((await fetched(first)).status).toBe(200)
    expectProblem(await fetched(second), 410, 'file-gone')
  })

  test('it ends at once when the configuration is switched off or the account is inactive', async () => {
    const { core } = world.app
    const path = await address()
    await changeConfiguration(core, await configuration(), { enabled: false })
    expectProblem(await fetched(path), 410, 'file-gone')
    await changeConfiguration(core, await configuration(), { enabled: true })
    expect((await fetched(path)).status).toBe(200)
    await changeAccount(core, clinic.accountId, { active: false })
    expectProblem(await fetched(path), 410, 'file-gone')
  })
})

describe('D17: links and visits are taken back', () => {
  const visitor = () => new Clinician(world.url, clinic.slug)

  test('once a visit of a link is ended by its user, the link opens no other', async () => {
    const { token } = await linkTo(world.url, clinic, sessionId)
    const [one, other] = [visitor(), visitor()]
    expect([(await one.open(token)).status, (await other.open(token)).status]).toEqual([201, 201])
    expect((await one.call('POST', '/close', { json: {} })).status).toBe(204)
    expectProblem(await visitor().open(token), 410, 'link-expired')
    expect((await other.call('GET', '/picture')).status).toBe(200)
  })

  test('revoking the key that issued it ends a link and its visits', async () => {
    const { core } = world.app
    const key = await issueKey(core, await configuration())
    const { token } = await linkTo(world.url, { ...clinic, key: key.key }, sessionId)
    const one = visitor()
    await one.open(token)
    await revokeKey(core, await configuration(), key.id)
    expectProblem(await one.call('GET', '/picture'), 401, 'visit-missing')
    expectProblem(await visitor().open(token), 410, 'link-expired')
  })

  test('an operator ends the visits of one user, with the links they came from, and leaves the others', async () => {
    const links = await Promise.all(['anna', 'bo'].map((user) => linkTo(world.url, clinic, sessionId, user)))
    const visitors = [visitor(), visitor()]
    for (const [at, one] of visitors.entries()) await one.open(links[at]?.token ?? '')
    const wanted = { sessionId: null, keyId: null, auditUserIdentifier: 'anna' }
    expect(await endVisits(world.app.core, clinic.accountId, wanted)).toBe(1)
    expectProblem((await visitors[0]?.call('GET', '/picture')) as never, 401, 'visit-missing')
    expectProblem(await visitor().open(links[0]?.token ?? ''), 410, 'link-expired')
    expect((await visitors[1]?.call('GET', '/picture'))?.status).toBe(200)
    const [ended] = await world.sql(
      `select count(*)::int as n from audit_entries where account_id = $1 and action = 'visits.ended'`,
      [clinic.accountId],
    )
    expect(ended).toEqual({ n: 1 })
  })
})

describe('A51: erasing a session', () => {
  test('leaves no bytes of its files in the database', async () => {
    await patient.call('POST', '/session/files', { id: randomUUID(), name: 'half.jpg', size: 100 })
    await eraseSession(world.app.core, clinic.accountId, sessionId, 'operator')
    const rows = await world.sql('select sealed_bytes, sealed_name from uploads where session_id = $1', [sessionId])
    for (const row of rows) expect(row).toEqual({ sealed_bytes: null, sealed_name: Buffer.alloc(0) })
    expect(await world.sql('select 1 from upload_parts where session_id = $1', [sessionId])).toEqual([])
  })

  test('and its files in an object store go too; what fails is tried again', async () => {
    const { core } = world.app
    await world.sql('update uploads set object_key = $2, sealed_bytes = null where session_id = $1', [
      sessionId,
      'there',
    ])
    await eraseSession(core, clinic.accountId, sessionId, 'operator')
    const removed: string[] = []
    const store = (isAway: boolean) => ({
      put: async () => {},
      get: async () => null,
      has: async () => false,
      remove: async (key: string) => {
        if (isAway) throw new Error('away')
        removed.push(key)
      },
    })
    await expect(removeLeftObjects(core, store(true), clinic.accountId)).rejects.toThrow('away')
    expect(await removeLeftObjects(core, store(false), clinic.accountId)).toBe(1)
    expect(removed).toEqual([`${clinic.accountId}/${sessionId}/${fileId}`])
    expect(await removeLeftObjects(core, store(false), clinic.accountId)).toBe(0)
  })
})
