import type { Content } from '../../engine/load.ts'
import type { Database } from '../../store/database/db.ts'
import { type Proof, proofName } from '../../store/users.ts'
import type { Session } from '../open.ts'
import type { Interview } from './interview.ts'
import type { User } from './user.ts'

const MOST_KEPT = 2_000
/** Long enough to think about a question; what lies in memory is readable, so no longer than that. */
const LONGEST_KEPT_MS = 15 * 60_000

type Entry = { version: number; interview: Interview; user: User | null; until: number }

/**
 * Per-node cache, never authoritative: the write re-checks everything. It holds the sessions that were last opened here, as they were then.
 * Whoever answers a question was mostly asked it here a moment before, so nothing need be read, opened or gone through again.
 */
export class SessionCache {
  /** By session, in the order in which they were kept. */
  readonly #entries = new Map<string, Entry>()
  readonly #sessionOf = new Map<string, string>()
  readonly #now: () => number

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Forgets what is erased, on whichever node. */
  async follow(db: Database): Promise<void> {
    await db.listen(
      'fyr_erased',
      (sessionId) => this.forget(sessionId),
      () => this.forgetAll(),
    )
  }

  /** The interview at this very version, gone through with this very content. */
  interviewAt({ id, version }: Session['row'], content: Content): Interview | null {
    const entry = this.#find(id)
    return entry?.version === version && entry.interview.content === content ? entry.interview : null
  }

  /** The user that this proof was last good for. */
  userWith(proof: Proof): User | null {
    const user = this.#find(this.#sessionOf.get(proofName(proof)) ?? '')?.user
    return user && proofName(user.proof) === proofName(proof) ? user : null
  }

  #find(sessionId: string): Entry | null {
    const entry = this.#entries.get(sessionId)
    return entry && entry.until > this.#now() ? entry : null
  }

  /** Keeps what someone who only looks has gone through; that does not push out the user who answers. */
  keepInterview({ row }: Session, interview: Interview): void {
    const before = this.#find(row.id)
    if (!before?.user || before.version !== row.version) this.#keep(row, interview, null)
  }

  keepUser(user: User): void {
    this.#keep(user.session.row, user.interview, user)
    this.#sessionOf.set(proofName(user.proof), user.session.row.id)
  }

  #keep({ id, version }: Session['row'], interview: Interview, user: User | null): void {
    this.forget(id)
    this.#entries.set(id, { version, interview, user, until: this.#now() + LONGEST_KEPT_MS })
    const oldest = this.#entries.size > MOST_KEPT ? this.#entries.keys().next().value : undefined
    if (oldest !== undefined) this.forget(oldest)
  }

  forget(sessionId: string): void {
    const user = this.#entries.get(sessionId)?.user
    if (user) this.#sessionOf.delete(proofName(user.proof))
    this.#entries.delete(sessionId)
  }

  /** Drops what has had its time. */
  forgetOld(): void {
    for (const [id, { until }] of this.#entries) {
      if (until > this.#now()) return
      this.forget(id)
    }
  }

  forgetAll(): void {
    this.#entries.clear()
    this.#sessionOf.clear()
  }
}
