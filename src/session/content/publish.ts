import type { CompiledRelease } from '../../engine/content.ts'
import type { Core } from '../../events/core.ts'
import { startDeploymentChain } from '../../events/deployment.ts'
import { DEPLOYMENT } from '../../store/accounts.ts'
import {
  type Checks,
  findRelease,
  INSERT_RELEASE,
  keepText,
  releaseSeal,
  sha256Of,
} from '../../store/content/releases.ts'
import { PreconditionFailed } from '../../store/database/db.ts'

/** A release whose every check and worked case passed, and the files it was made of. */
export type CheckedRelease = { release: CompiledRelease; sourceSha256: string; checks: Checks }

export type PublishResult = 'published' | 'known' | 'different'

/**
 * Stores a release once, with an audit entry; no session begins with it before it is activated. The same text twice is
 * one release. Another text under a published version is refused: sessions rely on what they are pinned to.
 */
export async function publishRelease(
  core: Core,
  { release, sourceSha256, checks }: CheckedRelease,
  actor: string,
): Promise<PublishResult> {
  const { version } = release
  const compiled = JSON.stringify(release)
  const sha256 = sha256Of(compiled)
  const compared = async () => {
    const known = await findRelease(core.db, version)
    return known && (known.sha256 === sha256 ? 'known' : 'different')
  }
  const before = await compared()
  if (before) return before
  await startDeploymentChain(core)
  const row = {
    version,
    sha256,
    source_sha256: sourceSha256,
    checks,
    published_by: actor,
    seal: releaseSeal(core.keyring, version, sha256).toString('hex'),
  }
  await keepText(core.db, sha256, compiled)
  try {
    await core.recorder.record({
      accountId: DEPLOYMENT,
      actor,
      action: 'content.published',
      subject: version,
      detail: { sha256, sourceSha256, checks },
      effects: [{ statement: INSERT_RELEASE, row }],
    })
    return 'published'
  } catch (error) {
    const first = error instanceof PreconditionFailed ? await compared() : null // another node was first
    if (first) return first
    throw error
  }
}
