import type { Answer, Value } from './content.ts'
import { ABSENT, type Findings, type Mark, NO, PENDING, type Standing, UNSURE, YES } from './evaluate.ts'
import type { Content, LoadedComplaint } from './load.ts'
import { refuseValue } from './values.ts'

/** Everything known after some answers: which complaints are asked about, and where each question stands. */
export interface InterviewFindings extends Findings {
  readonly content: Content
  readonly emergency: LoadedComplaint | undefined
  /** The complaints, or the questionnaire of another matter, in the patient's order. */
  readonly complaints: readonly LoadedComplaint[]
  /** Slots that have an answer, in the order in which they were first answered. */
  readonly answered: readonly number[]
  /** Answers to questions that this content does not have. */
  readonly strangers: readonly string[]
  offered(slot: number): readonly string[]
  isActive(slot: number): boolean
}

const UNKNOWN = -1

/** Reads the answers: the last one to a question counts, and only while the question applies and still offers it. */
export function findingsFrom(content: Content, answers: readonly Answer[]): InterviewFindings {
  const values: (Value | undefined)[] = new Array(content.questions.length)
  const answered: number[] = []
  const strangers: string[] = []
  for (const { question, value } of answers) {
    const slot = content.slotOf.get(question)
    if (slot === undefined) strangers.push(question)
    else {
      if (values[slot] === undefined) answered.push(slot)
      values[slot] = value
    }
  }
  const active = new Uint8Array(content.questions.length)
  const standings = new Int8Array(content.questions.length).fill(UNKNOWN)
  const needs: (readonly number[] | undefined)[] = new Array(content.questions.length)
  const marks = new Int8Array(content.findings.length).fill(UNKNOWN)
  for (const slot of content.intake) active[slot] = 1

  const findings = {
    content,
    answered,
    strangers,
    emergency: undefined as LoadedComplaint | undefined,
    complaints: [] as readonly LoadedComplaint[],
    isActive: (slot: number) => active[slot] === 1,
    value: (slot: number): Value => values[slot] ?? null,
    standing(slot: number): Standing {
      const known = standings[slot] ?? UNKNOWN
      if (known !== UNKNOWN) return known as Standing
      const standing = standingOf(slot)
      standings[slot] = standing
      return standing
    },
    finding(slot: number): Mark {
      const known = marks[slot] ?? UNKNOWN
      if (known !== UNKNOWN) return known as Mark
      const mark = content.findings[slot]?.mark(findings) ?? NO
      marks[slot] = mark
      return mark
    },
    need(slot: number, into: Set<number>): void {
      const known = needs[slot] ?? needsOf(slot)
      needs[slot] = known
      for (const needed of known) into.add(needed)
    },
    offered(slot: number): readonly string[] {
      const question = content.questions[slot]
      if (!question) return []
      if (question.question.kind === 'complaints') return offeredComplaints(findings)
      return question.options.filter((option) => option.offered?.mark(findings) !== NO).map((option) => option.id)
    },
  }

  /** Itself, or what decides whether it applies and which options it offers. */
  function needsOf(slot: number): readonly number[] {
    const question = content.questions[slot]
    const found = new Set<number>()
    if (question?.applies?.mark(findings) === PENDING) question.applies.needs(findings, found)
    else {
      for (const { offered } of question?.options ?? []) {
        if (offered?.mark(findings) === PENDING) offered.needs(findings, found)
      }
    }
    return found.size > 0 ? [...found] : [slot]
  }

  function standingOf(slot: number): Standing {
    const loaded = content.questions[slot]
    if (!loaded || active[slot] !== 1) return ABSENT
    const applies = loaded.applies ? loaded.applies.mark(findings) : YES
    if (applies === NO) return ABSENT
    const value = values[slot]
    if (applies === PENDING || value === undefined) return PENDING
    if (loaded.hasConditionalOptions && loaded.options.some((option) => option.offered?.mark(findings) === PENDING))
      return PENDING
    if (refuseValue(loaded.question, value, findings.offered(slot)) !== undefined) return PENDING
    return value === null ? UNSURE : YES
  }

  const activate = (complaint: LoadedComplaint) => {
    for (const slot of complaint.slots) {
      active[slot] = 1
      standings[slot] = UNKNOWN
    }
  }
  // The questionnaires of other matters have a look at danger of their own.
  const matter = intakeValue(findings, 'issue_type')
  const isMedical = matter === null || matter === 'regular'
  if (content.emergency && isMedical && content.emergency.applies?.mark(findings) !== NO) {
    findings.emergency = content.emergency
    activate(content.emergency)
  }
  findings.complaints = complaintsOf(findings)
  for (const complaint of findings.complaints) activate(complaint)
  marks.fill(UNKNOWN)
  return findings
}

/** The value of an intake question, or null while it is not known. */
export function intakeValue(findings: InterviewFindings, id: string): Value {
  const slot = findings.content.slotOf.get(id)
  return slot !== undefined && findings.standing(slot) === YES ? findings.value(slot) : null
}

function complaintsOf(findings: InterviewFindings): LoadedComplaint[] {
  const type = intakeValue(findings, 'issue_type')
  if (type === null) return []
  if (type !== 'regular')
    return [...findings.content.complaints.values()].filter(({ complaint }) => complaint.kind === type)
  const chosen = intakeValue(findings, 'complaints')
  return Array.isArray(chosen) ? chosen.flatMap((id: string) => findings.content.complaints.get(id) ?? []) : []
}

/** The complaints this patient may choose: medical ones that hold for age and sex. */
function offeredComplaints(findings: InterviewFindings): string[] {
  const offered: string[] = []
  for (const { complaint, applies } of findings.content.complaints.values()) {
    const isMedical = complaint.kind === 'complaint' || complaint.kind === 'general'
    if (isMedical && applies?.mark(findings) !== NO) offered.push(complaint.id)
  }
  return offered
}
