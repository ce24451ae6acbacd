import { cliniciansOf } from '../../account/clinicians.ts'
import type { Core } from '../../events/core.ts'
import { verifyChain } from '../../events/verify.ts'
import { DEPLOYMENT, listAccounts } from '../../store/accounts.ts'
import { findActivation } from '../../store/activations.ts'
import { type AuditEntry, listAuditEntries } from '../../store/audit.ts'
import { listConfigurations } from '../../store/configurations.ts'
import { listReleases } from '../../store/releases.ts'
import { contentVersionIn } from './overview.ts'
import { signaturesOf } from './review.ts'
import { readRelease } from './stored.ts'

/** One thing that was looked at, and what is wrong with it. */
export type Finding = { what: string; fault: string | null }

const MOST_ENTRIES = 100_000

/**
 * Compares everything stored about releases with what was published, activated and signed on record: what somebody wrote past the program is
 * found, whether a node would refuse it or not.
 */
export async function verifyContent(core: Core): Promise<Finding[]> {
  const entries = (subject: string | null, accountId = DEPLOYMENT) =>
    listAuditEntries(core.db, accountId, { afterSeq: 0, subject, limit: MOST_ENTRIES })
  const recorded = await entries(null)
  const findings: Finding[] = []
  const releases = await listReleases(core.db)
  if (releases.length > 0) {
    const chain = await verifyChain(core, DEPLOYMENT, [])
    findings.push({ what: 'the deployment’s audit chain', fault: chain.ok ? null : chain.fault })
  }
  for (const { version, sha256 } of releases) {
    const stored = await readRelease(core, version)
    const isRecorded = recorded.some(
      ({ action, subject, detail }) =>
        action === 'content.published' && subject === version && detail.sha256 === sha256,
    )
    const fault = isRecorded ? null : 'no audit entry says that it was published with this hash'
    findings.push({ what: `release ${version}`, fault: stored.kind === 'faulty' ? stored.fault : fault })
  }
  const active = (await findActivation(core.db, DEPLOYMENT, DEPLOYMENT))?.version ?? null
  findings.push({ what: 'active in the deployment', fault: activationFault(active, recorded) })
  for (const { id: accountId, name } of await listAccounts(core.db)) {
    for (const { id, slug, document } of await listConfigurations(core.db, accountId)) {
      const version = contentVersionIn(document)
      const own = (await entries(id, accountId)).filter(({ action }) => action === 'content.activated')
      if (version !== null || own.length > 0)
        findings.push({ what: `active in ${slug}`, fault: activationFault(version, own) })
    }
    for (const clinician of await cliniciansOf(core, accountId)) {
      const wasRevoked = (await entries(clinician.id, accountId)).some(({ action }) => action === 'clinician.revoked')
      const fault = clinician.publicKey
        ? wasRevoked && !clinician.revoked_at
          ? 'was revoked on record and is not now'
          : null
        : 'was not registered by this deployment'
      findings.push({ what: `clinician ${clinician.name} of ${name}`, fault })
    }
    for (const { version, clinician, state } of await signaturesOf(core, accountId)) {
      const fault = state === 'forged' ? 'does not verify and does not count' : null
      findings.push({ what: `signature of ${clinician.name} under ${version} for ${name}`, fault })
    }
  }
  return findings
}

function activationFault(version: string | null, entries: readonly AuditEntry[]): string | null {
  const last = entries.findLast(({ action }) => action === 'content.activated')?.detail.to ?? null
  if (last === version) return null
  return `${version ?? 'none'} is in use, but the last one activated on record is ${last ?? 'none'}`
}
