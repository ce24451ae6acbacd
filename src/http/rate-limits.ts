import { fail } from '../problems.ts'

const MOST_KEPT = 100_000

type Bucket = { left: number; at: number }

/** A budget that fills again evenly: so many in a window, kept in memory by each node for itself. */
export class RateLimit {
  readonly #most: number
  readonly #windowMs: number
  readonly #buckets = new Map<string, Bucket>()

  /** `most` 0 turns the limit off. */
  constructor(most: number, windowMs: number) {
    this.#most = most
    this.#windowMs = windowMs
  }

  /** Takes one from the budget, or refuses with the seconds to wait. */
  take(who: string): void {
    if (this.#most === 0) return
    const bucket = this.#bucketOf(who)
    if (bucket.left < 1) this.#refuse(bucket)
    bucket.left--
  }

  #refuse(bucket: Bucket): never {
    const seconds = Math.max(1, Math.ceil(((1 - bucket.left) * this.#windowMs) / this.#most / 1000))
    fail('too-many-requests', { headers: { 'retry-after': String(seconds) } })
  }

  #bucketOf(who: string): Bucket {
    const now = performance.now()
    const known = this.#buckets.get(who)
    if (!known) {
      if (this.#buckets.size >= MOST_KEPT) this.#forgetFull(now)
      const fresh = { left: this.#most, at: now }
      this.#buckets.set(who, fresh)
      return fresh
    }
    known.left = Math.min(this.#most, known.left + ((now - known.at) / this.#windowMs) * this.#most)
    known.at = now
    return known
  }

  /** Whoever has been quiet for a window has a full budget again and need not be remembered. */
  #forgetFull(now: number): void {
    for (const [who, { at }] of this.#buckets) if (now - at > this.#windowMs) this.#buckets.delete(who)
    if (this.#buckets.size >= MOST_KEPT) this.#buckets.clear()
  }
}
