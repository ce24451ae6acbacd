import type { Core } from '../events/core.ts'
import { Problem } from '../problems.ts'
import { findKeyDoor } from '../store/keys.ts'
import { hashOf } from '../store/seal.ts'
import type { AccountKey } from '../store/sealing/account-key.ts'
import { type ConfigurationDocument, readDocument } from './configuration.ts'
import { isWellFormedKey } from './key.ts'

/** A program acting for an account: its key opens exactly one configuration. */
export type Caller = {
  accountId: string
  keyId: string
  configurationId: string
  /** What it creates is a test. */
  isSandbox: boolean
  slug: string
  configuration: ConfigurationDocument
  timeZone: string
  accountKey: AccountKey
}

type Kept = { caller: Caller; until: number }

const LONGEST_KEPT_MS = 4_000
const MOST_KEPT = 10_000

/**
 * The caller behind a key. Callers are cached for a few seconds and dropped whenever a key or configuration changes, so
 * that a revoked key is dead on every node within five seconds even if the notification is lost.
 */
export class Callers {
  readonly #core: Core
  readonly #kept = new Map<string, Kept>()
  readonly #looking = new Map<string, Promise<Caller>>()
  #generation = 0

  constructor(core: Core) {
    this.#core = core
  }

  async follow(): Promise<void> {
    const drop = () => {
      this.#generation++
      this.#kept.clear()
    }
    await this.#core.db.listen('fyr_changed', drop, drop)
  }

  /** The cached caller, synchronously: the busiest path of all should not wait for a promise. */
  known(key: string): Caller | null {
    const kept = this.#kept.get(key)
    return kept && kept.until > performance.now() ? kept.caller : null
  }

  find(key: string): Promise<Caller> {
    if (!isWellFormedKey(key)) return Promise.reject(new Problem('key-invalid'))
    const looking = this.#looking.get(key) ?? this.#look(key).finally(() => this.#looking.delete(key))
    this.#looking.set(key, looking)
    return looking
  }

  async #look(key: string): Promise<Caller> {
    const [askedAt, generation] = [performance.now(), this.#generation]
    const door = await findKeyDoor(this.#core.db, hashOf(key))
    if (!door || door.revoked || (door.valid_ms !== null && door.valid_ms <= 0)) throw new Problem('key-invalid')
    const read = door.enabled ? readDocument(door.document) : null
    if (!read || 'faults' in read || door.slug === null) throw new Problem('configuration-not-found')
    const caller: Caller = {
      accountId: door.account_id,
      keyId: door.key_id,
      configurationId: door.configuration_id,
      isSandbox: door.is_sandbox,
      slug: door.slug,
      configuration: read.document,
      timeZone: door.time_zone,
      accountKey: this.#core.keyring.openAccountKey(door.account_id, door.sealed_account_key),
    }
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    if (generation === this.#generation) {
      this.#kept.set(key, { caller, until: askedAt + Math.min(LONGEST_KEPT_MS, door.valid_ms ?? LONGEST_KEPT_MS) })
    }
    return caller
  }
}
