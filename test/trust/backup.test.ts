// @module-tag thorough
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { verifyAll } from '../../src/cli/audit.ts'
import { takeCheckpoint } from '../../src/events/checkpoint.ts'
import { makeBackup } from '../../src/session/backups/make.ts'
import { restoreBackup } from '../../src/session/backups/restore.ts'
import { eraseSession } from '../../src/session/upkeep/erase.ts'
import { readSettings } from '../../src/settings.ts'
import { backupFile, readBackupFile } from '../../src/store/backup/files.ts'
import { backupAt, destinationAt } from '../../src/store/backup/places.ts'
import { send } from '../world/call.ts'
import { SORE_THROAT } from '../world/clinician.ts'
import { administer, freshDatabase } from '../world/database.ts'
import { brokenInvariants } from '../world/invariants.ts'
import { Patient } from '../world/patient.ts'
import { type ClinicWithWebhook, completedSession, eventually, newScene, type Scene } from '../world/webhook-scene.ts'
import { newWorld, type World } from '../world/world.ts'

const EMPTY = 'template0'
const backupKey = randomBytes(32)
let scene: Scene
let clinic: ClinicWithWebhook
let folder: string
let file: string

beforeAll(async () => {
  scene = await newScene({ WEBHOOK_CONCURRENCY: '0' })
  clinic = await scene.clinic('one')
  folder = mkdtempSync(join(tmpdir(), 'fyr-backup-'))
  file = join(folder, 'one.backup')
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await scene.close()
})

const settingsFor = (url: string, masterKey = scene.world.masterKey) =>
  readSettings({ DATABASE_URL: url, MASTER_KEY: masterKey.toString('base64') })

const emptyDatabase = () => freshDatabase(inject('serverUrl'), EMPTY)

/** The same service on a database that was restored from these bytes. */
async function restoredWorld(from: string): Promise<World> {
  const place = await emptyDatabase()
  const restoring = { parts: readBackupFile(from), backupKey }
  await restoreBackup(settingsFor(place.url), restoring, 'operator:test')
  return newWorld({ WEBHOOK_CONCURRENCY: '0' }, place)
}

/** Patients who answer one session after another; what was acknowledged to them, as number of answers by session. */
function busyPatients(count: number) {
  const acknowledged = new Map<string, number>()
  let isOver = false
  let answers = 0
  const note = (patient: Patient) => {
    acknowledged.set(patient.now.sessionId, patient.now.version)
    answers++
    return isOver
  }
  const all = Array.from({ length: count }, async () => {
    while (!isOver) {
      const patient = new Patient(scene.world.url)
      await patient.enterOpen(clinic.slug)
      await patient.answerThrough(SORE_THROAT, () => note(patient))
      if (!isOver) await patient.finish()
    }
  })
  return {
    acknowledged,
    answers: () => answers,
    leave: async () => {
      isOver = true
      await Promise.all(all)
    },
  }
}

const createdWith = (url: string, key: string) =>
  send(`${url}/api/v1/session`, 'POST', {
    key: clinic.key,
    json: { text: 'A cough', patient: { age: 40 } },
    headers: { 'Idempotency-Key': key },
  })

const opened = (url: string) => send(`${url}/api/v1/accessControl/open`, 'POST', { key: clinic.key })

