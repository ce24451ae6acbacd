import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Db } from '../../store/database/db.ts'
import type { EventType } from '../../store/webhooks/events.ts'
import { measureWebhooks, type WebhookMeasures } from '../../store/webhooks/watch.ts'
import type { TellSpan } from '../telemetry/spans.ts'
import type { Sent } from './send.ts'

const KEPT_MS = 2_000

/** Webhook metrics: this node's attempts, and the state of the outbox, which is the same on every node. */
export class DeliveryMeasures {
  readonly #attempts: Counter<'outcome'>
  readonly #firstAttempt: Histogram
  readonly #tell: TellSpan

  constructor(registry: Registry, db: Db, tell: TellSpan) {
    this.#tell = tell
    this.#attempts = new Counter({
      name: 'fyr_webhook_attempts_total',
      help: 'Webhook attempts of this node by outcome: a status class, or why there was no answer',
      labelNames: ['outcome'],
      registers: [registry],
    })
    this.#firstAttempt = new Histogram({
      name: 'fyr_webhook_first_attempt_seconds',
      help: 'From an event to the first attempt of its delivery; replays and tests do not count',
      buckets: [0.05, 0.2, 0.5, 1, 2, 5, 15, 60, 600],
      registers: [registry],
    })
    outboxGauges(registry, db)
  }

  attempted(sent: Sent, type: EventType): void {
    const outcome = sent.kind === 'answered' ? `${Math.floor(sent.status / 100)}xx` : sent.error
    this.#attempts.inc({ outcome })
    this.#tell({
      name: 'webhook delivery',
      kind: 'client',
      attributes: { 'fyr.event': type, 'fyr.outcome': outcome },
      isFailed: outcome !== '2xx',
      durationMs: sent.durationMs ?? 0,
    })
  }

  firstAttemptAfter(seconds: number): void {
    this.#firstAttempt.observe(Math.max(0, seconds))
  }
}

function outboxGauges(registry: Registry, db: Db): void {
  let kept: { until: number; measures: Promise<WebhookMeasures> } | null = null
  const measured = (): Promise<WebhookMeasures> => {
    if (!kept || kept.until < performance.now())
      kept = { until: performance.now() + KEPT_MS, measures: measureWebhooks(db) }
    return kept.measures
  }
  const gauge = (name: string, help: string, read: (measures: WebhookMeasures) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // With the database away the figure is unknown, not zero; the rest of the metrics must still be served.
        const measures = await measured().catch(() => null)
        this.set(measures ? read(measures) : Number.NaN)
      },
    })
  gauge('fyr_webhook_deliveries_pending', 'Deliveries that wait or are being sent', ({ pending }) => pending)
  gauge('fyr_webhook_deliveries_failed', 'Deliveries that were given up and can be replayed', ({ failed }) => failed)
  gauge('fyr_webhook_oldest_pending_seconds', 'Age of the oldest pending delivery', (now) => now.oldest_seconds)
  gauge('fyr_webhook_endpoints_failing', 'Receivers whose last deliveries all failed', ({ failing }) => failing)
  gauge(
    'fyr_webhook_endpoints_disabled',
    'Webhooks that were disabled for failing or being gone',
    (now) => now.disabled,
  )
}
