import { type Mark, PENDING, UNSURE, YES } from './evaluate.ts'
import type { InterviewFindings } from './findings.ts'
import { type LoadedComplaint, type LoadedRule, NONE } from './load.ts'

/** How one complaint's rules stand. */
export interface Assessment {
  readonly loaded: LoadedComplaint
  readonly marks: readonly Mark[]
  readonly reassuringMarks: readonly Mark[]
  /** Rank of the most urgent rule that holds; `NONE` when none does. */
  readonly danger: number
  /** The least urgent rank this complaint can still end at. */
  readonly floor: number
}

export interface Verdict {
  readonly emergency: Assessment | undefined
  readonly complaints: readonly Assessment[]
  /** Rank the session has now; right once nothing can change it any more. */
  readonly rank: number
}

/** A rule holds when it is true, or when not knowing must not wave it away. */
export const holds = ({ rule }: LoadedRule, mark: Mark) =>
  mark === YES || (mark === UNSURE && rule.ifUnsure === 'apply')

export function assess(findings: InterviewFindings): Verdict {
  const emergency = findings.emergency && assessComplaint(findings.emergency, findings)
  const complaints = findings.complaints.map((loaded) => assessComplaint(loaded, findings))
  let rank = emergency?.danger ?? NONE
  for (const assessment of complaints) rank = Math.min(rank, rankOf(assessment))
  return { emergency, complaints, rank }
}

/** The most urgent rule that holds anywhere; `NONE` when none does. */
export function dangerOf({ emergency, complaints }: Verdict): number {
  return complaints.reduce((least, { danger }) => Math.min(least, danger), emergency?.danger ?? NONE)
}

/** The complaint's level as things stand: its most urgent rule, else what is certain to reassure, else `otherwise`. */
function rankOf({ danger, loaded, reassuringMarks }: Assessment): number {
  if (danger < NONE) return danger
  return mostUrgent(loaded.reassuring, reassuringMarks, YES) ?? loaded.otherwise
}

function assessComplaint(loaded: LoadedComplaint, findings: InterviewFindings): Assessment {
  const marks: Mark[] = []
  let danger = NONE
  for (const rule of loaded.rules) {
    const mark = rule.when.mark(findings)
    marks.push(mark)
    if (rule.rank < danger && holds(rule, mark)) danger = rule.rank
  }
  const reassuringMarks = loaded.reassuring.map((rule) => rule.when.mark(findings))
  return { loaded, marks, reassuringMarks, danger, floor: floorOf(loaded, danger, reassuringMarks) }
}

function floorOf(loaded: LoadedComplaint, danger: number, reassuringMarks: readonly Mark[]): number {
  if (danger < NONE) return danger
  const certain = mostUrgent(loaded.reassuring, reassuringMarks, YES)
  if (certain !== undefined) return certain
  let floor = loaded.otherwise
  for (const [place, rule] of loaded.reassuring.entries()) {
    if (reassuringMarks[place] === PENDING) floor = Math.max(floor, rule.rank)
  }
  return floor
}

function mostUrgent(rules: readonly LoadedRule[], marks: readonly Mark[], wanted: Mark): number | undefined {
  let rank: number | undefined
  for (const [place, rule] of rules.entries()) {
    if (marks[place] === wanted) rank = Math.min(rank ?? NONE, rule.rank)
  }
  return rank
}
