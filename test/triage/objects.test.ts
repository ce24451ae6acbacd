// @module-tag thorough
import { randomBytes, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeBackup } from '../../src/session/backups/make.ts'
import { restoreBackup } from '../../src/session/backups/restore.ts'
import { removeLeftObjects } from '../../src/session/upkeep/erase.ts'
import { readSettings } from '../../src/settings.ts'
import { backupAt, destinationAt } from '../../src/store/backup/places.ts'
import { send } from '../world/call.ts'
import { administer, freshDatabase } from '../world/database.ts'
import type { RequestFault } from '../world/fault-proxy.ts'
import { brokenInvariants } from '../world/invariants.ts'
import { spawnNode } from '../world/nodes.ts'
import { Patient, type Reply } from '../world/patient.ts'
import { hasS3Server, type S3Server, startS3 } from '../world/s3.ts'
import { integrator } from '../world/stage.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

describe.runIf(hasS3Server())('files in an S3-compatible store', () => {
  let store: S3Server
  let world: World
  let clinic: Clinic
  let picture: Buffer

  beforeAll(async () => {
    store = await startS3()
    world = await newWorld(store.environment)
    clinic = await world.clinic()
    picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
  })
  afterEach(() => store.plant(() => null))
  afterAll(async () => {
    await world.close()
    await store.close()
  })

  const entered = async (): Promise<Patient> => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    return patient
  }
  const announced = async (patient: Patient): Promise<string> => {
    const id = randomUUID()
    await patient.call('POST', '/session/files', { id, name: 'x.jpg', size: picture.length })
    return id
  }
  const sent = (patient: Patient, id: string): Promise<Reply> =>
    patient.call('PATCH', `/session/files/${id}`, picture, { 'upload-offset': '0' })
  const keyOf = ({ now }: Patient, id: string): string => `${clinic.accountId}/${now.sessionId}/${id}`
  const fetched = ({ now }: Patient, id: string) =>
    send(`${world.url}/api/v1/session/${now.sessionId}/files/${id}`, 'GET', { key: clinic.key })

  const expectAway = ({ status, body }: { status: number; body: unknown }) =>
    expect({ status, body }).toMatchObject({ status: 503, body: { type: expect.stringMatching(/files-away$/) } })
  const expectNoKeysIn = (text: string) => {
    for (const key of [store.environment.S3_SECRET_ACCESS_KEY, store.environment.S3_ACCESS_KEY_ID])
      expect(text).not.toContain(key)
  }

  test('what is put can be got and removed; a wrong secret is refused', async () => {
    const key = `test/${randomUUID()}`
    await store.objects().put(key, Buffer.from('sealed'))
    expect((await store.objects().get(key))?.toString()).toBe('sealed')
    expect(await store.objects().has(key)).toBe(true)
    await store.objects().remove(key)
    expect(await store.objects().get(key)).toBeNull()
    expect(await store.objects().has(key)).toBe(false)
    const stranger = store.objects('wrong')
    for (const refused of [() => stranger.put(key, Buffer.from('x')), () => stranger.get(key), () => stranger.has(key)])
      await expect(refused()).rejects.toMatchObject({ isPassing: false })
    expect(await store.list('files')).toEqual([])
  })

  test('a file sent to one node is fetched from another, is sealed in the store, and is gone from it when removed', async () => {
    const node = await spawnNode({
      ...store.environment,
      DATABASE_URL: world.databaseUrl,
      MASTER_KEY: world.masterKey.toString('base64'),
      PUBLIC_URL: world.url.replace('127.0.0.1', 'localhost'),
    })
    try {
      const patient = await entered()
      const id = await announced(patient)
      expect((await sent(patient, id)).body).toMatchObject({ ready: true })
      const stored = await store.objects().get(keyOf(patient, id))
      expect(stored?.subarray(0, 3)).not.toEqual(Buffer.from([0xff, 0xd8, 0xff]))
      const listed = Object.values(
        await integrator({ world, urls: [node.url] }, clinic).get(`/session/${patient.now.sessionId}/files`),
      ).find((one) => typeof one === 'object') as { downloadUrl: string }
      const address = new URL(listed.downloadUrl).pathname
      expect((await fetch(`${node.url}${address}`)).status).toBe(200)
      await patient.call('DELETE', `/session/files/${id}`)
      expect((await fetch(`${node.url}${address}`)).status).toBe(404)
      expect(await store.objects().get(keyOf(patient, id))).toBeNull()
    } finally {
      await node.stop()
    }
  })

  test.for<RequestFault>(['busy', 'cut', 'unanswered', 'silent'])(
    'a store that is %s: nothing half counts as whole, and what is sent or asked again is whole',
    async (fault) => {
      const patient = await entered()
      const id = await announced(patient)
      store.plant(() => fault)
      const refused = await sent(patient, id)
      expectAway(refused)
      expect((await fetched(patient, id)).status).toBe(404)
      store.plant(() => null)
      expect((await sent(patient, id)).body).toMatchObject({ ready: true })
      store.plant(() => fault)
      const unread = await fetched(patient, id)
      expectAway(unread)
      expect(unread.headers['retry-after']).toBe('1')
      store.plant(() => null)
      const read = await fetched(patient, id)
      expect(read.status).toBe(200)
      const stored = await world.sql('select stored_size from uploads where id = $1', [id])
      expect(read.headers['content-length']).toBe(String(stored[0]?.stored_size))
      expectNoKeysIn(JSON.stringify(refused.body) + unread.text + world.log())
    },
  )

  test.for<RequestFault>(['busy', 'silent'])(
    'whoever erases while the store is %s is answered, and the bytes go when it is back',
    async (fault) => {
      const patient = await entered()
      const id = await announced(patient)
      await sent(patient, id)
      store.plant(() => fault)
      const { sessionId } = patient.now
      expect((await send(`${world.url}/api/v1/session/${sessionId}`, 'DELETE', { key: clinic.key })).status).toBe(204)
      expect((await fetched(patient, id)).status).toBe(404)
      store.plant(() => null)
      expect(await store.list('files')).toContain(keyOf(patient, id))
      await removeLeftObjects(world.app.core, store.objects(), clinic.accountId)
      expect(await store.list('files')).not.toContain(keyOf(patient, id))
    },
  )

  test('bytes whose file never became ready are removed with their session', async () => {
    const patient = await entered()
    const id = await announced(patient)
    store.plant((_at, method) => (method === 'PUT' ? 'unanswered' : null))
    expectAway(await sent(patient, id))
    expect(await store.list('files')).toContain(keyOf(patient, id))
    const { sessionId } = patient.now
    await send(`${world.url}/api/v1/session/${sessionId}`, 'DELETE', { key: clinic.key })
    expect(await store.list('files')).not.toContain(keyOf(patient, id))
  })

  test('a file that is removed while its bytes are on their way to the store is not left there', async () => {
    const patient = await entered()
    const id = await announced(patient)
    const { promise: isRemoved, resolve: removed } = Promise.withResolvers<void>()
    const { promise: isComing, resolve: coming } = Promise.withResolvers<void>()
    store.plant((_at, method) => {
      if (method !== 'PUT') return null
      coming()
      return isRemoved
    })
    const sending = sent(patient, id)
    await isComing
    expect((await patient.call('DELETE', `/session/files/${id}`)).status).toBe(204)
    removed()
    expect((await sending).status).toBe(404)
    expect(await store.list('files')).not.toContain(keyOf(patient, id))
  })

  test('the store is killed while files are sent: what was acknowledged is there when it is back, and the rest can be sent again', async () => {
    const acknowledged: [Patient, string][] = []
    const refused: Reply[] = []
    let isOver = false
    const people = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        const patient = await entered()
        const id = await announced(patient)
        for (;;) {
          const reply = await sent(patient, id)
          if (reply.status === 200) break
          refused.push(reply)
        }
        acknowledged.push([patient, id])
      }
    })
    await expect.poll(() => acknowledged.length).toBeGreaterThan(4)
    await store.kill()
    await expect.poll(() => refused.length).toBeGreaterThan(2)
    const before = acknowledged.length
    await store.start()
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 3)
    isOver = true
    await Promise.all(people)
    refused.forEach(expectAway)
    for (const [patient, id] of acknowledged) expect((await fetched(patient, id)).status).toBe(200)
    expect(await brokenInvariants(world)).toEqual([])
  })

  describe('backups', () => {
    const backupKey = randomBytes(32)
    let place: Awaited<ReturnType<typeof freshDatabase>>
    beforeAll(async () => {
      place = await freshDatabase(inject('serverUrl'), 'template0')
      // More than one object's worth, whatever the content weighs.
      const [patient, id] = [await entered(), randomUUID()]
      await patient.call('POST', '/session/files', { id, name: 'x.jpg', size: 9_000_000 })
      await world.sql(
        `insert into upload_parts (account_id, session_id, upload_id, start, sealed) values ($1, $2, $3, 0, $4)`,
        [clinic.accountId, patient.now.sessionId, id, randomBytes(9_000_000)],
      )
    })
    afterAll(() => place.drop())

    const settings = (more: Record<string, string> = {}) =>
      readSettings({
        DATABASE_URL: place.url,
        MASTER_KEY: world.masterKey.toString('base64'),
        ...store.environment,
        ...more,
      })
    const made = (more?: Record<string, string>) =>
      makeBackup(world.app.core, {
        backupKey,
        destination: () => destinationAt(settings(more), 's3://copies/of/fyr', new Date()),
        actor: 'operator:test',
      })
    const restored = (from: string) =>
      restoreBackup(settings(), { parts: backupAt(settings(), from), backupKey }, 'operator:test')

    test('one is made below a prefix and restored from there, through requests that are refused, cut and not answered', async () => {
      const faults: (RequestFault | null)[] = ['busy', null, 'cut', 'unanswered']
      store.plant((at) => faults[at] ?? null)
      const { place: at, tables } = await made()
      const folder = at.replace('s3://copies/', '')
      const parts = (await store.list('copies')).filter((key) => key.startsWith(folder))
      expect(parts.length).toBeGreaterThan(1)
      store.plant((at) => faults[at] ?? null)
      expect((await restored(at)).tables).toEqual(tables)
    })

    test('one that the store does not take, or does not give back whole, is told in a sentence, and leaves nothing behind', async () => {
      const before = await store.list('copies')
      const sentence = 'The object store cannot be reached, or refused us. Look at S3_URL and its key.'
      await expect(made({ S3_SECRET_ACCESS_KEY: 'wrong' })).rejects.toThrow(sentence)
      store.plant((at, method) => (method === 'PUT' && at > 0 ? 'busy' : null)) // its second part
      await expect(made()).rejects.toThrow(sentence)
      expect(await store.list('copies')).toEqual(before)
      const empty = await freshDatabase(inject('serverUrl'), 'template0')
      try {
        store.plant((at) => (at > 0 ? 'cut' : null))
        const first = `s3://copies/${before[0]?.replace(/\/\d+$/, '')}`
        const onEmpty = settings({ DATABASE_URL: empty.url })
        const cut = restoreBackup(onEmpty, { parts: backupAt(onEmpty, first), backupKey }, 'operator:test')
        await expect(cut).rejects.toThrow(sentence)
        const tables = await administer(empty.url, `select from pg_tables where schemaname = 'public'`)
        expect(tables.rows).toEqual([])
      } finally {
        await empty.drop()
      }
    })
  })
})
