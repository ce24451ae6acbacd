import { existsSync, readFileSync } from 'node:fs'
import { pathInRoot } from '../../root.ts'

export const WEB_FOLDER = pathInRoot('dist/web/')

/** The built files of one page: their names carry a hash of their content, so they can be kept forever. */
export type Bundle = {
  script: string
  /** What the script imports, so that the page can fetch it at the same time. */
  parts: readonly string[]
  styles: readonly string[]
}

type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>

function manifestIn(folder: string): Manifest {
  const file = `${folder}manifest.json`
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** The address of a style sheet of its own, for a page without script; null when the pages have not been built. */
export function styleOf(entry: string): string | null {
  const found = manifestIn(WEB_FOLDER)[entry]
  return found ? `/assets/${found.file}` : null
}

/** Finds what the build made for a page; null when the pages have not been built. */
export function bundleOf(entry: string, folder: string = WEB_FOLDER): Bundle | null {
  const manifest = manifestIn(folder)
  const found = manifest[entry]
  if (!found) return null
  const styles = new Set<string>()
  const parts = new Set<string>()
  const visit = (name: string) => {
    for (const style of manifest[name]?.css ?? []) styles.add(`/assets/${style}`)
    for (const next of manifest[name]?.imports ?? []) {
      const part = manifest[next]?.file
      if (part) parts.add(`/assets/${part}`)
      visit(next)
    }
  }
  visit(entry)
  return { script: `/assets/${found.file}`, parts: [...parts], styles: [...styles] }
}
