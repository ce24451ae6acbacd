import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContentFile } from '../engine/compile/document.ts'

/** Reads every YAML file of a content folder; paths begin with `content/`, wherever the folder is. */
export async function readContentFolder(folder: string): Promise<ContentFile[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.yaml')).sort()
  return Promise.all(
    names.map(async (name) => ({
      path: `content/${name.replaceAll('\\', '/')}`,
      text: await readFile(join(folder, name), 'utf8'),
    })),
  )
}
