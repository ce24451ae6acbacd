import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Settings } from '../settings.ts'

/** What monitoring may see: counts and durations by route template, never anything about a patient. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests: Histogram<'method' | 'route' | 'status'>
  readonly refusals: Counter<'reason'>

  constructor(droppedLogLines: () => number = () => 0) {
    collectDefaultMetrics({ register: this.registry, prefix: 'fyr_' })
    this.#requests = new Histogram({
      name: 'fyr_http_request_seconds',
      help: 'Requests by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers: [this.registry],
    })
    this.refusals = new Counter({
      name: 'fyr_refusals_total',
      help: 'Refused credentials, limits, and stored values that were tampered with',
      labelNames: ['reason'],
      registers: [this.registry],
    })
    new Counter({
      name: 'fyr_log_lines_dropped_total',
      help: 'Log lines that nobody took in time',
      registers: [this.registry],
      collect() {
        this.reset()
        this.inc(droppedLogLines())
      },
    })
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    this.#requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds)
  }
}

/** Metrics on their own port, so that they are never reachable where patients are. */
function metricsServer(collect: () => Promise<Pick<Registry, 'metrics' | 'contentType'>>): Server {
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end()
    const answer = async () => {
      const registry = await collect()
      const text = await registry.metrics()
      response.writeHead(200, { 'content-type': registry.contentType }).end(text)
    }
    answer().catch(() => response.writeHead(500).end()) // a figure that is unavailable must not end the service
  })
}

/** Serves metrics. Those that cannot listen must not keep patients out: the failure is logged, and the service goes on. */
export function serveMetrics(
  collect: () => Promise<Pick<Registry, 'metrics' | 'contentType'>>,
  { METRICS_HOST: host, METRICS_PORT: port }: Pick<Settings, 'METRICS_HOST' | 'METRICS_PORT'>,
  logger: Logger,
): Promise<Server | null> {
  const server = metricsServer(collect)
  return new Promise((done) => {
    server.once('error', () => {
      logger.warn({ host, port }, 'metrics cannot listen there, the port may be taken; metrics are off')
      done(null)
    })
    server.listen(port, host, () => done(server))
  })
}

/** The port that a server listens on; 0 when it does not. */
export const portOf = (server: Server | null): number => (server?.address() as AddressInfo | null)?.port ?? 0
