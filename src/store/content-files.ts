import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContentFile } from '../engine/compile/document.ts'

/** Phrases are examples for the tests of finding complaints, not content. */
const isContent = (name: string) => name.endsWith('.yaml') && !/^phrases[\\/]/.test(name)

/** Reads every YAML file of a content folder; paths begin with `content/`, wherever the folder is. */
export async function readContentFolder(folder: string): Promise<ContentFile[]> {
  const names = (await readdir(folder, { recursive: true })).filter(isContent).sort()
  return Promise.all(
    names.map(async (name) => ({
      path: `content/${name.replaceAll('\\', '/')}`,
      text: await readFile(join(folder, name), 'utf8'),
    })),
  )
}
