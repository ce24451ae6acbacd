import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type Source = { path: string; text: string }

/** Every TypeScript file below some folders of the project, by its path from the root. */
export function sourcesBelow(...folders: readonly string[]): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|tsx|mts|mjs)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
      .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
      .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
  )
}

/** The text without its comments. */
export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path)
