import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyWebhook, WebhookRefused } from '../../src/client/index.ts'
import { newSecret } from '../../src/events/delivery/signing.ts'
import { newAuthority } from '../world/certificates.ts'
import { completedSession, eventually, newScene } from '../world/webhook-scene.ts'

const secret = newSecret()
const second = newSecret()
const event = {
  id: 'evt_0d0f9a6c8d0b4b0c9a58f0d7f1f0b1aa',
  type: 'session.completed',
  timestamp: '2027-01-31T12:00:00.000Z',
  sessionId: '3f0b6a52-7b1c-4b5e-8a39-1c2d3e4f5a6b',
  extendedData: { price: 1.5, name: 'Åse' },
  data: { sessionStatus: 'Ended', sessionCompletedTimestamp: '2027-01-31T12:00:00.000Z' },
}

type Message = { body: Buffer; headers: Record<string, string> }

/** A good delivery, signed by the specification's own library. */
function message({ ageSeconds = 0, by = [secret], body = JSON.stringify(event) } = {}): Message {
  const at = new Date(Date.now() - ageSeconds * 1_000)
  const signatures = by.map((key) => new Webhook(key).sign(event.id, at, body))
  return {
    body: Buffer.from(body),
    headers: {
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': signatures.join(' '),
    },
  }
}

const withHeaders = (headers: Record<string, string>, from = message()): Message => ({
  ...from,
  headers: { ...from.headers, ...headers },
})
const signatureOf = (from: Message): string => from.headers['webhook-signature'] ?? ''

function lastByteOther(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  return bytes.toString('base64')
}

const FORGED: [string, () => Message][] = [
  ['a signature by another secret', () => message({ by: [newSecret()] })],
  ['a timestamp 301 seconds old', () => message({ ageSeconds: 301 })],
  ['a timestamp 301 seconds ahead', () => message({ ageSeconds: -302 })],
  [
    'a timestamp that was moved',
    () => withHeaders({ 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) + 5) }),
  ],
  ['a timestamp that is none', () => withHeaders({ 'webhook-timestamp': 'now' })],
  ['another id', () => withHeaders({ 'webhook-id': 'evt_11111111111111111111111111111111' })],
  ['a body written anew', () => ({ ...message(), body: Buffer.from(JSON.stringify(event, null, 1)) })],
  ['a body with one byte more', () => ({ ...message(), body: Buffer.from(`${JSON.stringify(event)} `) })],
  [
    'a signature of version v0',
    () => withHeaders({ 'webhook-signature': signatureOf(message()).replace('v1,', 'v0,') }),
  ],
  [
    'a signature of version v1a',
    () => withHeaders({ 'webhook-signature': signatureOf(message()).replace('v1,', 'v1a,') }),
  ],
  ['an empty list of signatures', () => withHeaders({ 'webhook-signature': '' })],
  ['a signature without its version', () => withHeaders({ 'webhook-signature': signatureOf(message()).slice(3) })],
  ['a signature that is no base64', () => withHeaders({ 'webhook-signature': 'v1,@@@@' })],
  [
    'a signature that differs in its last byte',
    () => withHeaders({ 'webhook-signature': `v1,${lastByteOther(signatureOf(message()).slice(3))}` }),
  ],
  ['a shortened signature', () => withHeaders({ 'webhook-signature': signatureOf(message()).slice(0, 20) })],
  ['no headers at all', () => ({ ...message(), headers: {} })],
]
const GENUINE: [string, () => Message][] = [
  ['a fresh one', () => message()],
  ['one 299 seconds old', () => message({ ageSeconds: 299 })],
  ['one 299 seconds ahead', () => message({ ageSeconds: -299 })],
  ['one signed by both secrets of a rotation', () => message({ by: [second, secret] })],
  [
    'one with an unknown version beside',
    () => withHeaders({ 'webhook-signature': `v2,abc ${signatureOf(message())}` }),
  ],
]

