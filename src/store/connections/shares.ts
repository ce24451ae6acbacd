import { ShareSpent, StatementTimeout } from '../database/db.ts'

type Waiting = { start: () => void; late: NodeJS.Timeout }
type Line = { running: number; waiting: Waiting[] }

export type ShareLimits = { atOnce: number; perOne: number; waitingPerOne: number; longestWaitMs: number }

/**
 * Shares out a few places among callers, so that a heavy caller waits only for itself: each has a bounded number of
 * places and a bounded queue of its own, and free places go round among the queues.
 */
export class Shares {
  readonly #limits: ShareLimits
  readonly #lines = new Map<string, Line>()
  #running = 0

  constructor(limits: ShareLimits) {
    this.#limits = limits
  }

  async run<T>(who: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lineOf(who)
    if (line.waiting.length > 0 || !this.#hasRoom(line)) await this.#turn(line)
    else this.#begin(line)
    try {
      return await work()
    } finally {
      this.#running--
      line.running--
      this.#goOn()
    }
  }

  #lineOf(who: string): Line {
    const line = this.#lines.get(who) ?? { running: 0, waiting: [] }
    this.#lines.set(who, line)
    return line
  }

  #hasRoom(line: Line): boolean {
    return this.#running < this.#limits.atOnce && line.running < this.#limits.perOne
  }

  #begin(line: Line): void {
    this.#running++
    line.running++
  }

  #turn(line: Line): Promise<void> {
    if (line.waiting.length >= this.#limits.waitingPerOne) throw new ShareSpent('as many wait as may')
    return new Promise((start, failed) => {
      const giveUp = () => {
        line.waiting = line.waiting.filter((one) => one !== waiting)
        failed(new StatementTimeout('slow'))
      }
      const waiting = { start, late: setTimeout(giveUp, this.#limits.longestWaitMs).unref() }
      line.waiting.push(waiting)
    })
  }

  /** Gives every free place to the next queue, and puts that queue behind the others. */
  #goOn(): void {
    for (const [who, line] of [...this.#lines]) {
      if (this.#running >= this.#limits.atOnce) return
      const next = this.#hasRoom(line) ? line.waiting.shift() : undefined
      if (next) {
        clearTimeout(next.late)
        this.#lines.delete(who)
        this.#lines.set(who, line)
        this.#begin(line)
        next.start()
      } else if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(who)
    }
  }
}
