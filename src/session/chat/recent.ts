import type { Content } from '../../engine/load.ts'
import { type Proof, proofName } from '../../store/users.ts'
import type { UserSession } from './user.ts'

const MOST_KEPT = 2_000

/**
 * The sessions that were last opened on this node, as they were then. Whoever answers a question was asked it a moment before, mostly here, so nothing need be read,
 * opened or gone through again. It is never the truth: what is read says which version is, and an answer is stored only where the database still agrees
 * with everything it was judged by.
 */
export class Recent {
  readonly #users = new Map<string, UserSession>()
  readonly #sessions = new Map<string, string>()

  /** The session at this very version, gone through with this very content. */
  at(sessionId: string, version: number, content: Content): UserSession | null {
    const user = this.#users.get(sessionId)
    return user?.row.version === version && user.content === content ? user : null
  }

  /** The session that this proof was last good for. */
  of(proof: Proof): UserSession | null {
    const user = this.#users.get(this.#sessions.get(proofName(proof)) ?? '')
    return user?.proof && proofName(user.proof) === proofName(proof) ? user : null
  }

  keep(user: UserSession): void {
    const { id } = user.row
    const before = this.#users.get(id)
    // Whoever only looks does not push out the user who answers.
    if (before?.proof && !user.proof && before.row.version === user.row.version) return
    this.forget(id)
    this.#users.set(id, user)
    if (user.proof) this.#sessions.set(proofName(user.proof), id)
    const oldest = this.#users.size > MOST_KEPT ? this.#users.keys().next().value : undefined
    if (oldest !== undefined) this.forget(oldest)
  }

  forget(sessionId: string): void {
    const proof = this.#users.get(sessionId)?.proof
    if (proof) this.#sessions.delete(proofName(proof))
    this.#users.delete(sessionId)
  }
}