describe('verifyWebhook', () => {
  test.each(FORGED)('A27: refuses %s', async (_words, make) => {
    const { body, headers } = make()
    await expect(verifyWebhook(body, headers, secret)).rejects.toThrow(WebhookRefused)
  })

  test.each(GENUINE)('A27: accepts %s', async (_words, make) => {
    const { body, headers } = make()
    expect(await verifyWebhook(body, headers, secret)).toEqual(event)
    expect(await verifyWebhook(new Uint8Array(body), new Headers(headers), [second, secret])).toEqual(event)
  })

  test('A27: takes raw bytes only', async () => {
    const { body, headers } = message()
    for (const other of [body.toString(), JSON.parse(body.toString()), null, [...body]]) {
      await expect(verifyWebhook(other as unknown as Uint8Array, headers, secret)).rejects.toThrow(TypeError)
    }
  })

  test('a secret that is none is the caller’s mistake, not the sender’s', async () => {
    const { body, headers } = message()
    for (const none of ['whsec_', 'whsec_not base64 at all, however long it may be'])
      await expect(verifyWebhook(body, headers, none)).rejects.toThrow(TypeError)
    await expect(verifyWebhook(body, headers, [])).rejects.toThrow(WebhookRefused)
  })
})

describe('the sample receiver, as a process of its own behind TLS', () => {
  const authority = newAuthority()
  let child: ChildProcess
  let port = 0
  const lines: string[] = []
  beforeAll(async () => {
    const { cert, key } = authority.issue(['localhost'])
    const folder = mkdtempSync(join(tmpdir(), 'fyr-receiver-'))
    const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    writeFileSync(TLS_CERT, cert)
    writeFileSync(TLS_KEY, key)
    const env = { ...process.env, WEBHOOK_SECRET: `${secret} ${second}`, TLS_CERT, TLS_KEY, PORT: '0' }
    child = spawn(process.execPath, ['examples/webhook-receiver/receiver.mjs'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (child.stdout) createInterface(child.stdout).on('line', (line) => lines.push(line))
    await eventually(() => lines.length > 0)
    port = JSON.parse(lines[0] ?? '').listening
  })
  afterAll(() => {
    child.kill()
  })

  function post({ body, headers }: Message, method = 'POST'): Promise<number> {
    const ca = readFileSync(authority.caFile)
    return new Promise((done, failed) => {
      const sent = request({ host: 'localhost', port, ca, method, headers, agent: false }, (reply) => {
        reply.resume()
        done(reply.statusCode ?? 0)
      })
      sent.on('error', failed)
      sent.end(body)
    })
  }

  test.each(FORGED)('A27: refuses %s', async (_words, make) => {
    expect(await post(make())).toBe(400)
  })

  test.each(GENUINE)('A27: accepts %s', async (_words, make) => {
    expect(await post(make())).toBe(204)
  })

  test('it handled the event once, although it came several times, and takes nothing but POST', async () => {
    expect(await post(message({ by: [second] }))).toBe(204)
    expect(await post(message(), 'PUT')).toBe(405)
    await eventually(() => lines.length > 1)
    expect(lines.slice(1).map((line) => JSON.parse(line))).toEqual([
      { completed: event.sessionId, extendedData: event.extendedData },
    ])
  })
})

test('a delivery of the service itself is accepted by verifyWebhook, byte for byte', async () => {
  const scene = await newScene()
  try {
    const clinic = await scene.clinic('for-the-client')
    const sessionId = await completedSession(scene, clinic, { extendedData: ['ä', 1e21] })
    const [arrived] = await eventually(
      () => scene.receiver.arrived('for-the-client'),
      (list) => list.length > 0,
    )
    const received = await verifyWebhook(Buffer.from(arrived?.body ?? ''), arrived?.headers ?? {}, clinic.secret)
    expect(received).toMatchObject({ type: 'session.completed', sessionId, extendedData: ['ä', 1e21] })
  } finally {
    await scene.close()
  }
})
