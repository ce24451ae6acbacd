import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'
import type { Figures, FromMember } from './messages.ts'

/** A process whose database is stalled takes this long; one that hangs is left out, and the others are still seen. */
const PATIENCE_MS = 6_000

type Asked = { send: (asked: number) => unknown }

/** The figures of all processes on one page, with those of their supervisor. */
export class AllFigures {
  readonly #own = new Registry()
  readonly #restarts: Counter
  readonly #hearing = new Map<number, (figures: Figures) => void>()
  #asked = 0

  constructor(wanted: number, listening: () => number) {
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers: [this.#own],
        collect() {
          this.set(value())
        },
      })
    gauge('fyr_processes_wanted', 'Processes that are to serve on this port', () => wanted)
    gauge('fyr_processes', 'Processes that serve on this port now', listening)
    this.#restarts = new Counter({
      name: 'fyr_process_restarts_total',
      help: 'Processes that ended by themselves and were started again',
      registers: [this.#own],
    })
  }

  restarted(): void {
    this.#restarts.inc()
  }

  hear(message: Extract<FromMember, { kind: 'measured' }>): void {
    this.#hearing.get(message.asked)?.(message.figures)
  }

  async collect(members: readonly Asked[]): Promise<Registry> {
    const all = await Promise.all([this.#own.getMetricsAsJSON(), ...members.map((member) => this.#figuresOf(member))])
    return AggregatorRegistry.aggregate(all)
  }

  async #figuresOf(member: Asked): Promise<Figures> {
    const asked = ++this.#asked
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<Figures>((done) => {
        this.#hearing.set(asked, done)
        timer = setTimeout(() => done([]), PATIENCE_MS)
        member.send(asked)
      })
    } finally {
      clearTimeout(timer)
      this.#hearing.delete(asked)
    }
  }
}
