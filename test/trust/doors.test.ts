import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, callerTo, expectProblem, send } from '../world/call.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let call: Call
let clinic: Clinic
let session: { sessionId: string; url: string }

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  clinic = await world.clinic()
  session = (await call('POST', '/api/v1/session', { key: clinic.key })).body as typeof session
})
afterAll(() => world.close())

type Route = { method: string; path: string }

/** Every route that the server knows, read from its own router. */
function routes(): Route[] {
  const trail: string[] = []
  return world.app.http
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (.*) \(([A-Z, ]+)\)$/.exec(line) ?? []
      if (!methods) return []
      const depth = indent.length / 4
      trail.length = depth
      trail[depth] = part
      return methods.split(', ').map((method) => ({ method, path: trail.join('') }))
    })
}

/** Served, but no operation of the interface: pages, probes and the document itself. */
const PAGES = [
  /^\/$/,
  /^\/(healthz|readyz|emergency\.html)$/,
  /^\/fhir\/(CodeSystem(\/:system)?|StructureDefinition\/extended-data)$/,
  /^\/api\/(docs|openapi\.json)(\/.*)?$/,
  /^\/problems(\/:code)?$/,
  /^\/files\/:address$/,
  /^\/(t|s|decision-support)\/:slug$/,
  /^\/(embed|console|assets)\//,
  /^\/?\*$/,
]

describe('A47 what is served', () => {
  test('every route is an operation of the OpenAPI document or a listed page', async () => {
    const document = await fetch(`${world.url}/api/openapi.json`).then((reply) => reply.json())
    const described = new Set(
      Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
      ),
    )
    const found = routes().filter(({ method }) => method !== 'HEAD')
    expect(found.length).toBeGreaterThan(20)
    const unlisted = found.filter(({ method, path }) => {
      return !described.has(`${method} ${path}`) && !PAGES.some((page) => page.test(path))
    })
    expect(unlisted).toEqual([])
    const served = new Set(found.map(({ method, path }) => `${method} ${path}`))
    expect([...described].filter((operation) => !served.has(operation))).toEqual([])
  })

  test('nothing of the project, the machine or the monitoring is reachable', async () => {
    const hidden = [
      '/.git/config',
      '/.git/HEAD',
      '/.env',
      '/package.json',
      '/node_modules/fastify/package.json',
      '/src/main.ts',
      '/data/master.key',
      '/metrics',
      '/debug',
      '/server-status',
      '/api/v1/debug',
      '/api/docs/../../package.json',
      '/%2e%2e/package.json',
      '/..%2fpackage.json',
      '/t/..%2f..%2fpackage.json',
      '/api/docs/static/%2e%2e/%2e%2e/package.json',
      '/api/docs/static/..%2f..%2findex.js',
    ]
    for (const path of hidden) {
      const reply = await send(`${world.url}${path}`, 'GET', { key: clinic.key })
      expect({ path, isRefused: [400, 404].includes(reply.status) }).toEqual({ path, isRefused: true })
    }
  })

  test('what the pages are built from stays away: no source maps', () => {
    const files = readdirSync(new URL('../../dist/web/', import.meta.url), { recursive: true }).map(String)
    expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(1)
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([])
  })

  test('the metrics port serves metrics and nothing else', async () => {
    const base = world.metricsUrl.replace('/metrics', '')
    for (const path of ['/', '/healthz', '/api/v1/accessControl', '/metrics/', '/metrics?x']) {
      expect((await fetch(`${base}${path}`)).status).toBe(404)
    }
    expect((await fetch(world.metricsUrl, { method: 'POST' })).status).toBe(404)
    expect((await fetch(world.metricsUrl)).status).toBe(200)
  })

  test('no answer tells what it is made with', async () => {
    for (const path of ['/', '/healthz', '/api/v1/accessControl', '/problems', '/api/docs']) {
      const { headers } = await send(`${world.url}${path}`, 'GET')
      expect(headers.server ?? headers['x-powered-by'] ?? null).toBeNull()
    }
  })
})

