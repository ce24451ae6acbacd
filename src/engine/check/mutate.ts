import type { WorkedCase } from '../compile/cases.ts'
import { type CompiledRelease, type Complaint, LEVELS, type Rule } from '../content.ts'
import { loadContent } from '../load.ts'
import { differences, runCase } from './run-case.ts'

/** A complaint with one rule raised, lowered or removed, or with one modifier removed. */
export interface Mutant {
  readonly complaint: string
  readonly rule: string
  readonly what: 'raised' | 'lowered' | 'removed'
  readonly release: CompiledRelease
}

/** Every change of one rule by one step that the compiler itself would accept. */
export function* mutantsOf(release: CompiledRelease, complaint: Complaint): Generator<Mutant> {
  for (const list of ['rules', 'reassuring'] as const) {
    for (const rule of complaint[list]) {
      for (const [what, changed] of [
        ['raised', moved(rule, -1)],
        ['lowered', moved(rule, 1)],
        ['removed', undefined],
      ] as const) {
        if (what !== 'removed' && !(changed && isAllowed(complaint, list, changed))) continue
        const rules = complaint[list].flatMap((one) => (one === rule ? (changed ?? []) : one))
        const complaints = release.complaints.map((one) => (one === complaint ? { ...complaint, [list]: rules } : one))
        yield { complaint: complaint.id, rule: rule.id, what, release: { ...release, complaints } }
      }
    }
  }
  const { modifiers = [] } = complaint
  for (const modifier of modifiers) {
    const changed = { ...complaint, modifiers: modifiers.filter((one) => one !== modifier) }
    const complaints = release.complaints.map((one) => (one === complaint ? changed : one))
    yield { complaint: complaint.id, rule: modifier.id, what: 'removed', release: { ...release, complaints } }
  }
}

function moved(rule: Rule, by: number): Rule | undefined {
  const level = LEVELS[LEVELS.indexOf(rule.level) + by]
  return level && { ...rule, level }
}

/** A change that the compiler would refuse is caught already. */
function isAllowed({ otherwise }: Complaint, list: 'rules' | 'reassuring', { level }: Rule): boolean {
  const rank = LEVELS.indexOf(level)
  if (!otherwise) return rank <= 2
  return list === 'rules' ? rank <= LEVELS.indexOf(otherwise) : rank > LEVELS.indexOf(otherwise)
}

/** Whether some worked case comes out differently, starting with those that name the rule. */
export function isNoticed({ complaint, rule, release }: Mutant, cases: readonly WorkedCase[]): boolean {
  const content = loadContent(release)
  const name = `${complaint}/${rule}`
  const own = cases.filter((worked) => worked.complaint === complaint)
  const naming = own.filter(({ expect }) => expect.rules.includes(name))
  return [...naming, ...own].some((worked) => differences(worked, runCase(content, worked)).length > 0)
}
