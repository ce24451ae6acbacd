import { cliniciansOf } from '../../account/clinicians.ts'
import { inOrder } from '../../events/carried.ts'
import type { Core } from '../../events/core.ts'
import { verifyChain } from '../../events/verify.ts'
import { DEPLOYMENT, listAccounts } from '../../store/accounts.ts'
import { type AuditEntry, listAuditEntries } from '../../store/audit.ts'
import { listConfigurations } from '../../store/configurations.ts'
import { findActivation } from '../../store/content/activations.ts'
import { listReleases } from '../../store/content/releases.ts'
import { contentVersionIn } from './overview.ts'
import { signaturesOf } from './review.ts'
import { readRelease } from './stored.ts'

/** One thing that was checked, and what is wrong with it. */
export type Finding = { what: string; fault: string | null }

const MOST_ENTRIES = 100_000

/**
 * Compares everything stored about releases with what was published, activated and signed on record: anything written
 * to the database directly is found, whether a node would refuse it or not.
 */
export async function verifyContent(core: Core): Promise<Finding[]> {
  const findings = await inDeployment(core)
  for (const { id, name } of await listAccounts(core.db))
    findings.push(...(await configurationsOf(core, id)), ...(await reviewersOf(core, id, name)))
  return findings
}

const entriesOf = async (core: Core, accountId: string, subject: string | null): Promise<AuditEntry[]> =>
  inOrder(await listAuditEntries(core.db, accountId, { afterSeq: 0, subject, limit: MOST_ENTRIES }))

async function inDeployment(core: Core): Promise<Finding[]> {
  const releases = await listReleases(core.db)
  if (releases.length === 0) return []
  const recorded = await entriesOf(core, DEPLOYMENT, null)
  const published = new Map(
    recorded
      .filter(({ action }) => action === 'content.published')
      .map(({ subject, detail }) => [subject, detail.sha256]),
  )
  const chain = await verifyChain(core, DEPLOYMENT, [])
  const findings: Finding[] = [{ what: 'the deployment’s audit chain', fault: chain.ok ? null : chain.fault }]
  for (const { version, sha256 } of releases) {
    const stored = await readRelease(core, version)
    const isRecorded = published.get(version) === sha256
    const fault = isRecorded ? null : 'no audit entry says that it was published with this hash'
    findings.push({ what: `release ${version}`, fault: stored.kind === 'faulty' ? stored.fault : fault })
  }
  for (const version of published.keys())
    if (!releases.some((release) => release.version === version))
      findings.push({ what: `release ${version}`, fault: 'was published on record and is gone' })
  const active = (await findActivation(core.db, DEPLOYMENT, DEPLOYMENT))?.version ?? null
  return [...findings, { what: 'active in the deployment', fault: activationFault(active, recorded) }]
}

async function configurationsOf(core: Core, accountId: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { id, slug, document } of await listConfigurations(core.db, accountId)) {
    const fault = activationFault(contentVersionIn(document), await entriesOf(core, accountId, id))
    findings.push({ what: `active in ${slug}`, fault })
  }
  return findings
}

function activationFault(version: string | null, entries: readonly AuditEntry[]): string | null {
  const last = entries.findLast(({ action }) => action === 'content.activated')?.detail.to ?? null
  if (last === version) return null
  return `${version ?? 'none'} is in use, but the last one activated on record is ${last ?? 'none'}`
}

async function reviewersOf(core: Core, accountId: string, name: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const clinician of await cliniciansOf(core, accountId)) {
    const entries = await entriesOf(core, accountId, clinician.id)
    const isRevived = !clinician.revoked_at && entries.some(({ action }) => action === 'clinician.revoked')
    const forged = clinician.publicKey ? null : 'was not registered by this deployment'
    const fault = isRevived ? 'was revoked on record and is not now' : forged
    findings.push({ what: `clinician ${clinician.name} of ${name}`, fault })
  }
  for (const { version, clinician, state } of await signaturesOf(core, accountId)) {
    const fault = state === 'forged' ? 'does not verify and does not count' : null
    findings.push({ what: `signature of ${clinician.name} under ${version} for ${name}`, fault })
  }
  return findings
}
