import type { WorkedCase } from '../compile/cases.ts'
import type { Answer, AskedQuestion, Outcome, Value } from '../content.ts'
import { outcomeSoFar } from '../deciding/conclude.ts'
import { WAY_TO } from '../intake.ts'
import { interview } from '../interview.ts'
import { KINDS, refuseValue } from '../kinds.ts'
import type { Content } from '../load.ts'
import { answerScreen } from '../screens.ts'

export type CaseRun =
  | {
      readonly kind: 'done'
      readonly outcome: Outcome
      readonly answers: readonly Answer[]
      readonly asked: readonly string[]
      readonly screens: number
    }
  | { readonly kind: 'stuck'; readonly message: string; readonly answers: readonly Answer[] }

const MOST_STEPS = 100

/**
 * Interviews the patient of a worked case; anything the case leaves out is answered with "no". A case of the emergency
 * check ends before the chat.
 */
export function runCase(content: Content, worked: WorkedCase): CaseRun {
  const written = withImplied(content, worked.answers)
  const isEmergencyCheck = content.complaints.get(worked.complaint)?.complaint.kind === 'emergency'
  const answers: Answer[] = [...worked.told]
  const asked: string[] = []
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const step = interview(content, answers)
    if (step.kind === 'done') return { kind: 'done', outcome: step.outcome, answers, asked, screens: steps }
    if (isEmergencyCheck && step.stage === 'chat')
      return { kind: 'done', outcome: outcomeSoFar(content, answers), answers, asked, screens: steps }
    const told = answerScreen(step.questions, (question) =>
      written.has(question.id)
        ? written.get(question.id)
        : (calledFor(content, written, question) ?? answerLeftOut(content, worked.complaint, question)),
    )
    asked.push(...told.map(({ question }) => question))
    for (const { question: id, value } of told) {
      const question = step.questions.find((one) => one.id === id)
      if (value === undefined)
        return {
          kind: 'stuck',
          answers,
          message: `the interview asks "${id}": say in the case what the patient answers`,
        }
      const refusal = question && refuseValue(question, value, question.offered ?? [])
      if (refusal)
        return {
          kind: 'stuck',
          answers,
          message: `the answer ${JSON.stringify(value)} to "${id}" is refused: ${refusal}`,
        }
      answers.push({ question: id, value })
    }
  }
  return { kind: 'stuck', answers, message: `the interview has not ended after ${MOST_STEPS} questions` }
}

/** The answers of a case, with the signs implied by those it names. */
function withImplied({ relations, slotOf, questions }: Content, answers: readonly Answer[]): Map<string, Value> {
  const written = new Map(answers.map(({ question, value }) => [question, value]))
  for (const { question, value } of answers) {
    if (value !== true) continue
    for (const slot of relations[slotOf.get(question) ?? -1]?.implies ?? []) {
      const implied = questions[slot]?.question.id
      if (implied !== undefined && !written.has(implied)) written.set(implied, true)
    }
  }
  return written
}

/** The answer that calls for a follow-up which the case answers. */
function calledFor(content: Content, written: ReadonlyMap<string, Value>, { id, kind }: AskedQuestion) {
  if (kind !== 'many') return undefined
  const called = content.questions.flatMap(({ question: { id: next, followUp } }) =>
    followUp?.of === id && written.has(next) && !isNothing(written.get(next)) ? (followUp.options?.[0] ?? []) : [],
  )
  return called.length > 0 ? [...new Set(called)] : undefined
}

const isNothing = (value: Value | undefined) => Array.isArray(value) && value.every((option) => option === 'none')

/** What leaving out a question means: its "no", or nothing said. Undefined when it has neither. */
export function negativeAnswer(question: AskedQuestion): Value | undefined {
  const kind = KINDS[question.kind]
  return kind.no(question) ?? kind.unsaid
}

function answerLeftOut(content: Content, complaint: string, question: AskedQuestion): Value | undefined {
  const kind = content.complaints.get(complaint)?.complaint.kind
  if (question.id === 'for_whom') return 'self'
  if (question.id === 'issue_type') return WAY_TO[kind ?? 'general'].issue
  if (question.id === 'complaints') return kind === 'emergency' ? someComplaint(content, question) : [complaint]
  return negativeAnswer(question)
}

/** A case of the emergency check needs some complaint to continue with. */
function someComplaint(content: Content, question: AskedQuestion): Value | undefined {
  const offered = question.offered ?? []
  const chosen = offered.find((id) => content.complaints.get(id)?.complaint.kind === 'general') ?? offered[0]
  return chosen === undefined ? undefined : [chosen]
}

/** Where this run differs from what the case expects; empty when it matches. */
export function differences(worked: WorkedCase, run: CaseRun): string[] {
  if (run.kind === 'stuck') return [run.message]
  const { outcome } = run
  const wrong: string[] = []
  const named = (reasons: Outcome['reasons']) => reasons.map(({ complaint, rule }) => `${complaint}/${rule}`)
  const mine = (rule: string) => rule.slice(worked.complaint.length + 1)
  const deciding = named(outcome.reasons)
  const holding = [...deciding, ...named(outcome.alsoTrue)]
  const show = (rules: readonly string[]) =>
    rules.map((rule) => (rule.startsWith(`${worked.complaint}/`) ? mine(rule) : rule)).join(', ') || 'no rule'
  if (outcome.level !== worked.expect.level) {
    wrong.push(
      `expected ${worked.expect.level ?? 'none'}, came out as ${outcome.level ?? 'none'} because of ${show(deciding)}`,
    )
  }
  const expected =
    worked.expect.rules.length > 0 ? worked.expect.rules : outcome.level ? [`${worked.complaint}/otherwise`] : []
  if (outcome.level === worked.expect.level && [...expected].sort().join() !== [...deciding].sort().join()) {
    wrong.push(`expected ${show(expected)} to decide the level, but ${show(deciding)} did`)
  }
  for (const rule of worked.expect.also)
    if (!holding.includes(rule)) wrong.push(`expected ${show([rule])} to be true as well`)
  for (const rule of worked.expect.not)
    if (holding.includes(rule)) wrong.push(`${show([rule])} must not hold here, but it does`)
  return wrong
}
