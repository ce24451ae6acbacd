import { StaleKey } from '../database/db.ts'
import { newKey, SealBroken, type SealContext, seal, unseal } from '../seal.ts'

/** A value says which of its account's keys sealed it: this byte, then the number. Those of the first key have no such beginning. */
const NUMBERED = 2
const NUMBER_BYTES = 2
const KEY_BYTES = 32
const FIRST = 1

type Numbered = { number: number; key: Buffer }

/** Where a session's key is sealed with its account's. */
export const sessionKeyPlace = (accountId: string, sessionId: string): SealContext => [
  accountId,
  sessionId,
  'session key',
]

/** Which of an account's keys sealed a value. The database knows it too: account_key_number. */
export const keyNumberOf = (sealed: Buffer): number =>
  sealed.length > NUMBER_BYTES && sealed[0] === NUMBERED ? sealed.readUInt16BE(1) : FIRST

/**
 * The key of an account: the one that seals, and while it is being replaced also the other one, which still opens what
 * it sealed. It wraps the keys of sessions and seals what belongs to the account alone.
 */
export class AccountKey {
  readonly #keys: readonly Numbered[]
  /** The number of the one that seals. */
  readonly sealsWith: number

  private constructor(keys: readonly Numbered[], sealsWith: number) {
    this.#keys = keys
    this.sealsWith = sealsWith
  }

  static first(): AccountKey {
    return new AccountKey([{ number: FIRST, key: newKey() }], FIRST)
  }

  get numbers(): number[] {
    return this.#keys.map(({ number }) => number)
  }

  /** With another key beside those it has, which seals nothing yet. */
  with(number: number): AccountKey {
    return new AccountKey([...this.#keys, { number, key: newKey() }], this.sealsWith)
  }

  sealingWith(number: number): AccountKey {
    return new AccountKey(this.#keys, number)
  }

  /** Without all keys but the one that seals. */
  alone(): AccountKey {
    return new AccountKey(
      this.#keys.filter(({ number }) => number === this.sealsWith),
      this.sealsWith,
    )
  }

  seal(place: SealContext, plain: Buffer | string): Buffer {
    const sealed = seal(this.#key(this.sealsWith), place, plain)
    if (this.sealsWith === FIRST) return sealed
    return Buffer.concat([Buffer.from([NUMBERED]), asNumber(this.sealsWith), sealed])
  }

  unseal(place: SealContext, sealed: Buffer): Buffer {
    const plainly = sealed[0] === NUMBERED ? sealed.subarray(1 + NUMBER_BYTES) : sealed
    return unseal(this.#key(keyNumberOf(sealed)), place, plainly)
  }

  /** A later key than those known here: this process read the account before it was there, and has to read it again. */
  #key(number: number): Buffer {
    const found = this.#keys.find((one) => one.number === number)
    if (found) return found.key
    if (number > Math.max(...this.numbers)) throw new StaleKey('sealed with a later key')
    throw new SealBroken('What was sealed with a key that is gone could not be opened.')
  }

  /** As it is sealed with the master key. The first key alone is written as it always was. */
  toBytes(): Buffer {
    const [only, ...others] = this.#keys
    if (only?.number === FIRST && others.length === 0) return only.key
    return Buffer.concat([
      asNumber(this.sealsWith),
      ...this.#keys.flatMap(({ number, key }) => [asNumber(number), key]),
    ])
  }

  static fromBytes(bytes: Buffer): AccountKey {
    if (bytes.length === KEY_BYTES) return new AccountKey([{ number: FIRST, key: bytes }], FIRST)
    const keys: Numbered[] = []
    for (let at = NUMBER_BYTES; at < bytes.length; at += NUMBER_BYTES + KEY_BYTES)
      keys.push({
        number: bytes.readUInt16BE(at),
        key: bytes.subarray(at + NUMBER_BYTES, at + NUMBER_BYTES + KEY_BYTES),
      })
    return new AccountKey(keys, bytes.readUInt16BE(0))
  }
}

function asNumber(number: number): Buffer {
  const bytes = Buffer.alloc(NUMBER_BYTES)
  bytes.writeUInt16BE(number)
  return bytes
}
