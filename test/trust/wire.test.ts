import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, callerTo, expectProblem, send } from '../world/call.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import { exchange, problemIn, statusesIn } from './wire.ts'

let world: World
let call: Call
let clinic: Clinic

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  clinic = await world.clinic()
})
afterAll(() => world.close())

const create = (headers: string, body: string) =>
  `POST /api/v1/session HTTP/1.1\r\nHost: x\r\nX-Service-API-Key: ${clinic.key}\r\n${headers}\r\n\r\n${body}`

describe('sizes', () => {
  test('B12 a body without a length is cut off at the limit while it streams', async () => {
    const chunk = `${(10_000).toString(16)}\r\n${'x'.repeat(10_000)}\r\n`
    const heard = await exchange(
      world.url,
      create('Content-Type: application/json\r\nTransfer-Encoding: chunked', chunk.repeat(30)),
    )
    expect(statusesIn(heard)[0]).toBe(413)
    expect(problemIn(heard).type).toMatch(/body-too-large$/)
  })

  test('B12 a Content-Length that promises more than it sends is not taken for a request', async () => {
    const heard = await exchange(world.url, create('Content-Type: application/json\r\nContent-Length: 50', '{}'))
    expect(heard).not.toContain('HTTP/1.1 201')
  })

  test('B12 bytes beyond the Content-Length are not part of the body', async () => {
    const heard = await exchange(world.url, create('Content-Type: application/json\r\nContent-Length: 2', '{}GARBAGE'))
    expect(statusesIn(heard).at(-1)).toBe(400)
  })

  test('B13 a promised huge body is refused before it is sent', async () => {
    const heard = await exchange(world.url, create('Content-Type: application/json\r\nContent-Length: 99999999', '{'))
    expect(statusesIn(heard)[0]).toBe(413)
  })

  test('B14 ten thousand query parameters, a long address, a long header', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `a${at}=1`).join('&')
    const statuses = [
      (await send(`${world.url}/api/v1/sessions?${many}`, 'GET', { key: clinic.key })).status,
      (await send(`${world.url}/api/v1/sessions?a=${'x'.repeat(20_000)}`, 'GET', { key: clinic.key })).status,
      (await send(`${world.url}/api/v1/sessions`, 'GET', { key: clinic.key, headers: { 'X-A': 'x'.repeat(20_000) } }))
        .status,
    ]
    expect(statuses).toEqual([431, 431, 431])
    const long = await call('GET', `/api/v1/sessions?a=${'x'.repeat(9_000)}`, { key: clinic.key })
    expectProblem(long, 414, 'uri-too-long')
    const heard = await exchange(world.url, `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(problemIn(heard)).toMatchObject({ status: 431, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })
})

describe('what is not HTTP as it should be', () => {
  test('A45 a request with both a length and chunks is refused and the line is cut', async () => {
    const heard = await exchange(
      world.url,
      `${create('Content-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked', '0\r\n\r\n')}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`,
    )
    expect(statusesIn(heard)).toEqual([400])
    expect(problemIn(heard).type).toMatch(/invalid-request$/)
  })

  test('A45 two lengths, a folded header, a bare line feed and a missing host are refused', async () => {
    const broken = [
      create('Content-Length: 2\r\nContent-Length: 3', '{}'),
      'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: 1\r\n 2\r\n\r\n',
      'GET /healthz HTTP/1.1\nHost: x\n\n',
      'GET /healthz HTTP/1.1\r\n\r\n',
      'NONSENSE\r\n\r\n',
      'GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n',
    ]
    for (const bytes of broken) {
      const statuses = statusesIn(await exchange(world.url, bytes))
      expect({
        bytes,
        refused: statuses.length === 1 && (statuses[0] ?? 0) >= 400 && (statuses[0] ?? 0) < 500,
      }).toEqual({
        bytes,
        refused: true,
      })
    }
  })

  test('A45 forged Host and X-Forwarded headers change no address that is handed out', async () => {
    const headers = {
      Host: 'evil.example.org',
      'X-Forwarded-Host': 'evil.example.org',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-For': '10.1.2.3',
      Forwarded: 'host=evil.example.org;proto=https',
    }
    const reply = await call('POST', '/api/v1/session', { key: clinic.key, headers })
    expect(reply.status).toBe(201)
    expect(`${reply.text}${reply.headers.location}`).not.toContain('evil')
    expect((await call('GET', '/api/v1/nothing', { headers })).text).not.toContain('evil')
  })

  test('A45 an absolute address in the request line leads nowhere else', async () => {
    const heard = await exchange(
      world.url,
      'GET http://evil.example.org/healthz HTTP/1.1\r\nHost: evil.example.org\r\n\r\n',
    )
    expect(heard).not.toContain('evil.example.org')
    expect([200, 404]).toContain(statusesIn(heard)[0])
  })
})

describe('methods', () => {
  test('B24 TRACE, CONNECT and inventions are refused', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'MKCOL', 'PURGE']) {
      const reply = await send(`${world.url}/api/v1/sessions`, method, { key: clinic.key })
      expect(reply.status).toBe(405)
      expect(reply.text).not.toContain(clinic.key)
    }
    expect(
      statusesIn(await exchange(world.url, 'CONNECT evil.example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n')),
    ).not.toContain(200)
    expect(statusesIn(await exchange(world.url, 'FROBNICATE / HTTP/1.1\r\nHost: x\r\n\r\n'))).toEqual([400])
  })
})

describe('other origins', () => {
  test('A44 no answer of the interface may be read by another origin', async () => {
    for (const origin of ['https://evil.example.org', 'null', world.url]) {
      const headers = { Origin: origin }
      const read = await call('GET', '/api/v1/accessControl', { key: clinic.key, headers })
      const preflight = await send(`${world.url}/api/v1/session`, 'OPTIONS', {
        headers: {
          ...headers,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'x-service-api-key',
        },
      })
      for (const reply of [read, preflight]) {
        const cors = Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))
        expect(cors).toEqual([])
        expect(reply.headers['cross-origin-resource-policy']).toBe('same-origin')
      }
    }
  })
})
