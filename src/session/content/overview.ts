import type { Core } from '../../events/core.ts'
import { type AccountRow, DEPLOYMENT, listAccounts } from '../../store/accounts.ts'
import { listConfigurations } from '../../store/configurations.ts'
import { findActivation, listActivations } from '../../store/content/activations.ts'
import { listReleases, type ReleaseRow } from '../../store/content/releases.ts'
import { isReviewed, type Signature, signaturesOf } from './review.ts'
import { readRelease } from './stored.ts'

/** Where a release is active, since when and by whom; without a configuration, in the whole deployment. */
export type Use = { account: Named | null; configuration: string | null; since: Date | null; by: string | null }

type Named = Pick<AccountRow, 'id' | 'name'>

/** Everything there is to know about a published release. */
export type ReleaseOverview = Omit<ReleaseRow, 'seal'> & {
  /** Why it is refused, if it is. */
  fault: string | null
  active: Use[]
  signatures: (Signature & { account: Named })[]
  /** The accounts whose clinicians have reviewed all of it. */
  reviewedFor: Named[]
}

/** All releases, newest first: by whom and when, what was checked, who signed, where active, and whether each is what was published. */
export async function releaseOverviews(core: Core): Promise<ReleaseOverview[]> {
  const accounts = await listAccounts(core.db)
  const signed = new Map<Named, Signature[]>()
  for (const { id, name } of accounts) signed.set({ id, name }, await signaturesOf(core, id))
  const uses = await usesOf(core, accounts)
  const overviews: ReleaseOverview[] = []
  for (const { seal: _, ...row } of await listReleases(core.db)) {
    const stored = await readRelease(core, row.version)
    overviews.push({
      ...row,
      fault: stored.kind === 'faulty' ? stored.fault : null,
      active: uses.filter(({ version }) => version === row.version).map(({ version: _version, ...use }) => use),
      signatures: [...signed].flatMap(([account, signatures]) =>
        signatures.filter(({ version }) => version === row.version).map((one) => ({ ...one, account })),
      ),
      reviewedFor: [...signed].flatMap(([account, signatures]) =>
        stored.kind === 'whole' && isReviewed(stored.release, signatures) ? [account] : [],
      ),
    })
  }
  return overviews
}

async function usesOf(core: Core, accounts: readonly AccountRow[]): Promise<(Use & { version: string })[]> {
  const everywhere = await findActivation(core.db, DEPLOYMENT, DEPLOYMENT)
  const uses: (Use & { version: string })[] = []
  if (everywhere?.version) {
    const { version, activated_at: since, activated_by: by } = everywhere
    uses.push({ version, account: null, configuration: null, since, by })
  }
  for (const { id, name } of accounts) {
    const activations = new Map((await listActivations(core.db, id)).map((one) => [one.configuration_id, one]))
    for (const { id: configurationId, slug, document } of await listConfigurations(core.db, id)) {
      const version = contentVersionIn(document)
      if (version === null) continue
      const { activated_at: since = null, activated_by: by = null } = activations.get(configurationId) ?? {}
      uses.push({ version, account: { id, name }, configuration: slug, since, by })
    }
  }
  return uses
}

/** The release that a stored configuration names, whatever else is wrong with it. */
export function contentVersionIn(document: unknown): string | null {
  const version =
    document !== null && typeof document === 'object' && 'contentVersion' in document ? document.contentVersion : null
  return typeof version === 'string' ? version : null
}
