import type { Content } from '../../engine/load.ts'
import { type Proof, proofName } from '../../store/users.ts'
import type { UserSession } from './user.ts'

const MOST_KEPT = 2_000
/** Long enough to think about a question; what lies in memory is readable, so no longer than that. */
const LONGEST_KEPT_MS = 15 * 60_000

type Kept = { user: UserSession; until: number }

/**
 * The sessions that were last opened on this node, as they were then. Whoever answers a question was asked it a moment before, mostly here, so nothing need be read,
 * opened or gone through again. It is never the truth: what is read says which version is, and an answer is stored only where the database still agrees
 * with everything it was judged by.
 */
export class Recent {
  /** In the order in which they were kept. */
  readonly #kept = new Map<string, Kept>()
  readonly #sessions = new Map<string, string>()
  readonly #now: () => number

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** The session at this very version, gone through with this very content. */
  at(sessionId: string, version: number, content: Content): UserSession | null {
    const user = this.#find(sessionId)
    return user?.row.version === version && user.content === content ? user : null
  }

  /** The session that this proof was last good for. */
  of(proof: Proof): UserSession | null {
    const user = this.#find(this.#sessions.get(proofName(proof)) ?? '')
    return user?.proof && proofName(user.proof) === proofName(proof) ? user : null
  }

  #find(sessionId: string): UserSession | null {
    const kept = this.#kept.get(sessionId)
    return kept && kept.until > this.#now() ? kept.user : null
  }

  keep(user: UserSession): void {
    const { id } = user.row
    const before = this.#find(id)
    // Whoever only looks does not push out the user who answers.
    if (before?.proof && !user.proof && before.row.version === user.row.version) return
    this.forget(id)
    this.#kept.set(id, { user, until: this.#now() + LONGEST_KEPT_MS })
    if (user.proof) this.#sessions.set(proofName(user.proof), id)
    const oldest = this.#kept.size > MOST_KEPT ? this.#kept.keys().next().value : undefined
    if (oldest !== undefined) this.forget(oldest)
  }

  forget(sessionId: string): void {
    const proof = this.#kept.get(sessionId)?.user.proof
    if (proof) this.#sessions.delete(proofName(proof))
    this.#kept.delete(sessionId)
  }

  /** Drops what has had its time. */
  forgetOld(): void {
    for (const [id, { until }] of this.#kept) {
      if (until > this.#now()) return
      this.forget(id)
    }
  }

  forgetAll(): void {
    this.#kept.clear()
    this.#sessions.clear()
  }
}
