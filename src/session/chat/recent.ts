import type { Step } from '../../engine/content.ts'
import type { HistoryEntry } from './user.ts'

/** What was computed for a session at one version; another version is another thing. */
type Kept = { version: number; history: readonly HistoryEntry[]; step: Step }

const MOST_KEPT = 2_000

/**
 * What this node computed last for the sessions it answered last. Whoever answers a question was asked it a moment before, mostly here, so the answers need not
 * be opened nor the interview gone through again. It is never the truth: the session's row says which version is, and anything else is computed anew.
 */
export class Recent {
  readonly #kept = new Map<string, Kept>()

  at(sessionId: string, version: number): Kept | null {
    const kept = this.#kept.get(sessionId)
    return kept?.version === version ? kept : null
  }

  keep(sessionId: string, kept: Kept): void {
    this.#kept.delete(sessionId)
    this.#kept.set(sessionId, kept)
    const oldest = this.#kept.size > MOST_KEPT ? this.#kept.keys().next().value : undefined
    if (oldest !== undefined) this.#kept.delete(oldest)
  }

  forget(sessionId: string): void {
    this.#kept.delete(sessionId)
  }
}
