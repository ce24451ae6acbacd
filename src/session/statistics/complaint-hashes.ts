import type { Core } from '../../events/core.ts'
import { keyedHash } from '../../store/seal.ts'

const HASH_BYTES = 16

/**
 * Complaints as the database knows them: hashes keyed for the account, so that sessions can be counted by complaint
 * without their contents being opened, and a dump does not tell what anybody came with. In an order that says nothing.
 */
export function complaintHashes(
  { keyring }: Pick<Core, 'keyring'>,
  accountId: string,
  ids: readonly string[],
): Buffer[] {
  const key = keyring.derive('complaint', accountId)
  const hashes = [...new Set(ids)].map((id) => keyedHash(key, id).subarray(0, HASH_BYTES))
  return hashes.sort(Buffer.compare)
}
