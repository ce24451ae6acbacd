import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Metrics } from '../../src/http/metrics.ts'
import { newServer } from '../../src/http/server.ts'
import { readSettings } from '../../src/settings.ts'
import { send } from '../world/call.ts'

const KINDS = ['exports', 'counts', 'others', 'answers', 'lastResort', 'probes'] as const
const LONG = 'x'.repeat(1_000_000)

let server: FastifyInstance
let url: string
let letGo: (() => void)[]
let sockets: Socket[]

/** A server that takes twenty at once, with a route of each kind; what is sent to `hold` is answered when it is let go. */
beforeEach(async () => {
  ;[letGo, sockets] = [[], []]
  const settings = readSettings({ REQUESTS_IN_FLIGHT: '20' })
  server = newServer(settings, 'http://localhost', pino({ level: 'silent' }), new Metrics())
  for (const room of KINDS) {
    server.get(`/${room}`, { config: { priority: room } }, async () => ({ room }))
    server.post(`/${room}`, { config: { priority: room } }, async () => ({ room }))
  }
  server.get('/long', { config: { priority: 'probes' } }, async () => ({ LONG }))
  server.get('/hold', { config: { priority: 'probes' } }, () => new Promise((done) => letGo.push(() => done({}))))
  url = await server.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  for (const go of letGo) go()
  await server.close()
})

async function letIn(): Promise<string[]> {
  const kinds: string[] = []
  for (const kind of KINDS) if ((await send(`${url}/${kind}`, 'GET')).status === 200) kinds.push(kind)
  return kinds
}

/** Sends this over so many connections, and reads nothing. */
function sendOver(count: number, text: string): void {
  for (let at = 0; at < count; at++) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write(text)
    sockets.push(socket)
  }
}

test('F12: the fuller it is the less is let in: exports go first, then counts, then who is new, then who answers, and the emergency check last', async () => {
  const held: Promise<unknown>[] = []
  for (const [full, refused] of [
    [9, 0],
    [10, 1],
    [13, 2],
    [16, 3],
    [20, 4],
    [40, 5],
  ] as const) {
    while (held.length < full) held.push(send(`${url}/hold`, 'GET'))
    await vi.waitFor(() => expect(letGo).toHaveLength(full), 40_000)
    expect(await letIn(), `${full} at once`).toEqual(KINDS.slice(refused))
  }
  for (const go of letGo) go()
  await Promise.all(held)
  expect(await letIn()).toEqual([...KINDS])
})

test('a connection over which too much was asked is closed, so that asking at once again takes its turn', async () => {
  const asked = async (path: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    sockets.push(socket)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return new Promise<string>((heard) => socket.once('data', (bytes) => heard(String(bytes))))
  }
  const held = Array.from({ length: 16 }, () => send(`${url}/hold`, 'GET'))
  await vi.waitFor(() => expect(letGo).toHaveLength(16), 40_000)
  expect(await asked('/others')).toMatch(/^HTTP\/1.1 503 .*\r\nconnection: close\r\n/is)
  expect(await asked('/answers')).toMatch(/^HTTP\/1.1 200 .*\r\nconnection: keep-alive\r\n/is)
  for (const go of letGo) go()
  await Promise.all(held)
})

test('requests whose bodies do not come keep nobody out, until there are far too many', async () => {
  const head = 'POST /answers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n'
  sendOver(39, head)
  const connections = promisify(server.server.getConnections).bind(server.server)
  await vi.waitFor(async () => expect(await connections()).toBe(39), 40_000)
  expect(await letIn()).toEqual([...KINDS])
  sendOver(41, head)
  await vi.waitFor(async () => expect(await letIn()).toEqual(['lastResort', 'probes']), 40_000)
  for (const socket of sockets) socket.destroy()
  await vi.waitFor(async () => expect(await letIn()).toEqual([...KINDS]), 40_000)
})

test('answers that nobody reads keep nobody out', async () => {
  sendOver(3, 'GET /long HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30))
  await new Promise((done) => setTimeout(done, 500))
  expect(await letIn()).toEqual([...KINDS])
})
