import { checkFiles, WALKS } from '../../engine/check/check-files.ts'
import type { ContentFile } from '../../engine/compile/document.ts'
import { ContentError, compileContent } from '../../engine/compile/release.ts'
import type { Core } from '../../events/core.ts'
import { readContentFolder, sourceHash } from '../../store/content/content-files.ts'
import { type Checks, findRelease, findReleaseBySource } from '../../store/content/releases.ts'
import { type CheckedRelease, type PublishResult, publishRelease } from './publish.ts'

type Published = { version: string; result: PublishResult; checks: Checks | null }

/** Publishes a content folder if every check and worked case passes; otherwise throws a ContentError that names every problem. */
export async function publishFolder(core: Core, folder: string, actor: string): Promise<Published> {
  const files = await readContentFolder(folder)
  const known = await findReleaseBySource(core.db, sourceHash(files))
  if (known !== null) return { version: known, result: 'known', checks: null }
  const { version } = compileContent(files)
  // Reported before the checks, which take a while.
  if (await findRelease(core.db, version)) return { version, result: 'different', checks: null }
  const checked = checkedRelease(files)
  return { version, result: await publishRelease(core, checked, actor), checks: checked.checks }
}

/** Runs every check and all worked cases. */
export function checkedRelease(files: readonly ContentFile[]): CheckedRelease {
  const { release, report } = checkFiles(files)
  if (!release || report.problems.length > 0) throw new ContentError(report.problems)
  const cases = report.complaints.reduce((sum, complaint) => sum + complaint.cases, 0)
  const checks = { complaints: report.complaints.length, cases, walks: WALKS }
  return { release, sourceSha256: sourceHash(files), checks }
}
