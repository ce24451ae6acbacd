import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '../../store/database/db.ts'
import { longestOverdue } from '../../store/left-alarms.ts'

/** Metrics of emergencies that were left: whether the clinics learn of them, and how late. */
export class LeftMeasures {
  readonly #endings: Counter<'outcome'>

  constructor(registry: Registry, db: Db) {
    this.#endings = new Counter({
      name: 'fyr_left_alarm_endings_total',
      help: 'Sessions left with an alarm that this node ended, or failed to; one that fails is tried again every minute',
      labelNames: ['outcome'],
      registers: [registry],
    })
    new Gauge({
      name: 'fyr_left_alarm_overdue_seconds',
      help: 'For how long the oldest left alarm should have been ended already; the same on every node',
      registers: [registry],
      async collect() {
        // With the database away the figure is unknown, not zero; the rest of the metrics must still be served.
        this.set(await longestOverdue(db).catch(() => Number.NaN))
      },
    })
  }

  went(ended: number, failed: number): void {
    this.#endings.inc({ outcome: 'ended' }, ended)
    this.#endings.inc({ outcome: 'failed' }, failed)
  }
}
