import { Problem } from '../../problems.ts'

type Bounds = { atOnce: number; waiting: number; waitingOfOne: number; longestWaitMs: number }
type Waiting = { who: string; go: () => void }

/**
 * A queue for work that takes much memory or time: a few at once, one for each user. Its length and the wait in it are
 * limited: whoever finds no place, or no turn in time, is told to come back.
 */
export class Turns {
  readonly #bounds: Bounds
  readonly #running = new Set<string>()
  readonly #queue: Waiting[] = []

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  get running(): number {
    return this.#running.size
  }

  get waiting(): number {
    return this.#queue.length
  }

  async take<T>(who: string, work: () => Promise<T>): Promise<T> {
    await this.#turnOf(who)
    try {
      return await work()
    } finally {
      this.#running.delete(who)
      this.#goOn()
    }
  }

  #turnOf(who: string): Promise<void> {
    const { waiting, waitingOfOne, longestWaitMs } = this.#bounds
    const own = this.#queue.filter((one) => one.who === who).length
    if (this.#queue.length >= waiting || own >= waitingOfOne) throw comeBack()
    return new Promise((done, refuse) => {
      const one: Waiting = {
        who,
        go: () => {
          clearTimeout(tooLong)
          this.#running.add(who)
          done()
        },
      }
      const tooLong = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(one), 1)
        refuse(comeBack())
      }, longestWaitMs)
      this.#queue.push(one)
      this.#goOn()
    })
  }

  #goOn(): void {
    while (this.#running.size < this.#bounds.atOnce) {
      const next = this.#queue.findIndex(({ who }) => !this.#running.has(who))
      if (next < 0) return
      this.#queue.splice(next, 1)[0]?.go()
    }
  }
}

const comeBack = (): Problem => new Problem('overloaded', { headers: { 'retry-after': '3' } })
