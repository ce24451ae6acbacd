import {
  type CompiledRelease,
  type Complaint,
  LANGUAGES,
  LEVELS,
  type Modifier,
  type Rule,
} from '../../engine/content.ts'
import { conditionText } from '../../engine/text/condition-text.ts'

/** One thing that differs between two releases, in a clinician's words. */
export interface Difference {
  readonly where: string
  readonly what: string
}

/** What changed from one release to another: complaints, rules with their levels and conditions, questions, words. */
export function differencesBetween(before: CompiledRelease, after: CompiledRelease): Difference[] {
  const found: Difference[] = []
  const add = (where: string, what: string): void => void found.push({ where, what })
  compareNamed(before.complaints, after.complaints, (id, old, fresh) => {
    if (!old || !fresh) return add(id, old ? 'complaint removed' : 'complaint added')
    compareComplaints(old, fresh, add)
  })
  compareNamed(named(before.questions), named(after.questions), (id, old, fresh) => {
    if (!old || !fresh) return add(`question ${id}`, old ? 'removed' : 'added')
    if (JSON.stringify(old) !== JSON.stringify(fresh))
      add(`question ${id}`, 'asked differently (kind, options or for whom)')
  })
  compareNamed(expressions(before), expressions(after), (id, old, fresh) => {
    if (old?.text !== fresh?.text) add(`finding ${id}`, `${old?.text ?? 'new'} → ${fresh?.text ?? 'removed'}`)
  })
  for (const language of LANGUAGES) {
    const [old, fresh] = [before.words[language], after.words[language]]
    for (const path of new Set([...Object.keys(old), ...Object.keys(fresh)])) {
      if (old[path] !== fresh[path])
        add(`words ${language} ${path}`, `${old[path] ?? '(none)'} → ${fresh[path] ?? '(none)'}`)
    }
  }
  return found
}

const named = (questions: CompiledRelease['questions']) => Object.values(questions)
const expressions = ({ findings }: CompiledRelease) =>
  Object.entries(findings).map(([id, expression]) => ({ id, text: conditionText(expression) }))

function compareComplaints(old: Complaint, fresh: Complaint, add: (where: string, what: string) => void): void {
  if (old.otherwise !== fresh.otherwise)
    add(old.id, `otherwise: ${old.otherwise ?? 'none'} → ${fresh.otherwise ?? 'none'}`)
  const scope = ({ applies }: Complaint) => (applies ? conditionText(applies) : 'everyone')
  if (scope(old) !== scope(fresh)) add(old.id, `for: ${scope(old)} → ${scope(fresh)}`)
  const order = ({ questions }: Complaint) => questions.map(({ id, ask }) => `${id} ${ask}`).join(', ')
  if (order(old) !== order(fresh)) add(old.id, 'questions: another selection or order')
  compareNamed([...old.rules, ...old.reassuring], [...fresh.rules, ...fresh.reassuring], (id, before, after) => {
    const where = `${old.id} rule ${id}`
    if (!before || !after) return add(where, before ? `removed (was ${before.level})` : `added (${after?.level})`)
    compareRules(before, after, (what) => add(where, what))
  })
  compareNamed(old.modifiers ?? [], fresh.modifiers ?? [], (id, before, after) => {
    const text = (one: Modifier | undefined) =>
      one ? `${conditionText(one.when)} raises ${one.rules.join(', ')}` : 'none'
    if (text(before) !== text(after)) add(`${old.id} modifier ${id}`, `${text(before)} → ${text(after)}`)
  })
}

function compareRules(before: Rule, after: Rule, add: (what: string) => void): void {
  if (before.level !== after.level) {
    const direction = LEVELS.indexOf(after.level) < LEVELS.indexOf(before.level) ? 'more urgent' : 'less urgent'
    add(`${direction}: ${before.level} → ${after.level}`)
  }
  const [old, fresh] = [conditionText(before.when), conditionText(after.when)]
  if (old !== fresh) add(`when: ${old} → ${fresh}`)
  if (before.ifUnsure !== after.ifUnsure) add(`when unsure: ${before.ifUnsure} → ${after.ifUnsure}`)
  if (before.sources.join() !== after.sources.join())
    add(`sources: ${before.sources.join(', ')} → ${after.sources.join(', ')}`)
}

function compareNamed<T extends { readonly id: string }>(
  before: readonly T[],
  after: readonly T[],
  compare: (id: string, old: T | undefined, fresh: T | undefined) => void,
): void {
  const [old, fresh] = [new Map(before.map((one) => [one.id, one])), new Map(after.map((one) => [one.id, one]))]
  for (const id of new Set([...old.keys(), ...fresh.keys()])) compare(id, old.get(id), fresh.get(id))
}
