import { A_YEAR_IN } from '../conditions/atoms.ts'
import { PENDING } from '../conditions/evaluate.ts'
import { type Answer, type AskedQuestion, LEVELS, type Outcome, type Value } from '../content.ts'
import { assess } from '../deciding/assess.ts'
import { isLeftOut } from '../deciding/checked.ts'
import { outcomeOf } from '../deciding/conclude.ts'
import { findingsFrom } from '../deciding/findings.ts'
import { otherValues } from '../deciding/other-values.ts'
import { WAY_TO } from '../intake.ts'
import { interview } from '../interview.ts'
import { KINDS } from '../kinds.ts'
import type { Content } from '../load.ts'
import { answerScreen } from '../screens.ts'

/** A patient made up completely: an answer to every question, asked or not, so that two interviews can be compared. */
export type SimulatedPatient = (question: AskedQuestion) => Value

/** What everything that is true of a patient comes to. */
export interface Judged {
  readonly answers: readonly Answer[]
  readonly outcome: Outcome | undefined
  /** 0 for Level1 … 8 for no urgency. */
  readonly rank: number
}

export interface Played extends Judged {
  /** The same, screen by screen. */
  readonly screens: readonly (readonly Answer[])[]
}

const MOST_STEPS = 200

/** Interviews a made-up patient; without an outcome the interview did not end. */
export function play(content: Content, patient: SimulatedPatient): Played {
  const answers: Answer[] = []
  const screens: Answer[][] = []
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const step = interview(content, answers)
    if (step.kind === 'done') {
      const rank = step.outcome.level ? LEVELS.indexOf(step.outcome.level) : LEVELS.length
      return { answers, outcome: step.outcome, screens, rank }
    }
    const screen = answerScreen(step.questions, patient)
    screens.push(screen)
    answers.push(...screen)
  }
  return { answers, outcome: undefined, screens, rank: LEVELS.length }
}

/**
 * The level of everything that is true of a patient, asked or not: neither the order of questions nor what an interview leaves out has a say in
 * it. `given` are answers of this patient that are known already.
 */
export function judgeAll(content: Content, patient: SimulatedPatient, given: readonly Answer[] = []): Judged {
  const answers = [...given]
  for (let before = -1; before !== answers.length; ) {
    before = answers.length
    const findings = findingsFrom(content, answers)
    const asking = [findings.emergency, ...findings.complaints].flatMap((one) => one?.slots ?? [])
    const isKnown = content.intake.every((slot) => findings.standing(slot) !== PENDING)
    const slots = isKnown ? new Set(asking) : content.intake
    for (const slot of slots) {
      const question = content.questions[slot]?.question
      const isPending = findings.standing(slot) === PENDING
      const isOpen = isPending ? findings.waitsFor(slot).length === 0 : isLeftOut(findings, slot)
      if (!question || !isOpen) continue
      const value = patient({ ...question, offered: findings.offered(slot) })
      // An answer that is not offered any more is given anew.
      const isAnew = isPending && JSON.stringify(value) !== JSON.stringify(findings.value(slot))
      if (!findings.isAnswered(slot) || isAnew) answers.push({ question: question.id, value })
    }
  }
  const findings = findingsFrom(content, answers)
  const verdict = assess(findings)
  return { answers, outcome: outcomeOf(findings, verdict, true), rank: verdict.rank }
}

/** A patient with these complaints who answers by chance, the same chance for the same seed. */
export function randomPatient(content: Content, complaints: readonly string[], seed: number): SimulatedPatient {
  const kind = content.complaints.get(complaints[0] ?? '')?.complaint.kind
  const calm = chance(`${seed} calm`)
  const answer: SimulatedPatient = (question) => {
    if (question.id === 'issue_type') return WAY_TO[kind ?? 'general'].issue
    if (question.id === 'complaints') return offeredOr(complaints, question)
    if (question.id === 'age') return pickAge(content, seed)
    const random = (what: string) => chance(`${seed} ${question.id} ${what}`)
    if (random('calm') < calm) {
      const negative = negativeOf(question)
      if (negative !== undefined) return negative
    }
    const values = valuesOf(content, question)
    const several =
      KINDS[question.kind].chooses === 'some' && random('several') < 0.3 ? severalOf(question, random) : undefined
    return several ?? values[Math.floor(random('value') * values.length)] ?? null
  }
  return consistent(content, answer)
}

/** The same patient, of whom a sign is also true when another says so: nobody has a thunderclap headache without having sudden pain. */
function consistent({ relations, questions, slotOf }: Content, patient: SimulatedPatient): SimulatedPatient {
  const others = (slots: readonly number[]) => slots.flatMap((slot) => questions[slot]?.question ?? [])
  return (question) => {
    const { impliedBy = [], parts = [] } = relations[slotOf.get(question.id) ?? -1] ?? {}
    if (others(impliedBy).some((other) => patient(other) === true)) return true
    const value = patient(question)
    const isOfNothing = value === true && parts.length > 0 && others(parts).every((part) => patient(part) === false)
    return isOfNothing ? false : value
  }
}

/** Every answer worth trying for a question, whatever was answered before. */
export function valuesOf(content: Content, question: AskedQuestion): Value[] {
  const offered = question.offered ?? question.options?.map((option) => option.id) ?? []
  return KINDS[question.kind].samples?.(offered) ?? otherValues(content, question, '', offered)
}

/** The "no" of a question, for those that have one. */
export const negativeOf = (question: AskedQuestion): Value | undefined => KINDS[question.kind].no(question)

function severalOf(question: AskedQuestion, random: (what: string) => number): Value | undefined {
  const chosen = (question.offered ?? []).filter((option) => option !== 'none' && random(`option ${option}`) < 0.3)
  return chosen.length > 0 ? chosen : undefined
}

const offeredOr = (complaints: readonly string[], question: AskedQuestion): Value => {
  const possible = complaints.filter((complaint) => question.offered?.includes(complaint))
  return possible.length > 0 ? possible : (question.offered ?? []).slice(0, 1)
}

const COMMON_AGES = [0.02, 0.1, 0.3, 0.6, 1.5, 3, 6, 10, 14, 17, 25, 33, 48, 62, 79, 91]

function pickAge(content: Content, seed: number): number {
  const ages = [...COMMON_AGES, ...agesAround(content)]
  return ages[Math.floor(chance(`${seed} age`) * ages.length)] ?? 40
}

/** Every age that a condition compares with, and a little on each side of it. */
export const agesAround = (content: Content): number[] =>
  Object.entries(A_YEAR_IN)
    .flatMap(([kind, count]) => content.thresholds(kind, 'age').map((limit) => limit / count))
    .flatMap((age) => [age, age + 0.001, age - 0.001])
    .filter((age) => age >= 0 && age <= 130)

/** A number from 0 to 1 that depends on the text alone. */
export function chance(text: string): number {
  let hash = 2166136261
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619)
  hash = Math.imul(hash ^ (hash >>> 16), 2246822507)
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296
}
