import type { AskedQuestion, Question, SourceLine, Value } from '../content.ts'
import { KINDS } from '../kinds.ts'
import type { Content } from '../load.ts'
import { type Judged, judgeAll, negativeOf, type SimulatedPatient } from './simulated-patients.ts'

export interface Lowered {
  readonly place: SourceLine
  readonly message: string
}

/** Every way in which saying yes to a red flag, or "don't know" instead of "no", would make this patient less urgent. */
export function findLowered(content: Content, patient: SimulatedPatient, complaint: string): Lowered[] {
  const before = judgeAll(content, patient)
  const lowered: Lowered[] = []
  for (const { question: id, value } of before.answers) {
    const question = content.release.questions[id]
    if (!question || content.release.intake.includes(id)) continue
    for (const [other, what] of moreDangerous(question, value)) {
      const changed: SimulatedPatient = (asked) =>
        asked.id === id ? onlyOffered(asked, other, patient) : patient(asked)
      const given = before.answers.filter(({ question }) => question !== id)
      const after = judgeAll(content, changed, given)
      if (after.rank <= before.rank) continue
      const rule = before.outcome?.reasons[0]
      const place = placeOf(content, rule?.complaint ?? complaint, rule?.rule)
      const levels = `from ${before.outcome?.level ?? 'none'} (${rule?.rule ?? 'no rule'}) to ${after.outcome?.level ?? 'none'} (${after.outcome?.reasons[0]?.rule ?? 'no rule'})`
      lowered.push({
        place,
        message: `Answering ${id} with ${what} lowers the level ${levels}. ${advice(what)} Found with: ${told(before)}`,
      })
    }
  }
  return lowered
}

const DONT_KNOW = '"don\'t know" instead of "no"'

const advice = (what: string) =>
  what === DONT_KNOW
    ? 'A rule that counts on a "no" needs "ifUnsure: apply".'
    : 'No rule may count on a red flag being absent, and no reassuring rule on its presence.'

/** The flipped answers, each with its name. */
function* moreDangerous(question: Question, value: Value): Generator<[Value, string]> {
  const negative = negativeOf(question)
  if (question.dontKnow && negative !== undefined && JSON.stringify(value) === JSON.stringify(negative))
    yield [null, DONT_KNOW]
  if (question.redFlag && value === false) yield [true, 'yes']
  for (const option of question.options ?? []) {
    if (!option.redFlag || value === null) continue
    if (KINDS[question.kind].chooses === 'one') {
      const isFlag = question.options?.find(({ id }) => id === value)?.redFlag
      if (!isFlag) yield [option.id, `"${option.id}"`]
    } else if (Array.isArray(value) && !value.includes(option.id)) {
      const added = (question.options ?? [])
        .map(({ id }) => id)
        .filter((id) => id === option.id || (id !== 'none' && value.includes(id)))
      yield [added, `"${option.id}" added`]
    }
  }
}

/** The flipped answer as far as it is offered to this patient; else their own. */
function onlyOffered(question: AskedQuestion, value: Value, patient: SimulatedPatient): Value {
  const { offered } = question
  if (!offered || value === null) return value
  if (typeof value === 'string') return offered.includes(value) ? value : patient(question)
  if (!Array.isArray(value)) return value
  const kept = value.filter((option: string) => offered.includes(option))
  return kept.length > 0 ? kept : patient(question)
}

function placeOf(content: Content, complaint: string, rule: string | undefined): SourceLine {
  const found = content.complaints.get(complaint)?.complaint
  const named = [...(found?.rules ?? []), ...(found?.reassuring ?? [])].find(({ id }) => id === rule)
  return named?.place ?? found?.place ?? ['content', 1]
}

const told = (judged: Judged) =>
  judged.answers.map(({ question, value }) => `${question}=${JSON.stringify(value)}`).join(' ')
