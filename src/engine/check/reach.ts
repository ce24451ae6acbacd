import type { Test } from '../conditions/conditions.ts'
import { NO, PENDING, YES } from '../conditions/evaluate.ts'
import { PendingQuestions } from '../conditions/pending-questions.ts'
import type { Answer, Complaint, Value } from '../content.ts'
import { findingsFrom } from '../deciding/findings.ts'
import { WAY_TO } from '../intake.ts'
import { KINDS } from '../kinds.ts'
import type { Content } from '../load.ts'
import { agesAround, chance, valuesOf } from './simulated-patients.ts'

const MOST_TRIES = 20_000
const AGES = [0, 0.02, 0.08, 0.25, 0.5, 1, 2, 3, 5, 8, 11, 12, 15, 17, 18, 30, 45, 50, 56, 65, 80, 130]

/**
 * Searches for answers that make all these conditions true, asking only what they still need. Undefined when there are
 * none: the conditions can never be true together.
 */
export function findAnswers(
  content: Content,
  complaint: Complaint,
  tests: readonly Test[],
): readonly Answer[] | undefined {
  let tries = 0
  const base = openingAnswers(complaint)
  const search = (answers: readonly Answer[]): readonly Answer[] | undefined => {
    if (++tries > MOST_TRIES) return undefined
    const findings = findingsFrom(content, [...base, ...answers])
    const marks = tests.map((test) => findings.truths.of(test))
    if (marks.every((mark) => mark === YES)) return answers
    if (marks.includes(NO) || !marks.includes(PENDING)) return undefined
    const pending = new PendingQuestions(findings)
    for (const test of tests) pending.add(test)
    const [slot] = pending.slots
    const loaded = slot === undefined ? undefined : content.questions[slot]
    if (slot === undefined || !loaded || answers.some(({ question }) => question === loaded.question.id))
      return undefined
    for (const value of candidates(content, { ...loaded.question, offered: findings.offered(slot) })) {
      const found = search([...answers, { question: loaded.question.id, value }])
      if (found) return found
    }
    return undefined
  }
  return search([])
}

function openingAnswers(complaint: Complaint): Answer[] {
  const { issue, isMedical } = WAY_TO[complaint.kind]
  const named: Answer = { question: 'issue_type', value: issue }
  return isMedical ? [named, { question: 'complaints', value: [complaint.id] }] : [named]
}

function candidates(content: Content, question: Parameters<typeof valuesOf>[1]): Value[] {
  if (question.id === 'age') return [...AGES, ...agesAround(content)]
  const options = (question.offered ?? []).filter((option) => option !== 'none')
  const takesSome = KINDS[question.kind].chooses === 'some'
  const all: Value[] = takesSome && options.length > 1 ? [options] : []
  const pairs: Value[] = takesSome ? options.flatMap((a, at) => options.slice(at + 1).map((b) => [a, b])) : []
  const values = [...all, ...valuesOf(content, question), ...pairs]
  // Spread out, so that a search cut short has tried more than the first options.
  return values
    .map((value, at) => ({ value, at: at === 0 ? -1 : chance(`${question.id} ${at}`) }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)
}