test('F33: a backup made while patients answer restores everything acknowledged before it, whole, and the service goes on from there', async () => {
  const { world } = scene
  expect((await opened(world.url)).status).toBe(200)
  const sessionId = await completedSession(scene, clinic)
  const asked = await createdWith(world.url, 'only-once')
  const halfway = new Patient(world.url)
  await halfway.enterOpen(clinic.slug)
  await halfway.answerThrough(SORE_THROAT, (id) => id === 'matter')
  const deliveries = await world.sql('select id, state from webhook_deliveries order by id')
  const patients = busyPatients(4)
  await eventually(() => patients.answers() > 20 && patients.acknowledged.size > 3)

  const before = new Map(patients.acknowledged)
  const duringWrites = async () => {
    const to = await backupFile(file)
    return {
      ...to,
      // The moment is fixed when the first byte is written: what comes from now on is not in it.
      write: async (bytes: Buffer) => {
        const seen = patients.answers()
        while (patients.answers() < seen + 5) await nextTurn()
        await to.write(bytes)
      },
    }
  }
  const made = await makeBackup(world.app.core, { backupKey, destination: duringWrites, actor: 'operator:test' })
  await patients.leave()
  expect(made.tables.find(({ name }) => name === 'sessions')?.rows).toBeLessThan(
    Number((await world.sql('select count(*) from sessions'))[0]?.count),
  )
  expect(readFileSync(file).includes('Sore throat')).toBe(false)

  const restored = await restoredWorld(file)
  try {
    const kept = await restored.sql(
      `select s.id, s.version, count(a.seq)::int as answers from sessions s
       left join answers a on a.account_id = s.account_id and a.session_id = s.id group by s.account_id, s.id`,
    )
    const versions = new Map(kept.map(({ id, version }) => [String(id), Number(version)]))
    expect(before.size).toBeGreaterThan(3)
    expect([...before].filter(([id, version]) => (versions.get(id) ?? -1) < version)).toEqual([])
    expect(await brokenInvariants(restored)).toEqual([])
    const verified = await verifyAll(restored.app.core, [], null)
    expect(verified.filter(({ ok }) => !ok)).toEqual([])
    expect(verified.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(versions.size)

    const info = (url: string) => send(`${url}/api/v1/session/${sessionId}`, 'GET', { key: clinic.key })
    const { body } = await info(world.url)
    expect(await info(restored.url)).toMatchObject({ status: 200, body: { ...(body as object) } })
    expect((await createdWith(restored.url, 'only-once')).body).toEqual(asked.body)
    expect(await restored.sql('select id, state from webhook_deliveries')).toEqual(expect.arrayContaining(deliveries))

    const back = new Patient(restored.url)
    back.cookie = halfway.cookie
    expect((await back.look()).status).toBe(200)
    await back.answerThrough(SORE_THROAT)
    expect((await back.finish()).status).toBe(200)
    expect((await opened(restored.url)).status).toBe(200) // the numbers of its events go on, too
    expect(await restored.sql(`select action from audit_entries where action like 'backup.%' order by seq`)).toEqual([
      { action: 'backup.restored' },
    ])
  } finally {
    await restored.close()
  }
})

describe('a backup that cannot be restored is refused with its own sentence, and the database stays empty', () => {
  let bytes: Buffer
  let place: Awaited<ReturnType<typeof emptyDatabase>>

  beforeAll(async () => {
    const made = join(folder, 'good.backup')
    const destination = () => backupFile(made)
    await makeBackup(scene.world.app.core, { backupKey, destination, actor: 'operator:test' })
    bytes = readFileSync(made)
    place = await emptyDatabase()
  })
  afterAll(() => place.drop())

  const flipped = (at: number) => {
    const altered = Buffer.from(bytes)
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
    return altered
  }
  /** Where each part begins; the last one is the end of the whole. */
  const parts = () => {
    const begins: number[] = []
    for (let at = 17 + bytes.readUInt32BE(13); at < bytes.length; at += 20 + (bytes.readUInt32BE(at) & 0x7f_ff_ff_ff))
      begins.push(at)
    return begins
  }
  const part = (number: number) => parts()[number] ?? 0
  const swapped = () =>
    Buffer.concat([
      bytes.subarray(0, part(0)),
      bytes.subarray(part(1), part(2)),
      bytes.subarray(part(0), part(1)),
      bytes.subarray(part(2)),
    ])
  const renamed = () => {
    const [from, to] = [Buffer.from('0001_accounts.sql'), Buffer.from('9001_accounts.sql')]
    const altered = Buffer.from(bytes)
    to.copy(altered, altered.indexOf(from))
    return altered
  }

  const restore = (given: Buffer | AsyncIterable<Buffer>, key = backupKey, masterKey?: Buffer, url = place.url) => {
    const source = Buffer.isBuffer(given) ? readBackupFile(written(given)) : given
    return restoreBackup(settingsFor(url, masterKey), { parts: source, backupKey: key }, 'operator:test')
  }
  const written = (content: Buffer) => {
    const path = join(folder, 'altered.backup')
    writeFileSync(path, content)
    return path
  }
  const tablesThere = async () =>
    (await administer(place.url, `select tablename from pg_tables where schemaname = 'public'`)).rows

  test.for<[string, () => Buffer, RegExp]>([
    ['cut in the middle', () => bytes.subarray(0, Math.floor(bytes.length / 2)), /cut short/],
    ['cut between two parts', () => bytes.subarray(0, parts().at(-1)), /cut short/],
    ['without its last byte', () => bytes.subarray(0, -1), /cut short/],
    ['a byte changed in the middle', () => flipped(Math.floor(bytes.length / 2)), /altered or damaged: part \d+/],
    ['a byte changed at its end', () => flipped(bytes.length - 1), /altered or damaged: part \d+/],
    [
      'a byte changed in what it says of itself',
      () => flipped(bytes.indexOf('takenAt') + 20),
      /altered or damaged: part 1 /,
    ],
    ['two parts in another order', swapped, /altered or damaged: part 1 /],
    ['something added', () => Buffer.concat([bytes, Buffer.from('x')]), /something follows its end/],
    ['no backup at all', () => Buffer.from('a shopping list, say'), /not a backup made by Fyr/],
    ['of a Fyr with other migrations', renamed, /migration 9001_accounts.sql this version does not have/],
  ])('%s', async ([, altered, sentence]) => {
    await expect(restore(altered())).rejects.toThrow(sentence)
    expect(await tablesThere()).toEqual([])
  })

  test('another backup key', { tags: 'slice' }, () =>
    expect(restore(bytes, randomBytes(32))).rejects.toThrow(/another backup key/),
  )

  test('another master key', () =>
    expect(restore(bytes, backupKey, randomBytes(32))).rejects.toThrow(/another master key/))

  test('a database that is not empty', () =>
    expect(restore(bytes, backupKey, undefined, scene.world.databaseUrl)).rejects.toThrow(/not empty/))

  test('the connection is lost half-way', async () => {
    async function* lost() {
      yield bytes.subarray(0, part(3))
      await scene.world.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fyr restore'`,
      )
      yield bytes.subarray(part(3))
    }
    await expect(restore(lost())).rejects.toThrow()
    expect(await tablesThere()).toEqual([])
  })

  test('and after all of these the database takes the good one', async () => {
    expect((await restore(bytes)).tables.length).toBeGreaterThan(20)
  })
})

