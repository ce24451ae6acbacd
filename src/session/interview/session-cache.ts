import type { Content } from '../../engine/load.ts'
import type { Database } from '../../store/database/db.ts'
import type { SessionRow } from '../../store/sessions.ts'
import { type Proof, proofName } from '../../store/users.ts'
import type { Session } from '../open.ts'
import type { Interview } from './interview.ts'
import type { User } from './user.ts'

/** An entry takes some 20 kB, and no node has more people answering at once; for anyone beyond, the session is read again. */
const MOST_KEPT = 1_000
/** Far more than people write. What is longer, with everything that was changed, is read again each time: somebody may try to fill the memory. */
const MOST_LETTERS = 50_000
const MOST_SAID = 400
/** Long enough to think about a question, and no longer: memory is readable. */
const LONGEST_KEPT_MS = 15 * 60_000

type Entry = { version: number; interview: Interview; user: User | null; until: number }

/**
 * Per-node cache, never authoritative: the write re-checks everything. Holds the sessions last opened on this node, as
 * they were then, because the node that asked a question usually gets the answer too and then needs to read nothing.
 */
export class SessionCache {
  /** By session, in the order in which they were kept. */
  readonly #entries = new Map<string, Entry>()
  readonly #sessionOf = new Map<string, string>()
  readonly #now: () => number

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Drops sessions that are erased, on any node. */
  async follow(db: Database): Promise<void> {
    await db.listen(
      'fyr_erased',
      (sessionId) => this.forget(sessionId),
      () => this.forgetAll(),
    )
  }

  /** The interview at exactly this version, evaluated with exactly this content. */
  interviewAt({ id, version }: Session['row'], content: Content): Interview | null {
    const entry = this.#find(id)
    return entry?.version === version && entry.interview.content === content ? entry.interview : null
  }

  /** The user for whom this proof was last valid. */
  userWith(proof: Proof): User | null {
    const user = this.#find(this.#sessionOf.get(proofName(proof)) ?? '')?.user
    return user && proofName(user.proof) === proofName(proof) ? user : null
  }

  #find(sessionId: string): Entry | null {
    const entry = this.#entries.get(sessionId)
    return entry && entry.until > this.#now() ? entry : null
  }

  /** Caches the interview of someone who only reads; that does not evict the user who answers. */
  keepInterview({ row }: Session, interview: Interview): void {
    const before = this.#find(row.id)
    if (!before?.user || before.version !== row.version) this.#keep(row, interview, null)
  }

  keepUser(user: User): void {
    const { id } = user.session.row
    this.#keep(user.session.row, user.interview, user)
    if (this.#entries.has(id)) this.#sessionOf.set(proofName(user.proof), id)
  }

  #keep({ id, version }: Session['row'], interview: Interview, user: User | null): void {
    this.forget(id)
    if (!isUsual(interview)) return
    this.#entries.set(id, { version, interview, user, until: this.#now() + LONGEST_KEPT_MS })
    const oldest = this.#entries.size > MOST_KEPT ? this.#entries.keys().next().value : undefined
    if (oldest !== undefined) this.forget(oldest)
  }

  forget(sessionId: string): void {
    const user = this.#entries.get(sessionId)?.user
    if (user) this.#sessionOf.delete(proofName(user.proof))
    this.#entries.delete(sessionId)
  }

  /** Drops expired entries. */
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

function isUsual({ history }: Interview): boolean {
  const letters = history.reduce((sum, { value }) => sum + (typeof value === 'string' ? value.length : 0), 0)
  return history.length <= MOST_SAID && letters <= MOST_LETTERS
}

/**
 * A row that may be kept. Node cuts small buffers from slabs of 64 kB, and one that is kept keeps its whole slab, with
 * bytes that belong to nobody any more.
 */
export const withOwnBytes = (row: SessionRow): SessionRow => ({
  ...row,
  secret_hash: ownBytes(row.secret_hash),
  sealed_key: ownBytes(row.sealed_key),
  sealed_matter: ownBytes(row.sealed_matter),
  sealed_given_matter: ownBytes(row.sealed_given_matter),
  sealed_given_signs: ownBytes(row.sealed_given_signs),
  sealed_extended_data: ownBytes(row.sealed_extended_data),
  sealed_outcome: ownBytes(row.sealed_outcome),
  sealed_contact: ownBytes(row.sealed_contact),
  sealed_reference: ownBytes(row.sealed_reference),
  state_seal: ownBytes(row.state_seal),
})

function ownBytes<Bytes extends Buffer | null>(bytes: Bytes): Bytes | Buffer {
  if (bytes === null) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
