import { compileCases } from '../compile/cases.ts'
import type { ContentFile, ContentProblem } from '../compile/document.ts'
import { inspectContent } from '../compile/release.ts'
import type { CompiledRelease } from '../content.ts'
import { type Content, loadContent } from '../load.ts'
import { checkContent } from './check-content.ts'
import { checkReaders } from './check-readers.ts'
import { runCase } from './run-case.ts'

/** How many made-up patients walk through each complaint when nothing else is said. */
export const WALKS = 60

export interface CheckReport {
  readonly problems: readonly ContentProblem[]
  /** Problems of complaints that were not asked about. */
  readonly elsewhere: number
  readonly complaints: readonly {
    readonly id: string
    readonly cases: number
    readonly medianQuestions: number
    readonly mostQuestions: number
  }[]
}

/** Compiles the files of a content folder and checks the safety rules and worked cases of all complaints, or of one. */
export function checkFiles(
  files: readonly ContentFile[],
  { only, walks = WALKS }: { only?: string | undefined; walks?: number } = {},
): { report: CheckReport; release: CompiledRelease | undefined } {
  const { release, problems } = inspectContent(files)
  const isAsked = ({ file }: ContentProblem) =>
    !only || !file.includes('/complaints/') || file.includes(`/complaints/${only}/`)
  const shown = problems.filter(isAsked)
  const elsewhere = problems.length - shown.length
  if (!release || shown.length > 0) return { release, report: { problems: shown, elsewhere, complaints: [] } }
  const content = loadContent(release)
  const { cases, problems: caseProblems } = compileCases(files, release)
  const options = { walks, turned: Math.ceil(walks / 5), ...(only !== undefined && { only }) }
  const readers = only === undefined ? checkReaders(files, release) : []
  const found = [...caseProblems.filter(isAsked), ...readers, ...checkContent(content, cases, options)]
  const ids = release.complaints.map(({ id }) => id).filter((id) => !only || id === only)
  const complaints = ids.map((id) => ({
    id,
    ...lengthsOf(
      content,
      id,
      cases.filter(({ complaint }) => complaint === id),
    ),
  }))
  return { release, report: { problems: found, elsewhere, complaints } }
}

function lengthsOf(content: Content, id: string, cases: Parameters<typeof runCase>[1][]) {
  const own = new Set(content.complaints.get(id)?.complaint.questions.map((question) => question.id))
  const lengths = cases
    .map((worked) => runCase(content, worked))
    .flatMap((run) => (run.kind === 'done' ? [run.asked.filter((question) => own.has(question)).length] : []))
    .sort((a, b) => a - b)
  return { cases: cases.length, medianQuestions: lengths[lengths.length >> 1] ?? 0, mostQuestions: lengths.at(-1) ?? 0 }
}
