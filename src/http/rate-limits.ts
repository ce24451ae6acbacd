import { fail } from '../problems.ts'

const MOST_KEPT = 100_000

type Bucket = { left: number; at: number }

/** A budget that refills evenly: so many in a window, kept in memory by each node for itself. */
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

  /** The same for a caller known only by address. */
  takeFrom({ ip }: { ip: string }): void {
    this.take(budgetOf(ip))
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

  /** A caller who was quiet for a window has a full budget again and need not be remembered. */
  #forgetFull(now: number): void {
    for (const [who, { at }] of this.#buckets) if (now - at > this.#windowMs) this.#buckets.delete(who)
    if (this.#buckets.size >= MOST_KEPT) this.#buckets.clear()
  }
}

/**
 * The budget that an address counts on. Everyone with IPv6 has at least a whole /64 to choose addresses from, so a /64
 * is one caller; IPv4-mapped IPv6 is IPv4.
 */
export function budgetOf(address: string): string {
  const plain = `http://[${address.split('%', 1)[0]}]`
  if (!address.includes(':') || !URL.canParse(plain)) return address
  const [before = '', after = ''] = new URL(plain).hostname.slice(1, -1).split('::')
  const [head, tail] = [groupsOf(before), groupsOf(after)]
  const groups = [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return groups.slice(6).flatMap(bytesOf).join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

const groupsOf = (text: string): number[] => (text ? text.split(':').map((group) => Number.parseInt(group, 16)) : [])
const bytesOf = (group: number): number[] => [group >> 8, group & 0xff]
