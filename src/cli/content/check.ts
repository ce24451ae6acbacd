import { checkContent } from '../../engine/check/check-content.ts'
import { runCase } from '../../engine/check/run-case.ts'
import { compileCases } from '../../engine/compile/cases.ts'
import type { ContentProblem } from '../../engine/compile/document.ts'
import { inspectContent } from '../../engine/compile/release.ts'
import { type Content, loadContent } from '../../engine/load.ts'
import { filesIn } from './open.ts'

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

/** Compiles the folder and checks the safety rules and worked cases of all complaints, or of one. */
export async function checkFolder(
  folder: string | undefined,
  only: string | undefined,
  walks: number,
): Promise<CheckReport> {
  const files = await filesIn(folder)
  const { release, problems } = inspectContent(files)
  const isAsked = ({ file }: ContentProblem) =>
    !only || !file.includes('/complaints/') || file.includes(`/complaints/${only}/`)
  const shown = problems.filter(isAsked)
  if (!release || shown.length > 0)
    return { problems: shown, elsewhere: problems.length - shown.length, complaints: [] }
  const content = loadContent(release)
  const { cases, problems: caseProblems } = compileCases(files, release)
  const options = { walks, turned: Math.ceil(walks / 5), ...(only !== undefined && { only }) }
  const found = [...caseProblems.filter(isAsked), ...checkContent(content, cases, options)]
  const ids = release.complaints.map(({ id }) => id).filter((id) => !only || id === only)
  return {
    problems: found,
    elsewhere: problems.length - shown.length,
    complaints: ids.map((id) => ({
      id,
      ...lengthsOf(
        content,
        id,
        cases.filter(({ complaint }) => complaint === id),
      ),
    })),
  }
}

function lengthsOf(content: Content, id: string, cases: Parameters<typeof runCase>[1][]) {
  const own = new Set(content.complaints.get(id)?.complaint.questions.map((question) => question.id))
  const lengths = cases
    .map((worked) => runCase(content, worked))
    .flatMap((run) => (run.kind === 'done' ? [run.asked.filter((question) => own.has(question)).length] : []))
    .sort((a, b) => a - b)
  return { cases: cases.length, medianQuestions: lengths[lengths.length >> 1] ?? 0, mostQuestions: lengths.at(-1) ?? 0 }
}

export const problemLine = ({ file, line, message }: ContentProblem): string => `${file}:${line}: ${message}`
