import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { spawnNode } from '../world/nodes.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import { problemIn } from './wire.ts'

const MB = 1024 * 1024
const LARGE = 19 * MB
const MOST_OF_ONE = 4 * MB
const MOST_OF_ALL = 64 * MB

let world: World
let clinic: Clinic
const sockets: Socket[] = []
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => world.close())

async function entered(url = world.url): Promise<Patient> {
  const patient = new Patient(url)
  await patient.enterOpen(clinic.slug)
  return patient
}

async function announced(patient: Patient, size: number): Promise<string> {
  const id = randomUUID()
  expect((await patient.call('POST', '/session/files', { id, name: 'a.jpg', size })).status).toBe(200)
  return id
}

type Sending = { socket: Socket; heard: () => string; closed: Promise<void> }

/** Begins to send a file's bytes and says no more. */
function begin(url: string, { cookie }: Patient, id: string, length: number, bytes: Buffer): Sending {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  sockets.push(socket)
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  const head = [
    `PATCH /api/triage/v1/session/files/${id} HTTP/1.1`,
    'Host: x',
    `Cookie: ${cookie}`,
    'Sec-Fetch-Site: same-origin',
    'Content-Type: application/octet-stream',
    'Upload-Offset: 0',
    `Content-Length: ${length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(bytes)
  return { socket, heard: () => heard, closed }
}

async function measured(metricsUrl: string, name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

const picture = (size = 60) =>
  sharp({
    create: {
      width: size,
      height: size,
      channels: 3,
      background: 'red',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg({ quality: 95 })
    .toBuffer()

async function uploads(patient: Patient): Promise<void> {
  const bytes = await picture()
  const id = await announced(patient, bytes.length)
  const reply = await patient.call('PATCH', `/session/files/${id}`, bytes, { 'upload-offset': '0' })
  expect(reply.body).toMatchObject({ id, ready: true })
}

test('A30: eighty stalled uploads of one user take up little memory, and others can send theirs', {
  tags: 'thorough',
}, async () => {
  const node = await spawnNode({
    DATABASE_URL: world.databaseUrl,
    MASTER_KEY: world.masterKey.toString('base64'),
    REQUESTS_PER_SECOND_PER_USER: '0',
  })
  try {
    const metrics = `http://127.0.0.1:${node.metricsPort}/metrics`
    await uploads(await entered(node.url))
    const resident = () => measured(metrics, 'fyr_process_resident_memory_bytes')
    const before = await resident()
    const greedy = await entered(node.url)
    const ids = await Promise.all(Array.from({ length: 10 }, () => announced(greedy, LARGE)))
    const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(6 * MB)])
    const all = Array.from({ length: 80 }, (_, at) => begin(node.url, greedy, ids[at % 10] ?? '', LARGE, bytes))
    await vi.waitFor(() => expect(all.filter(({ heard }) => heard() !== '').length).toBeGreaterThan(60), 40_000)
    await uploads(await entered(node.url))
    expect((await resident()) - before).toBeLessThan(250 * MB)
    expect(await measured(metrics, 'fyr_upload_bytes')).toBeGreaterThan(0)
    expect(await measured(metrics, 'fyr_upload_bytes_highest')).toBeLessThanOrEqual(MOST_OF_ONE + MB)
    const refused = all.map(({ heard }) => heard()).filter((heard) => heard.startsWith('HTTP/1.1 429'))
    expect(refused.length).toBeGreaterThan(0)
    for (const heard of refused) expect(heard).toMatch(/^retry-after: [1-9]/im)
  } finally {
    await node.stop('SIGKILL')
  }
})

test('A30: what all of a node may hold is bounded too; who finds no room is told when to come back, and then goes on', async () => {
  const metrics = world.metricsUrl
  const late = await entered()
  const bytes = await picture()
  const lateId = await announced(late, bytes.length)
  const send = () => late.call('PATCH', `/session/files/${lateId}`, bytes, { 'upload-offset': '0' })
  const first = Buffer.from([0xff, 0xd8, 0xff, 0])
  const files: [Patient, string][] = []
  for (let user = 0; user < 17; user++) {
    const patient = await entered()
    for (let file = 0; file < 4; file++) files.push([patient, await announced(patient, LARGE)])
  }
  for (const [patient, id] of files) begin(world.url, patient, id, LARGE, first)
  await vi.waitFor(async () => expect(await measured(metrics, 'fyr_upload_bytes')).toBe(MOST_OF_ALL), 9_000)
  const refused = await send()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await measured(metrics, 'fyr_upload_bytes_highest')).toBe(MOST_OF_ALL)
  for (const socket of sockets) socket.destroy()
  await vi.waitFor(async () => expect(await measured(metrics, 'fyr_upload_bytes')).toBe(0), 15_000)
  expect((await send()).body).toMatchObject({ ready: true })
})

test('F13: an upload that falls silent is cut; what it brought is kept, and sending goes on from there', {
  tags: 'thorough',
}, async () => {
  const patient = await entered()
  const bytes = await picture(700)
  const id = await announced(patient, bytes.length)
  const half = Math.floor(bytes.length / 2)
  const { heard, closed } = begin(world.url, patient, id, bytes.length, bytes.subarray(0, half))
  await closed
  expect(problemIn(heard())).toMatchObject({ status: 408 })
  await patient.look()
  expect(patient.now.files).toMatchObject([{ id, received: half, ready: false }])
  const rest = { 'upload-offset': String(half) }
  expect((await patient.call('PATCH', `/session/files/${id}`, bytes.subarray(half), rest)).body).toMatchObject({
    ready: true,
  })
})

test('F13: a line that is lost keeps what it brought as well', async () => {
  const patient = await entered()
  const bytes = await picture(700)
  const id = await announced(patient, bytes.length)
  const { socket } = begin(world.url, patient, id, bytes.length, bytes.subarray(0, 100_000))
  await vi.waitFor(async () => expect(await measured(world.metricsUrl, 'fyr_upload_bytes')).toBeGreaterThan(0), 40_000)
  socket.destroy()
  await vi.waitFor(async () => {
    await patient.look()
    expect(patient.now.files[0]?.received).toBeGreaterThan(0)
  }, 40_000)
  const { received = 0 } = patient.now.files[0] ?? {}
  const rest = { 'upload-offset': String(received) }
  expect((await patient.call('PATCH', `/session/files/${id}`, bytes.subarray(received), rest)).body).toMatchObject({
    ready: true,
  })
})

test('B12: more bytes than were announced, or than a file may have, are refused, also when their number was not said', async () => {
  const patient = await entered()
  const id = await announced(patient, 1_000)
  const path = `${world.url}/api/triage/v1/session/files/${id}`
  const headers = {
    cookie: patient.cookie ?? '',
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/octet-stream',
    'upload-offset': '0',
  }
  const bytes = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(2_000)])
  const declared = await fetch(path, { method: 'PATCH', headers, body: bytes })
  expect([declared.status, declared.headers.get('upload-offset')]).toEqual([409, '0'])
  const streamed = await fetch(path, {
    method: 'PATCH',
    headers,
    body: new Blob([bytes]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect([streamed.status, streamed.headers.get('upload-offset')]).toEqual([409, '0'])
  const huge = begin(world.url, patient, id, 21 * MB, bytes)
  await vi.waitFor(() => expect(problemIn(huge.heard())).toMatchObject({ status: 413 }), 40_000)
})
