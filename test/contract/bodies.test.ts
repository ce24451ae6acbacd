import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, type Call, callerTo, expectProblem } from '../world/call.ts'
import { newWorld, type World } from '../world/world.ts'
import { ENDPOINTS } from './endpoints.ts'

let world: World
let call: Call
let key: string

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  key = (await world.clinic()).key
})
afterAll(() => world.close())

const JSON_TYPE = { 'Content-Type': 'application/json' }
const LIMIT_BYTES = 64 * 1024

for (const { section, method, path, ok, json = {}, takesNull = false } of ENDPOINTS.filter(
  (endpoint) => endpoint.method === 'POST',
)) {
  describe(section, () => {
    const ask = (more: Ask) => call(method, path(''), { key, ...more })
    const sent = (raw: string | Buffer, headers: Record<string, string> = JSON_TYPE) => ask({ raw, headers })

    test('B01 400: a body that is no JSON object', async () => {
      const broken = [
        ...(takesNull ? [] : ['null']),
        '[]',
        '"x"',
        '5',
        'true',
        '{',
        '{"a":',
        '{"a":1}}',
        '{a:1}',
        "{'a':1}",
        '{"a":1,}',
        'NaN',
        ' ',
      ]
      for (const raw of broken) expectProblem(await sent(raw), 400, 'invalid-request')
      expectProblem(await sent(Buffer.from(JSON.stringify(json), 'utf16le')), 400, 'invalid-request')
      expectProblem(await sent(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])), 400, 'invalid-request')
    })

    test('B02 415: a body of another type or of none', async () => {
      const raw = JSON.stringify(json)
      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonx',
      ]
      for (const type of types) {
        expectProblem(await sent(raw, { 'Content-Type': type }), 415, 'media-type-not-supported')
      }
      expectProblem(await sent(raw, {}), 415, 'media-type-not-supported')
      expect((await sent(raw, { 'Content-Type': 'Application/JSON; charset=utf-8' })).status).toBe(ok)
    })

    test('B13 415: a compressed body', async () => {
      const headers = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }
      expectProblem(await sent(Buffer.alloc(200), headers), 415, 'media-type-not-supported')
    })

    test('B03 400: the same key twice', async () => {
      expectProblem(await sent('{"a":1,"a":2}'), 400, 'invalid-request')
      expectProblem(await sent('{"a":{"b":1,"\\u0062":2}}'), 400, 'invalid-request')
    })

    test('B04 400 or 413: very deep, very many keys, very long', async () => {
      expectProblem(await sent(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`), 400, 'invalid-request')
      expectProblem(await sent(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`), 400, 'invalid-request')
      const keys = Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join(',')
      expectProblem(await sent(`{${keys}}`), 413, 'body-too-large')
      expectProblem(await sent(`{"a":"${'x'.repeat(1_000_000)}"}`), 413, 'body-too-large')
    })

    test('B05 400: keys that reach for a prototype', async () => {
      for (const raw of ['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}']) {
        expectProblem(await sent(raw), 400, 'invalid-request')
      }
      expectProblem(await sent('{"a":{"b":{"__proto__":{}}}}'), 400, 'invalid-request')
      expect('polluted' in {}).toBe(false)
      expect((await sent(JSON.stringify({ ...json, toString: 1, hasOwnProperty: 2 }))).status).toBe(ok)
    })

    test('B12 413: one byte over the limit; at the limit it is read', async () => {
      const sized = (bytes: number) => {
        const empty = JSON.stringify({ ...json, filler: '' })
        return JSON.stringify({ ...json, filler: 'x'.repeat(bytes - empty.length) })
      }
      expect((await sent(sized(LIMIT_BYTES))).status).toBe(ok)
      expectProblem(await sent(sized(LIMIT_BYTES + 1)), 413, 'body-too-large')
    })

    test('a byte order mark, NUL or half a character is refused or read, never stored broken', async () => {
      for (const raw of ['{"text":"\\u0000"}', '{"text":"\\ud800"}', '{"extendedData":{"\\ud800":1}}']) {
        expectProblem(await sent(raw), 400, 'invalid-request')
      }
    })
  })
}
