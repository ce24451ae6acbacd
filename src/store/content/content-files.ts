import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContentFile } from '../../engine/compile/document.ts'
import type { Checks } from './releases.ts'

/** The content that this version of the program came with. */
export const BUNDLED_CONTENT = fileURLToPath(new URL('../../../content/', import.meta.url))

/** Phrases are examples for the tests of own words, not content. */
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

/** Identifies one state of a content folder. */
export const sourceHash = (files: readonly ContentFile[]): string =>
  createHash('sha256').update(JSON.stringify(files)).digest('hex')

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
