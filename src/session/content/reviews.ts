import type { CompiledRelease } from '../../engine/content.ts'
import type { Core } from '../../events/core.ts'
import { isReviewed, type Signature, signaturesOf } from './review.ts'

const LONGEST_KEPT_MS = 4_000
const MOST_KEPT = 10_000

type Kept = { signatures: Promise<Signature[]>; until: number }

/** What each account's clinicians have signed: cached for a few seconds, and dropped when one signs or is revoked. */
export class Reviews {
  readonly #core: Core
  readonly #kept = new Map<string, Kept>()

  constructor(core: Core) {
    this.#core = core
  }

  /** Whether this account's own clinicians have reviewed a release. */
  async has(accountId: string, release: CompiledRelease): Promise<boolean> {
    return isReviewed(release, await this.#of(accountId))
  }

  #of(accountId: string): Promise<Signature[]> {
    const kept = this.#kept.get(accountId)
    if (kept && kept.until > performance.now()) return kept.signatures
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    const signatures = signaturesOf(this.#core, accountId)
    this.#kept.set(accountId, { signatures, until: performance.now() + LONGEST_KEPT_MS })
    signatures.catch(() => this.#kept.delete(accountId))
    return signatures
  }

  forget(accountId: string): void {
    this.#kept.delete(accountId)
  }

  forgetAll(): void {
    this.#kept.clear()
  }
}