describe('A02 each door takes its own credential only', () => {
  const others = () =>
    routes().filter(({ path, method }) => path.startsWith('/api/triage/v1/session') && method !== 'HEAD')

  /** A body that each route takes, so that only the credential can be what is refused. */
  const anything = () => {
    const id = crypto.randomUUID()
    const answers = [{ question: 'for_whom', value: 'self' }]
    return { id, answers, version: 0, language: 'en', text: 'x', name: 'a.png', size: 9, phone: '040 1234567' }
  }

  test('an API key opens nothing of the triage interface', async () => {
    expect(others().length).toBeGreaterThan(5)
    for (const { method, path } of others()) {
      const address = `${world.url}${path.replace(/:\w+/g, crypto.randomUUID())}`
      const json = ['POST', 'PUT'].includes(method) ? anything() : undefined
      const bytes = {
        'Content-Type': 'application/octet-stream',
        'Upload-Offset': '0',
        'Sec-Fetch-Site': 'same-origin',
      }
      const { 'Content-Type': _type, ...plain } = bytes
      for (const more of [{}, { Authorization: `Bearer ${clinic.key}` }, { Cookie: `fyr-user=${clinic.key}` }]) {
        const headers = { ...(method === 'PATCH' ? bytes : plain), ...more }
        const { status } = await send(address, method, { key: clinic.key, headers, json })
        expect({ method, path, more, status }).toEqual({ method, path, more, status: 401 })
      }
    }
  })

  test('a session’s secret, as bearer, cookie or key, opens nothing of the interface', async () => {
    const secret = session.url.slice(session.url.indexOf('#') + 1)
    const path = `/api/v1/session/${session.sessionId}`
    for (const headers of [
      { Authorization: `Bearer ${secret}` },
      { Cookie: `__Host-fyr-user=${secret}; fyr-user=${secret}` },
    ]) {
      expectProblem(await call('GET', path, { headers }), 401, 'key-missing')
    }
    expectProblem(await call('GET', path, { key: secret }), 403, 'key-invalid')
  })

  test('the metrics port asks for no key and takes none into account', async () => {
    const reply = await fetch(world.metricsUrl, { headers: { 'x-service-api-key': clinic.key } })
    expect(await reply.text()).not.toContain(clinic.key)
  })
})

describe('A49 payloads in every text', () => {
  const PAYLOADS = [
    `'; drop table sessions; --`,
    `" or "1"="1`,
    `\\'); select pg_sleep(5); --`,
    '$' + '{7*7}{{7*7}}<%= 7*7 %>#{7*7}',
    '$(touch /tmp/fyr-was-here)`touch /tmp/fyr-was-here`',
    '{"$gt":""}',
    '=HYPERLINK("http://evil.example.org")',
    '../../../../etc/passwd',
    '<img src=x onerror=alert(1)>',
    '%s%s%n{0}',
  ]

  test('are kept as they are and have no effect', async () => {
    for (const payload of PAYLOADS) {
      const { key } = clinic
      const made = await call('POST', '/api/v1/session', {
        key,
        json: { text: payload, extendedData: { [payload]: payload } },
      })
      const { sessionId } = made.body as { sessionId: string }
      const info = await call('GET', `/api/v1/session/${sessionId}`, { key })
      expect(info.body).toMatchObject({ descriptionOfMatter: payload })
      const summary = await call('GET', `/api/v1/session/${sessionId}/summary`, { key })
      expect((summary.body as { data: string }).data).toContain(payload)
      const encoded = encodeURIComponent(payload)
      const link = await call(
        'GET',
        `/api/v1/session/${sessionId}/decisionSupportLink?auditUserIdentifier=${encoded}`,
        { key },
      )
      expect(link.status).toBe(200)
      const queries = [
        `/api/v1/session/${encoded}/status`,
        `/api/v1/sessions?status=${encoded}`,
        `/api/v1/sessions?cursor=${encoded}`,
        `/api/v1/accessControl/sessionCount?start=${encoded}`,
        `/api/v1/session/${sessionId}/summary?language=${encoded}`,
      ]
      for (const path of queries) expect((await call('GET', path, { key })).status).toBe(400)
      await call('POST', '/api/v1/session', {
        key,
        json: {},
        headers: { 'Idempotency-Key': payload.replaceAll(' ', '_') },
      })
    }
    const [row] = await world.sql('select count(*)::int as n from sessions')
    expect(row?.n).toBe(1 + 2 * PAYLOADS.length)
  })
})

describe('over https', () => {
  const HEADER = 'strict-transport-security'

  test('every answer, refusals and broken requests included, keeps browsers on https', async () => {
    const secure = await newWorld({ PUBLIC_URL: 'https://triage.example.org' })
    try {
      const { slug } = await secure.clinic()
      for (const path of [`/t/${slug}`, '/api/v1/accessControl', '/nothing-here', '/healthz', '/api/docs/'])
        expect([path, (await send(`${secure.url}${path}`, 'GET')).headers[HEADER]]).toEqual([path, 'max-age=31536000'])
      const broken = await send(secure.url, 'GET', { headers: { 'X-Long': 'x'.repeat(20_000) } })
      expect([broken.status, broken.headers[HEADER]]).toEqual([431, 'max-age=31536000'])
    } finally {
      await secure.close()
    }
  })

  test('on plain http nothing is promised that would lock people out', async () => {
    expect((await send(`${world.url}/healthz`, 'GET')).headers[HEADER]).toBeUndefined()
  })
})

test.runIf(process.platform === 'linux')(
  'A47 metrics are served on their own address alone, whatever the service listens on',
  async () => {
    const open = await newWorld({ HOST: '0.0.0.0' })
    try {
      const elsewhere = (url: string) => fetch(url.replace('127.0.0.1', '127.0.0.2')).then(({ status }) => status)
      expect(await elsewhere(`${open.url}/healthz`)).toBe(200)
      expect((await fetch(open.metricsUrl)).status).toBe(200)
      await expect(elsewhere(open.metricsUrl)).rejects.toThrow()
      expect(await elsewhere(`${open.url}/metrics`)).toBe(404)
    } finally {
      await open.close()
    }
  },
)
