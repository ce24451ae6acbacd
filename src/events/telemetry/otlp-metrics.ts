import { type HrTime, ValueType } from '@opentelemetry/api'
import { AggregationTemporality, type DataPoint, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import type { Registry } from 'prom-client'

type Figure = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number]
type Value = { value: number; labels: Partial<Record<string, string | number>>; metricName?: string }
type Times = { startTime: HrTime; endTime: HrTime }

/** The figures of a registry in the terms of OpenTelemetry, under the same names. One that is unknown now is left out. */
export function metricsOf(figures: readonly Figure[], startedAt: Date): MetricData[] {
  const times = { startTime: momentOf(startedAt), endTime: momentOf(new Date()) }
  return figures.flatMap((figure) => metricOf(figure, times) ?? [])
}

function metricOf(figure: Figure, times: Times): MetricData | null {
  const values: Value[] = figure.values.filter(({ value }) => Number.isFinite(value))
  const descriptor = { name: figure.name, description: figure.help, unit: '', valueType: ValueType.DOUBLE }
  const base = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE }
  const points = values.map(({ value, labels }) => ({ ...times, attributes: attributesOf(labels), value }))
  switch (String(figure.type)) {
    case 'counter':
      return { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points }
    case 'gauge':
      return { ...base, dataPointType: DataPointType.GAUGE, dataPoints: points }
    case 'histogram':
      return { ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(figure.name, values, times) }
    default:
      return null
  }
}

type Histogram = { buckets: { boundaries: number[]; counts: number[] }; sum: number; count: number }

/** Buckets come as totals up to each bound, and are sent as what lies between two. */
function histogramsOf(name: string, values: readonly Value[], times: Times): DataPoint<Histogram>[] {
  const groups = Map.groupBy(values, ({ labels: { le: _, ...rest } }) => JSON.stringify(rest))
  return [...groups.values()].map((group) => {
    const buckets = group.filter(({ metricName }) => metricName === `${name}_bucket`)
    const partOf = (part: string) => group.find(({ metricName }) => metricName === `${name}_${part}`)?.value ?? 0
    const { le: _, ...labels } = group[0]?.labels ?? {}
    const counts = buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0))
    const boundaries = buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite)
    const value = { buckets: { boundaries, counts }, sum: partOf('sum'), count: partOf('count') }
    return { ...times, attributes: attributesOf(labels), value }
  })
}

const attributesOf = (labels: Value['labels']): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))

const momentOf = (at: Date): HrTime => [Math.floor(at.getTime() / 1_000), (at.getTime() % 1_000) * 1_000_000]
