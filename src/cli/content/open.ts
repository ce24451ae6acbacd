import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ContentFile } from '../../engine/compile/document.ts'
import { ContentError, compileContent } from '../../engine/compile/release.ts'
import type { CompiledRelease, Complaint } from '../../engine/content.ts'
import { BUNDLED_CONTENT } from '../../session/releases.ts'
import { readContentFolder } from '../../store/content-files.ts'
import { findRelease } from '../../store/releases.ts'
import { Refusal } from '../print.ts'
import { onStore } from '../store.ts'

/** The files of the content folder: the one named, or the one that came with this version. */
export async function filesIn(folder: string | undefined): Promise<ContentFile[]> {
  const path = folder ? resolve(folder) : BUNDLED_CONTENT
  if (!existsSync(path)) throw new Refusal(`There is no folder ${path}.`)
  return readContentFolder(path)
}

/** The compiled folder; broken content is refused with every problem. */
export async function releaseIn(folder: string | undefined): Promise<CompiledRelease> {
  const files = await filesIn(folder)
  try {
    return compileContent(files)
  } catch (error) {
    if (error instanceof ContentError) throw new Refusal(`The content has problems:\n${error.message}`)
    throw error
  }
}

/** A release by what names it: a content folder, a file with a compiled release, or a published version. */
export async function releaseNamed(name: string): Promise<CompiledRelease> {
  if (name.endsWith('.json') && existsSync(name)) return JSON.parse(await readFile(name, 'utf8'))
  if (existsSync(resolve(name, 'release.yaml'))) return releaseIn(name)
  const published = await onStore((core) => findRelease(core.db, name))
  if (published === null) throw new Refusal(`There is no content folder, compiled file or published release "${name}".`)
  return JSON.parse(published)
}

export function complaintNamed(release: CompiledRelease, id: string): Complaint {
  const found = release.complaints.find((complaint) => complaint.id === id)
  if (!found)
    throw new Refusal(`There is no complaint ${id}. There are: ${release.complaints.map((one) => one.id).join(', ')}.`)
  return found
}
