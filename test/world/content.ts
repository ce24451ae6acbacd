import { compileCases, type WorkedCase } from '../../src/engine/compile/cases.ts'
import type { ContentFile } from '../../src/engine/compile/document.ts'
import { compileContent } from '../../src/engine/compile/release.ts'
import { type Content, loadContent } from '../../src/engine/load.ts'
import { readContentFolder } from '../../src/store/content-files.ts'

const FOLDER = new URL('../../content', import.meta.url).pathname

type RealContent = { content: Content; cases: WorkedCase[]; files: ContentFile[] }

let compiled: Promise<RealContent> | null = null

/** The real content of this checkout, compiled and loaded, with its worked cases: once for all files that only read it. */
export function realContent(): Promise<RealContent> {
  compiled ??= compile()
  return compiled
}

async function compile(): Promise<RealContent> {
  const files = await readContentFolder(FOLDER)
  const release = compileContent(files)
  const { cases, problems } = compileCases(files, release)
  if (problems.length > 0)
    throw new Error(problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'))
  return { content: loadContent(release), cases, files }
}

/** The files of one complaint and what every complaint needs. */
export async function filesOf(...complaints: string[]): Promise<ContentFile[]> {
  const files = await readContentFolder(FOLDER)
  return files.filter(
    ({ path }) => !path.includes('/complaints/') || complaints.some((one) => path.includes(`/complaints/${one}/`)),
  )
}
