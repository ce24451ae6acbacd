import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configurationOf, createConfiguration, issueKey } from '../../src/account/provision.ts'
import { type Call, callerTo, expectProblem, type Reply } from '../world/call.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import { ENDPOINTS, someId, WITH_ID } from './endpoints.ts'

let world: World
let call: Call
let own: Clinic
let sessionId: string
let ofSiblingConfiguration: string
let ofOtherAccount: string

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  own = await world.clinic()
  sessionId = await createdBy(own.key)
  ofOtherAccount = await createdBy((await world.clinic()).key)
  const slug = `${own.slug}-sibling`
  await createConfiguration(world.app.core, own.accountId, slug, {
    name: 'Sibling',
    type: 'INVITED',
    emergencyNumber: '112',
  })
  const { key } = await issueKey(world.app.core, await configurationOf(world.app.core, slug))
  ofSiblingConfiguration = await createdBy(key)
})
afterAll(() => world.close())

async function createdBy(key: string): Promise<string> {
  const { body } = await call('POST', '/api/v1/session', { key, json: { text: 'A cough', patient: { age: 30 } } })
  return (body as { sessionId: string }).sessionId
}

/** What may differ between two refusals of the same kind is the request id alone. */
function shape({ status, headers, body }: Reply) {
  const { date: _date, 'x-request-id': _id, ...kept } = headers
  return { status, headers: kept, body: { ...(body as object), requestId: '' } }
}

for (const { section, method, path, malformedId } of WITH_ID) {
  describe(section, () => {
    const ask = (id: string) => call(method, path(id), { key: own.key })

    test('404: an unknown session', async () => {
      expectProblem(await ask(someId()), 404, 'session-not-found')
    })

    test('404: a session of another account or configuration is as unknown as any', async () => {
      const unknown = shape(await ask(someId()))
      expect(shape(await ask(ofOtherAccount))).toEqual(unknown)
      expect(shape(await ask(ofSiblingConfiguration))).toEqual(unknown)
    })

    test(`${malformedId}: an id that is no uuid`, async () => {
      const malformed = [
        'x',
        'null',
        '0',
        `${sessionId}0`,
        sessionId.replaceAll('-', ''),
        `{${sessionId}}`,
        '%00',
        '%2e%2e',
      ]
      for (const id of malformed) {
        const reply = await ask(id)
        if (malformedId === 400) expectProblem(reply, 400, 'invalid-request', '/path/sessionId')
        else expectProblem(reply, 404, 'session-not-found')
      }
    })

    test('an upper-case uuid is taken', async () => {
      expect((await ask(sessionId.toUpperCase())).status).toBe(200)
    })
  })
}

for (const { section, method, path, beside, ok, json } of ENDPOINTS) {
  describe(section, () => {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].filter(
      (name) => name !== method && name !== beside,
    )

    test('405: another method, with the ones that are taken', async () => {
      const allowed = [beside, method === 'GET' ? 'GET, HEAD' : method].filter(Boolean).join(', ')
      for (const other of others) {
        const reply = await call(other, path(sessionId), { key: own.key })
        expectProblem(reply, 405, 'method-not-allowed')
        expect(reply.headers.allow).toBe(allowed)
      }
    })

    test('405: a method override is not followed', async () => {
      const headers = { 'X-HTTP-Method-Override': method, 'X-Method-Override': method }
      expectProblem(await call('PUT', path(sessionId), { key: own.key, headers }), 405, 'method-not-allowed')
    })

    if (method === 'GET') {
      test('HEAD is answered like GET, without the body', async () => {
        const head = await call('HEAD', path(sessionId), { key: own.key })
        expect({ status: head.status, text: head.text }).toEqual({ status: ok, text: '' })
        expect(head.headers['content-type']).toBe('application/json; charset=utf-8')
      })
    }

    test('Authentication 5: the JSON content type without a body is taken for no body', async () => {
      const reply = await call(method, path(sessionId), {
        key: own.key,
        headers: { 'Content-Type': 'application/json' },
      })
      if (section === '7. Close') expectProblem(reply, 400, 'invalid-request')
      else expect(reply.status).toBe(ok)
    })

    test('B25 a browser’s Accept and an odd Accept-Language change nothing', async () => {
      const headers = { Accept: 'text/html', 'Accept-Language': '*;q=9,xx-,\u00e9' }
      const reply = await call(method, path(sessionId), { key: own.key, headers, ...(json && { json }) })
      expect({ status: reply.status, type: reply.headers['content-type'] }).toEqual({
        status: ok,
        type: 'application/json; charset=utf-8',
      })
      expectProblem(await call(method, path(sessionId), { headers }), 401, 'key-missing')
    })
  })
}

describe('404: addresses', () => {
  const odd = [
    '/api/v1/session/',
    '/api/v1/sessions/',
    '/api/v1/Session',
    '/api//v1/session',
    '/api/v2/session',
    '/api/v1/session/../sessions',
    '/api/v1/session/%2e%2e/sessions',
    '/api/v1/session/..%2fsessions',
    '/api/v1/%73ession%00',
    '/api/v1/session/%zz',
    '/api/v1/session/%ff',
    `/api/v1/session/${'x'.repeat(400)}`,
    "/api/v1/session/1'%20OR%20'1'='1",
    '/api/triage/v1/configurations/__proto__',
    '/api/triage/v1/configurations/toString',
  ]
  for (const path of odd) {
    test(`B23 ${path} leads nowhere`, async () => {
      expect((await call('GET', path, { key: own.key })).status).toBe(404)
    })
  }
})

describe('the pages of the problems', () => {
  test('each refusal links to a page that explains it', async () => {
    const refused = await call('GET', `/api/v1/session/${someId()}`, { key: own.key })
    const { type } = refused.body as { type: string }
    const at = type.replace('localhost', '127.0.0.1')
    const page = await fetch(at, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain('There is no such session.')
    expect(await fetch(at).then((reply) => reply.json())).toMatchObject({ type, title: 'There is no such session.' })
  })
})
