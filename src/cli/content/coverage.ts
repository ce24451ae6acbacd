import pc from 'picocolors'
import type { CompiledRelease, Complaint } from '../../engine/content.ts'

export interface CoverageReport {
  readonly complaint: string
  readonly lines: readonly {
    readonly source: string
    readonly says: string
    readonly rules: readonly string[]
    readonly notARule?: string
  }[]
  /** Rules that no line of a source mentions. */
  readonly unmentioned: readonly string[]
}

/** Which lines of a complaint's clinical sources have a rule, and why the others do not. */
export function coverageOf(release: CompiledRelease, only?: string): CoverageReport[] {
  return release.complaints.filter(({ id }) => !only || id === only).map(reportOf)
}

function reportOf({ id, coverage, sources, rules, reassuring }: Complaint): CoverageReport {
  const mentioned = new Set(coverage.flatMap((line) => line.rules))
  return {
    complaint: id,
    lines: coverage.map((line) => ({ ...line, source: sources[line.source]?.title ?? line.source })),
    unmentioned: [...rules, ...reassuring].map((rule) => rule.id).filter((rule) => !mentioned.has(rule)),
  }
}

export function coverageText(reports: readonly CoverageReport[]): string {
  return reports
    .map(({ complaint, lines, unmentioned }) => {
      const carried = lines.filter(({ rules }) => rules.length > 0).length
      const head = `${pc.bold(complaint)} ${pc.dim(`${lines.length} statements, ${carried} are rules, ${lines.length - carried} are not`)}`
      const bySource = Map.groupBy(lines, ({ source }) => source)
      const blocks = [...bySource].map(
        ([source, some]) => `  ${pc.underline(source)}\n${some.map(lineText).join('\n')}`,
      )
      const rest =
        unmentioned.length > 0 ? [`  ${pc.dim(`rules that no statement names: ${unmentioned.join(', ')}`)}`] : []
      return [head, ...blocks, ...rest].join('\n')
    })
    .join('\n\n')
}

const lineText = ({ says, rules, notARule }: CoverageReport['lines'][number]) =>
  rules.length > 0
    ? `    ${pc.green('rule')}  ${says} ${pc.dim(`→ ${rules.join(', ')}`)}`
    : `    ${pc.yellow('none')}  ${says} ${pc.dim(`because: ${notARule}`)}`
