import { compileCases, type WorkedCase } from '../compile/cases.ts'
import type { ContentFile, ContentProblem } from '../compile/document.ts'
import { inspectContent } from '../compile/release.ts'
import type { CompiledRelease } from '../content.ts'
import { type Content, loadContent } from '../load.ts'
import { checkContent } from './check-content.ts'
import { checkReaders } from './check-readers.ts'
import { type CaseRun, runCase } from './run-case.ts'

/** The default number of made-up patients per complaint. */
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
  const ids = release.complaints.map(({ id }) => id).filter((id) => !only || id === only)
  const runs = new Map(
    cases
      .filter(({ complaint }) => ids.includes(complaint))
      .map((worked): [WorkedCase, CaseRun] => [worked, runCase(content, worked)]),
  )
  const options = { walks, turned: Math.ceil(walks / 5), runs, ...(only !== undefined && { only }) }
  const readers = only === undefined ? checkReaders(files, release) : []
  const found = [...caseProblems.filter(isAsked), ...readers, ...checkContent(content, cases, options)]
  const complaints = ids.map((id) => ({ id, ...lengthsOf(content, id, runs) }))
  return { release, report: { problems: found, elsewhere, complaints } }
}

function lengthsOf(content: Content, id: string, runs: ReadonlyMap<WorkedCase, CaseRun>) {
  const own = new Set(content.complaints.get(id)?.complaint.questions.map((question) => question.id))
  const cases = [...runs].filter(([{ complaint }]) => complaint === id)
  const lengths = cases
    .flatMap(([, run]) => (run.kind === 'done' ? [run.asked.filter((question) => own.has(question)).length] : []))
    .sort((a, b) => a - b)
  return { cases: cases.length, medianQuestions: lengths[lengths.length >> 1] ?? 0, mostQuestions: lengths.at(-1) ?? 0 }
}