/** As much of an object store as backups use: objects by their path. */
async function objectServer() {
  const objects = new Map<string, Buffer>()
  const server = createServer(async (request, reply) => {
    const [method, path] = [request.method, decodeURIComponent(request.url ?? '')]
    const body = Buffer.concat(await Array.fromAsync(request))
    if (method === 'PUT') objects.set(path, body)
    else if (method === 'DELETE') objects.delete(path)
    const found = objects.get(path)
    reply.writeHead(method === 'DELETE' ? 204 : found ? 200 : 404).end(method === 'GET' ? found : undefined)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { objects, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

test('a backup is kept in an object store, below a prefix, and restored from there; one whose end is missing is told', async () => {
  const store = await objectServer()
  const place = await emptyDatabase()
  const settings = readSettings({
    DATABASE_URL: place.url,
    MASTER_KEY: scene.world.masterKey.toString('base64'),
    S3_URL: `${store.url}/files`,
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  })
  try {
    const destination = () => destinationAt(settings, 's3://copies/of/fyr', new Date('2026-11-16T14:03:22Z'))
    const made = await makeBackup(scene.world.app.core, { backupKey, destination, actor: 'operator:test' })
    expect(made.place).toBe('s3://copies/of/fyr/fyr-20261116T140322Z.backup')
    const parts = [...store.objects.keys()]
    expect(parts[0]).toBe('/copies/of/fyr/fyr-20261116T140322Z.backup/000000')
    const restore = () => restoreBackup(settings, { parts: backupAt(settings, made.place), backupKey }, 'operator:test')
    const last = parts.at(-1) ?? ''
    const whole = store.objects.get(last) ?? Buffer.alloc(0)
    store.objects.set(last, whole.subarray(0, -100))
    await expect(restore()).rejects.toThrow(/cut short/)
    store.objects.set(last, whole)
    expect((await restore()).tables).toEqual(made.tables)
    await expect(Array.fromAsync(backupAt(settings, 's3://copies/nothing'))).rejects.toThrow(/no backup at/)
  } finally {
    store.close()
    await place.drop()
  }
})

test('A51: a backup made after an erasure brings nothing back; one from before does while it is kept, and verifying with a checkpoint tells', async () => {
  const { core } = scene.world.app
  const sessionId = await completedSession(scene, clinic, { text: 'To be erased' })
  const [before, after] = [join(folder, 'before.backup'), join(folder, 'after.backup')]
  const into = (path: string) => ({ backupKey, destination: () => backupFile(path), actor: 'operator:test' })
  await makeBackup(core, into(before))
  await eraseSession(core, clinic.accountId, sessionId, 'operator')
  await makeBackup(core, into(after))
  const checkpoint = await takeCheckpoint(core, clinic.accountId, new Date())
  const found: unknown[] = []
  for (const path of [before, after]) {
    const restored = await restoredWorld(path)
    const { status } = await send(`${restored.url}/api/v1/session/${sessionId}/status`, 'GET', { key: clinic.key })
    const [verified] = await verifyAll(restored.app.core, checkpoint ? [checkpoint] : [], clinic.accountId)
    const sealed = await restored.sql('select sealed_key, sealed_matter, sealed_outcome from sessions where id = $1', [
      sessionId,
    ])
    const isLeft = Object.values(sealed[0] ?? {}).some((value) => value !== null)
    found.push({ status, isLeft, isWhole: verified?.ok })
    await restored.close()
  }
  expect(found).toEqual([
    { status: 200, isLeft: true, isWhole: false },
    { status: 404, isLeft: false, isWhole: true },
  ])
})
