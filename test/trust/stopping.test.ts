// @module-tag thorough
import { connect, type Socket } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../world/call.ts'
import { spawnNode } from '../world/nodes.ts'
import { newWorld, type World } from '../world/world.ts'
import { statusesIn } from './wire.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

type Half = { socket: Socket; heard: () => string; closed: Promise<void> }

/** A request of which the last bytes are still to come. */
async function half(port: number, text: string): Promise<Half> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  await new Promise<void>((done) => socket.once('connect', () => done()))
  socket.write(text)
  return { socket, heard: () => heard, closed }
}

test('F10 a node told to stop finishes fifty requests and an upload, takes no new ones, and ends with 0', async () => {
  const { key, accountId } = await world.clinic()
  const node = await spawnNode({
    DATABASE_URL: world.databaseUrl,
    MASTER_KEY: world.masterKey.toString('base64'),
    REQUESTS_PER_SECOND_PER_KEY: '0',
  })
  const port = Number(new URL(node.url).port)
  const body = '{"text":"A cough"}'
  const head = `POST /api/v1/session HTTP/1.1\r\nHost: x\r\nX-Service-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const creates = await Promise.all(Array.from({ length: 50 }, () => half(port, head + body.slice(0, 5))))
  const upload = await uploading(node.url, port, key)
  await new Promise((done) => setTimeout(done, 200))

  const startedAt = Date.now()
  const ended = node.stop('SIGTERM')
  await new Promise((done) => setTimeout(done, 300))
  await expect(send(`${node.url}/readyz`, 'GET')).rejects.toThrow(/ECONNREFUSED|ECONNRESET/)
  for (const { socket } of creates) socket.write(body.slice(5))
  upload.socket.write(upload.rest)
  expect(await ended).toBe(0)
  expect(Date.now() - startedAt).toBeLessThan(30_000)
  await Promise.all([...creates, upload].map(({ closed }) => closed))

  const statuses = creates.map(({ heard }) => statusesIn(heard())[0])
  expect(statuses.every((status) => status === 201 || status === 503)).toBe(true)
  const made = statuses.filter((status) => status === 201).length
  expect(made).toBeGreaterThan(0)
  const [row] = await world.sql('select count(*)::int as n from sessions where account_id = $1', [accountId])
  expect(row?.n).toBe(made + 1)
  const [uploaded] = statusesIn(upload.heard())
  expect([200, 503]).toContain(uploaded)
  // The picture is there whole, or can be sent again from its beginning.
  const files = await world.sql('select received, ready_at is not null as ready, stored_size > 0 as kept from uploads')
  expect(files).toEqual([
    uploaded === 200 ? { received: upload.size, ready: true, kept: true } : { received: 0, ready: false, kept: null },
  ])
  expect(node.log()).toContain('"msg":"stopping"')
  expect(node.log()).toContain('audit checkpoint')
})

test('told to stop, a node is not ready at once and goes on serving for its time of grace; told again, it does not wait', async () => {
  const { key } = await world.clinic()
  const environment = { DATABASE_URL: world.databaseUrl, MASTER_KEY: world.masterKey.toString('base64') }
  const node = await spawnNode({ ...environment, GRACE_SECONDS: '20', DRAIN_SECONDS: '5' })
  const ended = node.stop('SIGTERM')
  await expect.poll(async () => (await send(`${node.url}/readyz`, 'GET')).status).toBe(503)
  expect((await send(`${node.url}/readyz`, 'GET')).body).toMatchObject({ type: expect.stringMatching(/stopping$/) })
  for (let second = 0; second < 2; second++) {
    const made = await send(`${node.url}/api/v1/session`, 'POST', { key })
    expect(made).toMatchObject({ status: 201, headers: { connection: 'close' } })
    expect((await send(`${node.url}/healthz`, 'GET')).status).toBe(200)
    await new Promise((done) => setTimeout(done, 1_000))
  }
  node.process.kill('SIGTERM')
  expect(await ended).toBe(0)
  await expect(send(`${node.url}/healthz`, 'GET')).rejects.toThrow(/ECONNREFUSED/)
})

test('somebody at a terminal is not kept waiting, and what is too long is refused at the start', async () => {
  const environment = { DATABASE_URL: world.databaseUrl, MASTER_KEY: world.masterKey.toString('base64') }
  const node = await spawnNode({ ...environment, GRACE_SECONDS: '20', DRAIN_SECONDS: '5' })
  const startedAt = performance.now()
  expect(await node.stop('SIGINT')).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(15_000)
  await expect(spawnNode({ ...environment, GRACE_SECONDS: '10', DRAIN_SECONDS: '19' })).rejects.toThrow(
    'GRACE_SECONDS and DRAIN_SECONDS are more than 28 together',
  )
})

/** The upload of a picture, half of it sent. */
async function uploading(url: string, port: number, key: string): Promise<Half & { rest: Buffer; size: number }> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const bytes = await sharp({ create: { width: 400, height: 400, channels: 3, background: 'red', noise } })
    .jpeg()
    .toBuffer()
  const middle = Math.floor(bytes.length / 2)
  const created = await send(`${url}/api/v1/session`, 'POST', { key })
  const link = (created.body as { url: string }).url
  const entering = { secret: link.slice(link.indexOf('#') + 1), credential: 'bearer' }
  const entered = await send(`${url}/api/triage/v1/enter`, 'POST', { json: entering })
  const { secret } = entered.body as { secret: string }
  const headers = { Authorization: `Bearer ${secret}` }
  const file = { id: crypto.randomUUID(), name: 'photo.jpg', size: bytes.length }
  expect((await send(`${url}/api/triage/v1/session/files`, 'POST', { json: file, headers })).status).toBe(200)
  const lines = [
    `PATCH /api/triage/v1/session/files/${file.id} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/octet-stream',
    'Upload-Offset: 0',
    `Content-Length: ${bytes.length}`,
  ]
  const sent = await half(port, `${lines.join('\r\n')}\r\n\r\n`)
  sent.socket.write(bytes.subarray(0, middle))
  return { ...sent, rest: bytes.subarray(middle), size: bytes.length }
}
