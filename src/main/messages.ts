import type { Registry } from 'prom-client'
import type { Started } from './greeting.ts'

/** What a supervisor says to one of its processes. */
export type ToMember =
  /** The database is open: serve, as this one of so many. One of them makes the demo account, on an empty database. */
  | { kind: 'begin'; number: number; processes: number; makesDemo: boolean }
  | { kind: 'stop'; reason: string; code: number; graceSeconds: number }
  /** Asks for a sign of life. */
  | { kind: 'ping' }
  /** Asks for its figures. */
  | { kind: 'measure'; asked: number }

/** The figures of one process, as they go over to another. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** What a process says to its supervisor. */
export type FromMember =
  | ({ kind: 'listening' } & Started)
  | { kind: 'alive' }
  | { kind: 'measured'; asked: number; figures: Figures }
