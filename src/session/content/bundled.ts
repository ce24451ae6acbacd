import type { Core } from '../../events/core.ts'
import { BUNDLED_CONTENT, readContentFolder, readProof, sourceHash } from '../../store/content/content-files.ts'
import { findReleaseBySource, sha256Of } from '../../store/content/releases.ts'
import { type PublishResult, publishRelease } from './publish.ts'

type Bundled = { version: string; result: PublishResult } | { version: null; result: 'unchecked' }

/**
 * Publishes the bundled content, once. A start does not run the checks: it accepts only the exact files, compiled to
 * the exact bytes, that the proof beside them says have passed.
 */
export async function publishBundled(core: Core, actor: string, folder = BUNDLED_CONTENT): Promise<Bundled> {
  const files = await readContentFolder(folder)
  const sourceSha256 = sourceHash(files)
  const known = await findReleaseBySource(core.db, sourceSha256)
  if (known !== null) return { version: known, result: 'known' }
  const proof = await readProof(folder)
  if (proof?.sourceSha256 !== sourceSha256) return { version: null, result: 'unchecked' }
  // Loaded only when there is something new to compile: most starts find their content in the database.
  const { compileContent } = await import('../../engine/compile/release.ts')
  const release = compileContent(files)
  if (sha256Of(JSON.stringify(release)) !== proof.sha256) return { version: null, result: 'unchecked' }
  const result = await publishRelease(core, { release, sourceSha256, checks: proof.checks }, actor)
  return { version: release.version, result }
}
