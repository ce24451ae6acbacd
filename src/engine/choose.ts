import type { Assessment, Verdict } from './assess.ts'
import type { Because, Stage } from './content.ts'
import { PENDING } from './evaluate.ts'
import { type InterviewFindings, intakeValue } from './findings.ts'
import { type LoadedRule, NONE } from './load.ts'
import { soundsDangerous } from './propose.ts'

interface Choice {
  readonly slot: number
  readonly stage: Stage
  readonly because: Because
}

/** What is still to be asked: the next question, about how many there are, and whether the level is certain. */
export interface Remaining {
  readonly next: Choice | undefined
  readonly left: number
  readonly decided: boolean
}

const SUMMARY: Because = { kind: 'summary' }
const INTAKE: Because = { kind: 'intake' }

/** Intake first, then the emergency check, then the complaint; words that mean danger bring the check before the menu of complaints. */
export function chooseNext(findings: InterviewFindings, verdict: Verdict): Remaining {
  const intake = findings.content.intake.filter((slot) => findings.standing(slot) === PENDING)
  const emergency = wantedBy(verdict.emergency ? [verdict.emergency] : [], NONE, [], findings)
  const emergencySlots = findings.emergency?.slots ?? []
  const chat = wantedBy(verdict.complaints, verdict.emergency?.danger ?? NONE, emergencySlots, findings)
  const left = intake.length + new Set([...emergency.slots, ...chat.slots]).size
  const decided = intake.length === 0 && !emergency.canChange && !chat.canChange

  const first = intake[0]
  const menu = findings.content.slotOf.get('complaints')
  const checkFirst = first === menu && emergency.first && mattersNow(findings)
  if (first !== undefined && !checkFirst)
    return { next: { slot: first, stage: 'intake', because: INTAKE }, left, decided }
  const wanted = emergency.first ?? chat.first
  const next = wanted && {
    ...wanted,
    stage: emergencySlots.includes(wanted.slot) ? ('emergency' as const) : ('chat' as const),
  }
  return { next, left, decided }
}

/** The patient's own words may mean danger, in whatever language they are written. */
function mattersNow(findings: InterviewFindings): boolean {
  const matter = intakeValue(findings, 'matter')
  return typeof matter === 'string' && matter !== '' && soundsDangerous(findings.content, matter)
}

interface Wanted {
  readonly slots: ReadonlySet<number>
  readonly first: { readonly slot: number; readonly because: Because } | undefined
  readonly canChange: boolean
}

/**
 * The questions that these complaints still want. A pending rule wants its questions while it could make the session more urgent than
 * it is certain to be; a pending reassuring rule while it could still lower it; the summary wants its own. Danger comes first, level by level.
 */
function wantedBy(
  assessments: readonly Assessment[],
  outside: number,
  before: readonly number[],
  findings: InterviewFindings,
): Wanted {
  const undecided = undecidedRules(assessments, outside)
  const mostUrgent = undecided.reduce((least, { rank }) => Math.min(least, rank), NONE)
  const slots = new Set<number>()
  const leading = new Map<number, Because>()
  for (const { rule, rank, complaint } of undecided) {
    const needs = new Set<number>()
    rule.when.needs(findings, needs)
    for (const slot of needs) {
      slots.add(slot)
      if (rank === mostUrgent && !leading.has(slot))
        leading.set(slot, { kind: 'rule', complaint, rule: rule.rule.id, level: rule.rule.level })
    }
  }
  for (const { loaded } of assessments) {
    for (const slot of loaded.always) {
      if (findings.standing(slot) !== PENDING) continue
      const needs = new Set<number>()
      findings.need(slot, needs)
      for (const needed of needs) {
        slots.add(needed)
        if (mostUrgent === NONE && !leading.has(needed)) leading.set(needed, SUMMARY)
      }
    }
  }
  return { slots, first: firstInOrder(leading, assessments, before), canChange: undecided.length > 0 }
}

/** Rules that are still pending and could change the level; reassuring ones count as the least urgent. */
function undecidedRules(
  assessments: readonly Assessment[],
  outside: number,
): { rule: LoadedRule; rank: number; complaint: string }[] {
  const floor = assessments.reduce((least, assessment) => Math.min(least, assessment.floor), outside)
  const undecided: { rule: LoadedRule; rank: number; complaint: string }[] = []
  for (const [place, { loaded, marks, reassuringMarks, danger }] of assessments.entries()) {
    const complaint = loaded.complaint.id
    for (const [index, rule] of loaded.rules.entries()) {
      if (marks[index] === PENDING && rule.rank < floor) undecided.push({ rule, rank: rule.rank, complaint })
    }
    const others = assessments.reduce(
      (least, other, at) => (at === place ? least : Math.min(least, other.floor)),
      outside,
    )
    if (danger < NONE || loaded.otherwise >= others) continue
    for (const [index, rule] of loaded.reassuring.entries()) {
      if (reassuringMarks[index] === PENDING) undecided.push({ rule, rank: NONE, complaint })
    }
  }
  return undecided
}

/** Complaint by complaint, each in its author's order; what the emergency check left unasked comes before. */
function firstInOrder(
  leading: ReadonlyMap<number, Because>,
  assessments: readonly Assessment[],
  before: readonly number[],
): Wanted['first'] {
  for (const slots of [before, ...assessments.map(({ loaded }) => loaded.slots)]) {
    for (const slot of slots) {
      const because = leading.get(slot)
      if (because) return { slot, because }
    }
  }
  return undefined
}
