import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** What monitoring may know: counts and durations by route template, never anything of a patient. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests: Histogram<'method' | 'route' | 'status'>
  readonly refusals: Counter<'reason'>

  constructor() {
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
      help: 'Refused credentials and limits',
      labelNames: ['reason'],
      registers: [this.registry],
    })
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    this.#requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds)
  }
}

/** Metrics on a port of their own, so that they are never reachable where patients are. */
export function metricsServer(metrics: Metrics): Server {
  return createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    const text = await metrics.registry.metrics()
    response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text)
  })
}
