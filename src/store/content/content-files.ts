import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContentFile } from '../../engine/compile/document.ts'
import { pathInRoot } from '../../root.ts'
import type { Checks } from './releases.ts'

/** The content that this version of the program came with. */
export const BUNDLED_CONTENT = pathInRoot('content/')

/** YAML, examples of what patients write, and the readers that were trained on them. */
const isContent = (name: string) => name.endsWith('.yaml') || /^own-words[\\/].*\.(?:txt|model)$/.test(name)

/** Reads every file of a content folder, trained readers as base64; paths begin with `content/`, wherever the folder is. */
export async function readContentFolder(folder: string): Promise<ContentFile[]> {
  const names = (await readdir(folder, { recursive: true })).filter(isContent).sort()
  return Promise.all(
    names.map(async (name) => ({
      path: `content/${name.replaceAll('\\', '/')}`,
      text: await readFile(join(folder, name), name.endsWith('.model') ? 'base64' : 'utf8'),
    })),
  )
}

/** Identifies one state of a content folder. Twenty megabytes at every start: they are taken file by file, not as one text. */
export function sourceHash(files: readonly ContentFile[]): string {
  const hash = createHash('sha256')
  for (const { path, text } of files) hash.update(`${path}\n${text.length}\n`).update(text)
  return hash.digest('hex')
}

/** Proof that all checks passed on exactly these files. Written by `scripts/check-content.ts`, so that a start need not run them. */
export type Proof = { version: string; sourceSha256: string; sha256: string; checks: Checks }

export const PROOF_FILE = 'checked.json'

/** The proof in a content folder; null when there is none. */
export async function readProof(folder: string): Promise<Proof | null> {
  try {
    return JSON.parse(await readFile(join(folder, PROOF_FILE), 'utf8'))
  } catch {
    return null
  }
}
