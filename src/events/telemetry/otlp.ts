import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Registry } from 'prom-client'
import { VERSION } from '../../version.ts'
import { metricsOf } from './otlp-metrics.ts'
import type { Span, TellSpan } from './spans.ts'

const EXPORT_TIMEOUT_MS = 5_000
const EXPORT_INTERVAL_MS = 30_000
/** A receiver that is away must not hold up a node that stops. */
const STOPPED_WITHIN_MS = 2_000
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT }
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

export type Telemetry = { tell: TellSpan; stop: () => Promise<void> }

/**
 * Sends spans and the figures of `/metrics` to an OpenTelemetry receiver (OTLP over HTTP). What cannot be sent is kept in
 * a bounded queue and then dropped; no request waits for it.
 */
export function startTelemetry(endpoint: string, registry: Registry): Telemetry {
  const resource = resourceFromAttributes({
    'service.name': 'fyr',
    'service.version': VERSION,
    'service.instance.id': `${hostname()}:${process.pid}`,
  })
  const to = (what: string) => ({ url: `${endpoint}/v1/${what}`, timeoutMillis: EXPORT_TIMEOUT_MS })
  const spans = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(to('traces')) })],
  })
  const startedAt = new Date()
  const figures = async () => ({
    resourceMetrics: {
      resource,
      scopeMetrics: [{ scope: { name: 'fyr' }, metrics: metricsOf(await registry.getMetricsAsJSON(), startedAt) }],
    },
    errors: [],
  })
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(to('metrics')),
    exportIntervalMillis: EXPORT_INTERVAL_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
    metricProducers: [{ collect: figures }],
  })
  const meters = new MeterProvider({ resource, readers: [reader] })
  const tracer = spans.getTracer('fyr', VERSION)
  return {
    tell: (span) => {
      const endTime = Date.now()
      const options = {
        kind: KINDS[span.kind],
        startTime: endTime - span.durationMs,
        attributes: span.attributes,
      }
      const made = tracer.startSpan(span.name, options, contextOf(span))
      if (span.isFailed) made.setStatus({ code: SpanStatusCode.ERROR })
      made.end(endTime)
    },
    stop: async () => {
      const sent = Promise.allSettled([spans.shutdown(), meters.shutdown()])
      await Promise.race([sent, wait(STOPPED_WITHIN_MS, null, { ref: false })])
    },
  }
}

/** The caller's trace, when it sent one. */
function contextOf({ traceparent = '' }: Span) {
  const [, traceId, spanId, flags = '00'] = TRACEPARENT.exec(traceparent) ?? []
  if (!traceId || !spanId) return ROOT_CONTEXT
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
}
