import { NO, PENDING, type TruthMark, UNSURE, YES } from '../conditions/evaluate.ts'
import { type LoadedComplaint, type LoadedRule, NONE } from '../load.ts'
import type { InterviewFindings } from './findings.ts'

/** How one complaint stands. */
export interface Assessment {
  readonly loaded: LoadedComplaint
  /** Rank of the most urgent rule that holds; `NONE` when none does. */
  readonly danger: number
  /** The rank as things stand: its most urgent rule, else what is certain to reassure, else `otherwise`. */
  readonly rank: number
  /** The least urgent rank this complaint can still end at. */
  readonly floor: number
  /** Rules still pending that are more urgent than those that hold. */
  readonly raising: readonly LoadedRule[]
  /** Reassuring rules still pending, while no rule holds. */
  readonly lowering: readonly LoadedRule[]
}

export interface Verdict {
  readonly emergency: Assessment | undefined
  readonly complaints: readonly Assessment[]
  /** Rank the session has now; right once nothing can change it any more. */
  readonly rank: number
}

/** A rule holds when it is true, or when not knowing must not wave it away. */
export const holds = ({ rule, form }: LoadedRule, mark: TruthMark) =>
  form === 'unsure' ? mark === UNSURE : mark === YES || (mark === UNSURE && rule.ifUnsure === 'apply')

/** The rules of a complaint that hold, most urgent first, each in the most urgent form that does. */
export function* heldRules(
  { rules }: LoadedComplaint,
  { truths }: InterviewFindings,
): Generator<[LoadedRule, TruthMark]> {
  const seen = new Set<string>()
  for (const rule of rules) {
    const mark = truths.of(rule.when)
    if (!holds(rule, mark) || seen.has(rule.rule.id)) continue
    seen.add(rule.rule.id)
    yield [rule, mark]
  }
}

export function assess(findings: InterviewFindings): Verdict {
  const emergency = findings.emergency && assessComplaint(findings.emergency, findings)
  const complaints = findings.complaints.map((loaded) => assessComplaint(loaded, findings))
  let rank = emergency?.danger ?? NONE
  for (const assessment of complaints) rank = Math.min(rank, assessment.rank)
  return { emergency, complaints, rank }
}

/** The most urgent rule that holds anywhere; `NONE` when none does. */
export function dangerOf({ emergency, complaints }: Verdict): number {
  return complaints.reduce((least, { danger }) => Math.min(least, danger), emergency?.danger ?? NONE)
}

function assessComplaint(loaded: LoadedComplaint, findings: InterviewFindings): Assessment {
  const raising: LoadedRule[] = []
  for (const rule of loaded.rules) {
    const mark = findings.truths.of(rule.when)
    if (mark === NO) continue
    // A rule that is pending for "not sure" is pending in its own form too, which is more urgent.
    if (mark === PENDING && rule.form !== 'unsure') raising.push(rule)
    // The most urgent come first: what follows a rule that holds need not be looked at.
    if (mark !== PENDING && holds(rule, mark))
      return { loaded, danger: rule.rank, rank: rule.rank, floor: rule.rank, raising, lowering: [] }
  }
  const lowering: LoadedRule[] = []
  let certain: number | undefined
  let possible = loaded.otherwise
  for (const rule of loaded.reassuring) {
    const mark = findings.truths.of(rule.when)
    if (mark === YES) certain = Math.min(certain ?? NONE, rule.rank)
    if (mark !== PENDING) continue
    lowering.push(rule)
    possible = Math.max(possible, rule.rank)
  }
  const { otherwise } = loaded
  return { loaded, danger: NONE, rank: certain ?? otherwise, floor: certain ?? possible, raising, lowering }
}
