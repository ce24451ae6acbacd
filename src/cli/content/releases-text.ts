import pc from 'picocolors'
import type { ReleaseOverview, Use } from '../../session/content/overview.ts'
import { fields, momentText } from '../print.ts'

/** The releases as text, newest first, one block each. */
export function releasesText(releases: readonly ReleaseOverview[]): string {
  if (releases.length === 0) return 'There is no release yet. Publish one: fyr content publish'
  return releases.map(blockOf).join('\n\n')
}

function blockOf(release: ReleaseOverview): string {
  const { version, fault, checks, sha256, signatures, reviewedFor, active } = release
  const title = fault ? `${pc.bold(version)}  ${pc.red(`refused: ${fault}`)}` : pc.bold(version)
  const rows: [string, string][] = [
    ['published', `${momentText(release.published_at)} by ${release.published_by}`],
    ['checks', `${checks.complaints} complaints, ${checks.cases} worked cases, ${checks.walks} made-up patients each`],
    ['hash', sha256],
    ['active', active.length > 0 ? active.map(useText).join('; ') : 'nowhere'],
    [
      'reviewed',
      reviewedFor.length > 0
        ? `for ${reviewedFor.map(({ name }) => name).join(', ')}`
        : 'for no account: not clinically reviewed',
    ],
    ...signatures.map((one): [string, string] => ['signature', signatureText(one)]),
  ]
  return `${title}\n${fields(rows)}`
}

const useText = ({ configuration, since, by }: Use): string =>
  `${configuration ?? 'the deployment'}${since ? ` since ${momentText(since)} by ${by}` : ''}`

function signatureText({
  clinician,
  complaints,
  account,
  signedAt,
  state,
}: ReleaseOverview['signatures'][number]): string {
  const what = complaints ? complaints.join(', ') : 'everything'
  const counts = { counts: '', revoked: ', does not count: the key was revoked', forged: ', does not count: forged' }
  return `${clinician.name} (${clinician.role}) for ${account.name}, ${what}, ${momentText(signedAt)}${counts[state]}`
}

export const releaseJson = (release: ReleaseOverview) => ({
  version: release.version,
  sha256: release.sha256,
  sourceSha256: release.source_sha256,
  publishedAt: release.published_at,
  publishedBy: release.published_by,
  checks: release.checks,
  fault: release.fault,
  active: release.active,
  reviewedFor: release.reviewedFor,
  signatures: release.signatures.map(({ account, clinician, complaints, signedAt, state }) => ({
    account,
    clinician: { id: clinician.id, name: clinician.name, role: clinician.role, fingerprint: clinician.fingerprint },
    complaints,
    signedAt,
    state,
  })),
})
