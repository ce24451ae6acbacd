import { isPassing, Refused } from './api.ts'

export type Waiting = 'lost' | 'busy'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 8_000

/** Retries what may be repeated, until it is answered. Reports when it has to wait, and can be woken. */
export class Patience {
  readonly #onWaiting: (waiting: Waiting | null) => void
  #wake: (() => void) | null = null

  constructor(onWaiting: (waiting: Waiting | null) => void) {
    this.#onWaiting = onWaiting
    addEventListener('online', () => this.tryNow())
  }

  tryNow(): void {
    this.#wake?.()
  }

  async untilAnswered<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        const answer = await attempt()
        if (tries > 0) this.#onWaiting(null)
        return answer
      } catch (error) {
        if (!isPassing(error)) {
          if (tries > 0) this.#onWaiting(null)
          throw error
        }
        this.#onWaiting(error instanceof Refused ? 'busy' : 'lost')
        const asked = error instanceof Refused ? error.retryAfterMs : null
        await this.#pause(Math.min(asked ?? FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS))
      }
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((done) => {
      const end = () => {
        clearTimeout(timer)
        this.#wake = null
        done()
      }
      const timer = setTimeout(end, ms)
      this.#wake = end
    })
  }
}
