import type { CompiledRelease } from '../../engine/content.ts'
import { type Content, loadContent } from '../../engine/load.ts'
import type { Core } from '../../events/core.ts'
import { findRelease, readText, releaseFault } from '../../store/content/releases.ts'

/** A release as found in the database. One that was changed, or cannot be used, is never used. */
export type Stored =
  | { kind: 'none' }
  | { kind: 'faulty'; fault: string }
  | { kind: 'whole'; content: Content; release: CompiledRelease; sha256: string }

/** Releases in memory by the hash of their bytes, as long as anyone uses them: whoever reads the same bytes gets the same. */
const inMemory = new Map<string, WeakRef<Content>>()

export async function readRelease(core: Pick<Core, 'db' | 'keyring'>, version: string): Promise<Stored> {
  const row = await findRelease(core.db, version)
  if (!row) return { kind: 'none' }
  const compiled = await readText(core.db, row.sha256)
  const fault = releaseFault(core.keyring, row, compiled)
  if (fault !== null) return { kind: 'faulty', fault }
  try {
    const content = inMemory.get(row.sha256)?.deref() ?? loadContent(JSON.parse(compiled))
    inMemory.set(row.sha256, new WeakRef(content))
    return { kind: 'whole', content, release: content.release, sha256: row.sha256 }
  } catch (error) {
    return { kind: 'faulty', fault: error instanceof Error ? error.message : 'it cannot be loaded' }
  }
}
