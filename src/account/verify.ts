import type { Core } from '../events/core.ts'
import { DEPLOYMENT, listAccounts } from '../store/accounts.ts'
import { listAuditEntries } from '../store/audit.ts'
import { listKeysNotOnRecord } from '../store/keys.ts'

/** An account that exists or was once on record, and what is wrong with it. */
export type VerifiedAccount = { id: string; name: string; isReadable: boolean; fault: string | null }

const PAGE = 2_000
const UNNAMED = 'an account'

/**
 * Compares existing accounts with those that the deployment's chain says were made and removed. `seen` are accounts
 * known from checkpoints outside the database: with them a missing account is noticed even when the deployment's chain
 * was cut.
 */
export async function verifyAccounts(core: Core, seen: Iterable<string>): Promise<VerifiedAccount[]> {
  const { made, removed } = await accountsOnRecord(core)
  const there: VerifiedAccount[] = []
  for (const { id, name, sealed_key: sealedKey } of await listAccounts(core.db)) {
    const isReadable = opens(core, id, sealedKey)
    const fault = await faultOf(core, id, { isReadable, isMade: made.has(id), isRemoved: removed.has(id) })
    there.push({ id, name, isReadable, fault })
  }
  const known = new Set(there.map(({ id }) => id))
  const missed = new Set([...made.keys(), ...seen].filter((id) => !known.has(id) && id !== DEPLOYMENT))
  const gone = [...missed].map((id) => {
    const fault = removed.has(id)
      ? null
      : 'the account is gone, and no entry of the deployment says that it was removed'
    return { id, name: made.get(id) ?? UNNAMED, isReadable: false, fault }
  })
  return [...there, ...gone]
}

async function faultOf(
  { db }: Core,
  id: string,
  { isReadable, isMade, isRemoved }: { isReadable: boolean; isMade: boolean; isRemoved: boolean },
): Promise<string | null> {
  if (!isMade) return 'no entry of the deployment says that it was made'
  if (isRemoved) return 'was removed on record, and is there again'
  if (!isReadable) return 'its key does not open'
  const strange = await listKeysNotOnRecord(db, id)
  return strange.length > 0 ? `API keys that were not issued on record, or were revoked: ${strange.join(', ')}` : null
}

function opens({ keyring }: Core, id: string, sealedKey: Buffer): boolean {
  try {
    keyring.openAccountKey(id, sealedKey)
    return true
  } catch {
    return false
  }
}

async function accountsOnRecord({ db }: Core): Promise<{ made: Map<string, string>; removed: Set<string> }> {
  const [made, removed] = [new Map<string, string>(), new Set<string>()]
  for (let afterSeq = 0; ; ) {
    const page = await listAuditEntries(db, DEPLOYMENT, { afterSeq, limit: PAGE })
    for (const { action, subject, detail } of page) {
      if (action === 'account.created') made.set(subject, String(detail.name ?? UNNAMED))
      if (action === 'account.removed') removed.add(subject)
    }
    if (page.length < PAGE) return { made, removed }
    afterSeq = page.at(-1)?.seq ?? afterSeq
  }
}
