import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { send } from '../world/call.ts'
import { attempted, completedSession, newScene } from '../world/webhook-scene.ts'

const CANARY = 'kanarie-4c1d-vogel'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

/** A receiver of OTLP over HTTP that keeps what it got. */
const bodies: { path: string; text: string; type: string }[] = []
const collector = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    bodies.push({ path: request.url ?? '', text, type: request.headers['content-type'] ?? '' })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
afterAll(() => {
  collector.closeAllConnections()
  collector.close()
})

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = { name: string; traceId: string; parentSpanId?: string; kind: number; attributes: Attribute[] }
type Traces = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
type Metric = {
  name: string
  sum?: { dataPoints: object[] }
  gauge?: { dataPoints: object[] }
  histogram?: { dataPoints: { count: number; bucketCounts: number[]; explicitBounds: number[] }[] }
}
type Figures = { resourceMetrics: { scopeMetrics: { metrics: Metric[] }[] }[] }

const received = <T>(path: string): T[] =>
  bodies.filter((body) => body.path === path).map(({ text }) => JSON.parse(text) as T)
const spans = (): Span[] =>
  received<Traces>('/v1/traces').flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  )

test('requests, webhook deliveries and figures arrive, by route and event, with nothing of a patient, a key or an id', async () => {
  const scene = await newScene({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  const { url } = scene.world
  const clinic = await scene.clinic('traced')
  const text = `${CANARY} hurts`
  const sessionId = await completedSession(scene, clinic, { text, patient: { reference: CANARY } })
  await attempted(scene, clinic, 1)
  const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`
  await send(`${url}/api/v1/session/${sessionId}?q=${CANARY}`, 'GET', { key: clinic.key, headers: { traceparent } })
  await send(`${url}/${CANARY}`, 'GET')
  await send(`${url}/readyz`, 'GET')
  await scene.close() // a node that stops sends what it has

  const names = new Set(spans().map(({ name }) => name))
  expect(names).toContain('POST /api/v1/session')
  expect(names).toContain('POST /api/triage/v1/session/answers')
  expect(names).not.toContain('GET /readyz')
  const delivery = spans().find(({ name }) => name === 'webhook delivery')
  expect(delivery?.attributes).toEqual([
    { key: 'fyr.event', value: { stringValue: 'session.completed' } },
    { key: 'fyr.outcome', value: { stringValue: '2xx' } },
  ])
  const continued = spans().filter(({ traceId }) => traceId === TRACE)
  expect(continued).toMatchObject([{ name: 'GET /api/v1/session/:sessionId', parentSpanId: '00f067aa0ba902b7' }])

  const figures = received<Figures>('/v1/metrics').flatMap(({ resourceMetrics }) =>
    resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
  )
  const figure = (name: string) => figures.find((one) => one.name === name)
  expect(figure('fyr_refusals_total')?.sum).toBeDefined()
  expect(figure('fyr_webhook_deliveries_pending')?.gauge?.dataPoints).toHaveLength(1)
  for (const { count, bucketCounts, explicitBounds } of figure('fyr_http_request_seconds')?.histogram?.dataPoints ??
    []) {
    expect(bucketCounts.reduce((sum, one) => sum + one, 0)).toBe(count)
    expect(bucketCounts).toHaveLength(explicitBounds.length + 1)
  }

  const all = bodies.map((body) => body.text).join('\n')
  for (const word of [CANARY, sessionId, clinic.key, clinic.secret, clinic.slug, clinic.accountId, 'hurts'])
    expect(all.includes(word), word).toBe(false)
  expect(all).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/)
})

test('a receiver that is away holds up neither requests nor the stop', async () => {
  const scene = await newScene({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  const { key } = await scene.world.clinic()
  expect((await send(`${scene.world.url}/api/v1/session`, 'POST', { key })).status).toBe(201)
  const startedAt = performance.now()
  await scene.close()
  expect(performance.now() - startedAt).toBeLessThan(20_000)
})
