import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ContentFile, ContentProblem } from '../../engine/compile/document.ts'
import { ContentError, compileContent } from '../../engine/compile/release.ts'
import type { CompiledRelease, Complaint } from '../../engine/content.ts'
import { readRelease } from '../../session/content/stored.ts'
import { BUNDLED_CONTENT, readContentFolder } from '../../store/content/content-files.ts'
import { Refusal } from '../print.ts'
import { onStore } from '../store.ts'

/** The content folder: the given one, or the one bundled with this version. */
export function folderAt(folder: string | undefined): string {
  const path = folder ? resolve(folder) : BUNDLED_CONTENT
  if (!existsSync(path)) throw new Refusal(`There is no folder ${path}.`)
  return path
}

/** The files of that folder. */
export const filesIn = (folder: string | undefined): Promise<ContentFile[]> => readContentFolder(folderAt(folder))

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

/** A release by name: a content folder, a file with a compiled release, or a published version. */
export async function releaseNamed(name: string): Promise<CompiledRelease> {
  if (name.endsWith('.json') && existsSync(name)) return JSON.parse(await readFile(name, 'utf8'))
  if (existsSync(resolve(name, 'release.yaml'))) return releaseIn(name)
  const stored = await onStore((core) => readRelease(core, name))
  if (stored.kind === 'none')
    throw new Refusal(`There is no content folder, compiled file or published release "${name}".`)
  if (stored.kind === 'faulty') throw new Refusal(`The published release ${name} is refused: ${stored.fault}.`)
  return stored.release
}

export const problemLine = ({ file, line, message }: ContentProblem): string => `${file}:${line}: ${message}`

export function complaintNamed(release: CompiledRelease, id: string): Complaint {
  const found = release.complaints.find((complaint) => complaint.id === id)
  if (!found)
    throw new Refusal(`There is no complaint ${id}. There are: ${release.complaints.map((one) => one.id).join(', ')}.`)
  return found
}
