import { fail } from '../../problems.ts'

/**
 * The memory that uploads in progress may use on this node: so much for one user, so much for all. It is reserved
 * before a byte is read; a sender who finds none is told to come back, and has lost nothing.
 */
export class Room {
  readonly #most: { ofOne: number; ofAll: number }
  readonly #byUser = new Map<string, number>()
  #reserved = 0
  #highest = 0

  constructor(most: { ofOne: number; ofAll: number }) {
    this.#most = most
  }

  /** The bytes reserved now, and the most that ever were. */
  get bytes(): { now: number; highest: number } {
    return { now: this.#reserved, highest: this.#highest }
  }

  /** Reserves bytes and returns how to release them. */
  reserve(who: string, bytes: number): () => void {
    const own = this.#byUser.get(who) ?? 0
    if (own + bytes > this.#most.ofOne) fail('too-many-requests', { detail: OWN, headers: { 'retry-after': '2' } })
    if (this.#reserved + bytes > this.#most.ofAll) fail('overloaded', { headers: { 'retry-after': '5' } })
    this.#add(who, bytes)
    return () => this.#add(who, -bytes)
  }

  #add(who: string, bytes: number): void {
    const own = (this.#byUser.get(who) ?? 0) + bytes
    if (own > 0) this.#byUser.set(who, own)
    else this.#byUser.delete(who)
    this.#reserved += bytes
    this.#highest = Math.max(this.#highest, this.#reserved)
  }
}

const OWN =
  'Too many files are being sent at once. What has arrived is kept: wait for the seconds in Retry-After, then go on.'
