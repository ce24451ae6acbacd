import { keyedHash } from '../store/seal.ts'
import type { Keyring } from '../store/sealing/keyring.ts'

const BYTES = 16

/**
 * What lists find sessions under: a hash keyed for the account, so that a copy of the database does not tell which
 * complaint it is. That two sessions of an account have the same one, it does tell.
 */
export type Marks = { complaint: (id: string) => Buffer; judged: () => Buffer }

export function marksOf(keyring: Keyring, accountId: string): Marks {
  const key = keyring.derive('mark', accountId)
  const mark = (...parts: string[]) => keyedHash(key, ...parts).subarray(0, BYTES)
  return { complaint: (id) => mark('complaint', id), judged: () => mark('judged') }
}
