import type { Core } from '../events/core.ts'
import { DEPLOYMENT, listAccounts } from '../store/accounts.ts'
import { listAuditEntries } from '../store/audit.ts'

/** An account that is there, or was once on record, and what is wrong with that. */
export type VerifiedAccount = { id: string; name: string; isReadable: boolean; fault: string | null }

const PAGE = 2_000
const UNNAMED = 'an account'

/**
 * Holds the accounts that are there against those that the deployment's chain says were made and removed. `seen` are accounts that somebody
 * outside the database knows of, by their checkpoints: with them an account is missed also when the deployment's chain was cut.
 */
export async function verifyAccounts(core: Core, seen: Iterable<string>): Promise<VerifiedAccount[]> {
  const { made, removed } = await accountsOnRecord(core)
  const there = (await listAccounts(core.db)).map(({ id, name, sealed_key: sealedKey }) => {
    const isReadable = opens(core, id, sealedKey)
    const keyFault = isReadable ? null : 'its key does not open'
    const fault = made.has(id) ? keyFault : 'no entry of the deployment says that it was made'
    return { id, name, isReadable, fault: removed.has(id) ? 'was removed on record, and is there again' : fault }
  })
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
