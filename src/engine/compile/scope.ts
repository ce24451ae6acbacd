import type { Expression, Question } from '../content.ts'
import type { DraftComplaint } from './complaint.ts'
import type { CompileCondition, Scope } from './conditions.ts'
import type { Located } from './document.ts'
import type { DraftQuestion } from './questions.ts'
import type { Reading } from './reading.ts'

/** Everything a condition may name, and who it belongs to. */
export interface Names {
  readonly questions: ReadonlyMap<string, Question>
  readonly findings: Map<string, Expression>
  readonly written: ReadonlyMap<string, { readonly node: Located; readonly complaint: DraftComplaint | undefined }>
  scopeOf(complaint: DraftComplaint | undefined): Scope
  /** Conditions on who a complaint is for may use the intake only. */
  readonly intakeScope: Scope
}

export function gatherNames(
  intake: readonly DraftQuestion[],
  shared: readonly DraftQuestion[],
  signs: readonly DraftQuestion[],
  complaints: readonly DraftComplaint[],
  sharedFindings: Located | undefined,
  reading: Reading,
): Names {
  const questions = new Map<string, Question>()
  const owners = new Map<string, DraftComplaint | 'intake' | 'shared' | 'sign' | 'shared finding'>()
  const own = (drafts: readonly DraftQuestion[], owner: DraftComplaint | 'intake' | 'shared' | 'sign') => {
    for (const draft of drafts) {
      const { id } = draft.question
      if (questions.has(id))
        reading.problem(draft.place, `Question "${id}" exists already: use that one, or choose another id.`)
      else {
        questions.set(id, draft.question)
        owners.set(id, owner)
      }
    }
  }
  own(intake, 'intake')
  own(shared, 'shared')
  own(signs, 'sign')
  for (const complaint of complaints) own(complaint.own, complaint)

  const written = new Map<string, { node: Located; complaint: DraftComplaint | undefined }>()
  const addFindings = (entries: ReadonlyMap<string, Located>, complaint?: DraftComplaint) => {
    for (const [id, node] of entries) {
      if (complaint && !id.startsWith(`${complaint.prefix}_`)) {
        reading.problem(
          node.place,
          `Finding "${id}" must begin with the complaint's prefix: "${complaint.prefix}_${id}".`,
        )
      }
      if (owners.has(id)) reading.problem(node.place, `"${id}" exists already: choose another name for this finding.`)
      else {
        written.set(id, { node, complaint })
        owners.set(id, complaint ?? 'shared finding')
      }
    }
  }
  addFindings(reading.map(sharedFindings, 'findings'))
  for (const complaint of complaints) addFindings(reading.map(complaint.entries.get('findings'), 'findings'), complaint)

  const findings = new Map<string, Expression>()
  const scopeOf = (complaint: DraftComplaint | undefined): Scope => ({
    questions,
    findings,
    refuses(id) {
      const owner = owners.get(id)
      if (owner === undefined || owner === complaint) return undefined
      if (owner === 'intake' || owner === 'sign' || owner === 'shared finding') return undefined
      if (owner === 'shared') {
        const asks = !complaint || complaint.listed.some((one) => one.id === id)
        return asks
          ? undefined
          : `"${id}" is a shared question that this complaint does not ask: add "- use: ${id}" to its questions.`
      }
      if (complaint && owner.kind === 'emergency') return undefined
      return `"${id}" belongs to ${owner.id}: move it to content/shared, or ask a question of your own.`
    },
  })
  const intakeScope: Scope = {
    questions,
    findings,
    refuses: (id) =>
      owners.get(id) === 'intake'
        ? undefined
        : `"${id}" is not known yet here: only age, sex, for_whom and issue_type are.`,
  }
  return { questions, findings, written, scopeOf, intakeScope }
}

/** Compiles the findings in the order they are written: each may use those above it. */
export function compileFindings(names: Names, condition: CompileCondition): void {
  for (const [id, { node, complaint }] of names.written) {
    names.findings.set(id, condition(node, `Finding ${id}`, names.scopeOf(complaint)) ?? ['const', false])
  }
}
