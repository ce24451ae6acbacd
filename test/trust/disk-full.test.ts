// @module-tag thorough
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Embedded, startEmbedded } from '../../src/store/database/embedded.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { send } from '../world/call.ts'
import { administer, databaseUrl } from '../world/database.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import { createSessions, lostOf } from './load.ts'
import { canMount, type SmallDisk, smallDisk } from './small-disk.ts'
import { fyrOn, printedKey } from './started.ts'

const folder = mkdtempSync(join(tmpdir(), 'fyr-full-'))
const isPossible = canMount(join(folder, 'trial'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function mounted(name: string, megabytes: number): SmallDisk {
  const disk = smallDisk(join(folder, name), megabytes)
  if (!disk) throw new Error('No file system may be mounted here.')
  return disk
}

const readiness = async (url: string) => {
  const { status, body } = await send(`${url}/readyz`, 'GET')
  return { status, type: (body as { type?: string }).type?.split('/').at(-1) }
}
const soon = { timeout: 60_000 }

/** Waits until the node has noticed, then until it has noticed that it is over. */
const full = (url: string) => expect.poll(() => readiness(url), soon).toEqual({ status: 503, type: 'storage-full' })
const ready = (url: string) => expect.poll(() => readiness(url), soon).toMatchObject({ status: 200 })

type Told = { status: number; body: unknown; headers: Headers | Record<string, unknown> }

/** The refusal says what is the matter, and when to come again. */
function expectNoRoom({ status, body, headers }: Told): void {
  expect(status).toBe(503)
  expect(body).toMatchObject({ type: expect.stringMatching(/storage-full$/), title: expect.stringContaining('room') })
  expect(headers instanceof Headers ? headers.get('retry-after') : headers['retry-after']).toMatch(/^\d+$/)
}

describe.skipIf(!isPossible)('F06 a full disk under the embedded database', () => {
  let disk: SmallDisk
  let data: string
  let node: Node
  let key: string

  beforeAll(async () => {
    disk = mounted('embedded', 400)
    data = join(disk.folder, 'data')
    node = await spawnNode({ DATA_DIR: data, REQUESTS_PER_SECOND_PER_KEY: '0', REQUESTS_PER_SECOND_PER_USER: '0' })
    key = await printedKey(node)
  })
  afterAll(async () => {
    await node.stop()
    disk.unmount()
  })

  test('writes are refused with a sentence, reads go on, nothing is half, and all goes on by itself when there is room', async () => {
    const patient = new Patient(node.url)
    await patient.enterOpen('demo')
    const [answerId, fileId, version] = [randomUUID(), randomUUID(), patient.now.version]
    const photo = await sharp({ create: { width: 900, height: 900, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
    const announce = { id: fileId, name: 'photo.jpg', size: photo.length }
    expect((await patient.call('POST', '/session/files', announce)).status).toBe(200)
    const sendPhoto = () => patient.call('PATCH', `/session/files/${fileId}`, photo, { 'upload-offset': '0' })
    const load = createSessions(node.url, key)
    await expect.poll(() => load.acknowledged.length, soon).toBeGreaterThan(20)

    disk.fill()
    await full(node.url)
    expectNoRoom(await send(`${node.url}/api/v1/session`, 'POST', { key }))
    expectNoRoom(await patient.answer('for_whom', 'self', { id: answerId, version }))
    expectNoRoom(await sendPhoto())
    expect(fyrOn(data, 'key', 'issue', '--configuration', 'demo')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no room left'),
    })
    expect(fyrOn(data, 'status')).toMatchObject({
      code: 1,
      out: expect.stringContaining('little or no room is left on the disk of the database'),
    })
    const [id = ''] = load.acknowledged
    expect((await send(`${node.url}/api/v1/session/${id}/status`, 'GET', { key })).status).toBe(200)
    expect((await send(`${node.url}/api/v1/accessControl/sessionCount`, 'GET', { key })).status).toBe(200)
    expect((await send(`${node.url}/t/demo`, 'GET')).status).toBe(200)
    expect((await patient.look()).status).toBe(200)
    expect((await patient.call('GET', '/session/files')).body).toMatchObject([
      { id: fileId, ready: false, received: 0 },
    ])
    expect((await send(`${node.url}/healthz`, 'GET')).status).toBe(200)

    disk.free()
    await ready(node.url)
    await load.stop()
    expect(load.failures).toEqual([])
    expect([...load.statuses.keys()].filter((status) => status !== 201 && status !== 503)).toEqual([])
    expect((await patient.answer('for_whom', 'self', { id: answerId, version })).status).toBe(200)
    expect((await sendPhoto()).body).toMatchObject({ ready: true })
    expect((await send(`${node.url}/api/v1/session`, 'POST', { key })).status).toBe(201)
    expect(await lostOf(node.url, key, load.acknowledged)).toEqual([])
    expect(fyrOn(data, 'audit', 'verify')).toMatchObject({ code: 0 })
    expect(node.log()).toContain('there is no room left on the disk of the database')
    expect(node.log()).toContain('there is room on the disk of the database again')
    expect(node.log()).not.toContain('internal error')
  })

  test('a command says so too where a first connection would have to write a file that is gone', async () => {
    const files = readdirSync(join(data, 'postgres'), { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((one) => one.endsWith('pg_internal.init'))) rmSync(join(data, 'postgres', file))
    disk.fill()
    expect(fyrOn(data, 'key', 'issue', '--configuration', 'demo')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no room left'),
    })
    disk.free()
    expect(fyrOn(data, 'key', 'issue', '--configuration', 'demo')).toMatchObject({ code: 0 })
    await ready(node.url)
  })

  test('a database that stops because it finds no room for its log is brought back to be read, and to be written when there is room', async () => {
    const made = await send(`${node.url}/api/v1/session`, 'POST', { key })
    const { sessionId } = made.body as { sessionId: string }
    const status = async () => (await send(`${node.url}/api/v1/session/${sessionId}/status`, 'GET', { key })).status
    const reserve = join(data, 'reserve')
    await expect.poll(() => existsSync(reserve), soon).toBe(true)
    const client = new pg.Client({ host: join(data, 'socket'), user: 'fyr', database: 'postgres' })
    client.on('error', () => {})
    await client.connect() // while there is room: a first connection to a database writes a file
    await client.query('select 1')
    disk.fill()
    await full(node.url)
    const writing = async () => {
      for (;;) await client.query('select pg_switch_wal(), pg_current_xact_id()')
    }
    await expect(writing()).rejects.toThrow() // until it finds no room and stops
    await expect.poll(() => node.log(), soon).toContain('the database was lost and is back')
    await expect.poll(status, soon).toBe(200)
    expect(existsSync(reserve)).toBe(false)
    await full(node.url)
    expectNoRoom(await send(`${node.url}/api/v1/session`, 'POST', { key }))
    disk.free()
    await ready(node.url)
    await expect.poll(() => existsSync(reserve), soon).toBe(true)
    expect((await send(`${node.url}/api/v1/session`, 'POST', { key })).status).toBe(201)
    expect(fyrOn(data, 'audit', 'verify')).toMatchObject({ code: 0 })
  })
})

describe.skipIf(!isPossible)('F06 a full disk under a database server', () => {
  let disk: SmallDisk
  let server: Embedded
  let world: World
  let clinic: Clinic

  beforeAll(async () => {
    disk = mounted('tablespace', 64)
    mkdirSync(join(disk.folder, 'space'))
    server = await startEmbedded(join(folder, 'server'), { endWithParent: true })
    await administer(server.url, `create tablespace small location '${join(disk.folder, 'space')}'`)
    await administer(server.url, 'create database small tablespace small')
    const url = databaseUrl(server.url, 'small')
    await migrate(url)
    world = await newWorld({}, { url, drop: async () => {} })
    clinic = await world.clinic()
  })
  afterAll(async () => {
    await world.close()
    await server.stop()
    disk.unmount()
  })

  test('writes are refused with a sentence, the node is not ready, reads go on, and all goes on by itself when there is room', async () => {
    const { key } = clinic
    const create = () => send(`${world.url}/api/v1/session`, 'POST', { key, json: { text: 'x'.repeat(1_900) } })
    const made = await create()
    const { sessionId } = made.body as { sessionId: string }
    disk.fill()
    const statuses = new Set<number>()
    for (let attempt = 0; attempt < 200 && !statuses.has(503); attempt++) statuses.add((await create()).status)
    expect([...statuses]).toEqual(expect.arrayContaining([503]))
    expect(await readiness(world.url)).toEqual({ status: 503, type: 'storage-full' })
    expectNoRoom(await create())
    expect((await send(`${world.url}/api/v1/session/${sessionId}/status`, 'GET', { key })).status).toBe(200)
    expect((await send(`${world.url}/t/${clinic.slug}`, 'GET')).status).toBe(200)
    // It does not forget: as long as there is no room, it is not ready.
    await new Promise((done) => setTimeout(done, 3_000))
    expect(await readiness(world.url)).toEqual({ status: 503, type: 'storage-full' })
    disk.free()
    await ready(world.url)
    expect((await create()).status).toBe(201)
  })
})
