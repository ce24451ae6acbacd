import { hkdfSync } from 'node:crypto'
import { SealBroken, type SealContext, seal, unseal } from '../seal.ts'
import { AccountKey } from './account-key.ts'

type Purpose =
  | 'audit'
  | 'checkpoint'
  | 'idempotency'
  | 'file address'
  | 'cursor'
  | 'release'
  | 'clinician'
  | 'mark'
  | 'master key check'

const ROOT_PLACE: SealContext = ['fyr', 'fyr', 'root key']

const derived = (from: Buffer, purpose: Purpose, accountId: string): Buffer =>
  Buffer.from(hkdfSync('sha256', from, accountId, `fyr ${purpose}`, 32))

/** What tells a master key from any other and says nothing of it. */
export const checkOf = (master: Buffer): Buffer => derived(master, 'master key check', 'fyr')

export const sealRoot = (master: Buffer, root: Buffer): Buffer => seal(master, ROOT_PLACE, root)
export const openRoot = (master: Buffer, sealed: Buffer): Buffer => unseal(master, ROOT_PLACE, sealed)

/** The master keys a process was given: the one to use, and while that replaces another also the other one. */
export type Masters = {
  given: Buffer
  previous?: Buffer | null
  /** The one that everything was sealed with when the process started. */
  inUse?: Buffer
  /** What the keyed hashes are derived from; the master key itself where nothing else was made. */
  root?: Buffer
}

/**
 * The keys of the deployment. The master key wraps each account's key and the root key, and the root key feeds the keyed
 * hashes: so they stay as they are when the master key is replaced.
 */
export class Keyring {
  readonly #given: Buffer
  readonly #previous: Buffer | null
  readonly #inUse: Buffer
  readonly #root: Buffer

  constructor({ given, previous = null, inUse = given, root = given }: Masters) {
    this.#given = given
    this.#previous = previous
    this.#inUse = inUse
    this.#root = root
  }

  /** The check values of the master keys held here. */
  get checks(): Buffer[] {
    return [this.#given, ...(this.#previous ? [this.#previous] : [])].map(checkOf)
  }

  /** Of the one that everything was sealed with when this process started. */
  get check(): Buffer {
    return checkOf(this.#inUse)
  }

  get givenCheck(): Buffer {
    return checkOf(this.#given)
  }

  wrapAccountKey(accountId: string, key: AccountKey): Buffer {
    return wrap(this.#inUse, accountId, key)
  }

  openAccountKey(accountId: string, sealed: Buffer): AccountKey {
    return this.#opened(accountId, sealed).key
  }

  /** Another state of an account's key, under the same master key as before. */
  changeAccountKey(accountId: string, sealed: Buffer, change: (key: AccountKey) => AccountKey): Buffer {
    const { key, master } = this.#opened(accountId, sealed)
    return wrap(master, accountId, change(key))
  }

  /** The same account key under the master key to use. */
  rewrapAccountKey(accountId: string, sealed: Buffer): Buffer {
    return wrap(this.#given, accountId, this.openAccountKey(accountId, sealed))
  }

  /** The root key under the master key to use. */
  rewrapRoot(): Buffer {
    return sealRoot(this.#given, this.#root)
  }

  #opened(accountId: string, sealed: Buffer): { key: AccountKey; master: Buffer } {
    try {
      return { key: open(this.#given, accountId, sealed), master: this.#given }
    } catch (error) {
      if (!(error instanceof SealBroken) || !this.#previous) throw error
      return { key: open(this.#previous, accountId, sealed), master: this.#previous }
    }
  }

  /** A key of its own for each purpose, so that none can stand in for another. */
  derive(purpose: Purpose, accountId: string): Buffer {
    return derived(this.#root, purpose, accountId)
  }
}

const placeOf = (accountId: string): SealContext => [accountId, accountId, 'account key']
const wrap = (master: Buffer, accountId: string, key: AccountKey): Buffer =>
  seal(master, placeOf(accountId), key.toBytes())
const open = (master: Buffer, accountId: string, sealed: Buffer): AccountKey =>
  AccountKey.fromBytes(unseal(master, placeOf(accountId), sealed))
