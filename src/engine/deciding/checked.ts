import { TRUE } from '../conditions/conditions.ts'
import { ABSENT } from '../conditions/evaluate.ts'
import type { LoadedComplaint } from '../load.ts'
import type { InterviewFindings } from './findings.ts'
import { isMedical } from './matter.ts'

/**
 * Signs that own words perhaps tell of, that are asked of few, and that none of the complaints asks or calls for:
 * someone with a cold is not met with them first. What is surely heard always comes first.
 */
export function hintedIn(findings: InterviewFindings): ReadonlySet<number> {
  const { emergency, complaints, heard } = findings
  if (!heard || !emergency || !isMedical(findings) || !hasNamedComplaint(findings)) return new Set()
  const told = (sureness: string) =>
    heard.dangers.filter((one) => one.sureness === sureness).flatMap(({ kind }) => findings.signsOf(kind))
  const surely = told('lead')
  const isWanted = (slot: number) =>
    complaints.some((one) => one.slots.includes(slot) || one.covers.includes(slot) || calls(findings, one, slot))
  return new Set(told('ask').filter((slot) => emergency.onCall.has(slot) && !surely.includes(slot) && !isWanted(slot)))
}

/**
 * Signs that only own words call for, once it is known that no complaint asks everybody about them, by itself or by what tells it. A request has
 * no complaint to wait for: its own questionnaire is known with it.
 */
export function toldOnlyIn(findings: InterviewFindings): number[] {
  const { content, emergency, complaints, heard } = findings
  if (complaints.length === 0) return []
  const isAsked = (slot: number) => {
    const { implies = [], impliedBy = [] } = content.relations[slot] ?? {}
    const telling = [slot, ...implies, ...impliedBy]
    return complaints.some(
      ({ gates, covers }) => covers.includes(slot) || telling.some((other) => gates.get(other) === TRUE),
    )
  }
  return (heard?.dangers ?? [])
    .flatMap(({ kind }) => content.dangers.get(kind) ?? [])
    .filter((slot) => content.onlyNamed.has(slot) && emergency?.gates.has(slot) && !isAsked(slot))
}

/** Whether the patient has complaints that ask about their own dangers. */
export const hasNamedComplaint = ({ complaints }: InterviewFindings): boolean =>
  complaints.length > 0 && complaints.every(({ complaint }) => complaint.kind !== 'general')

/** What the emergency check would only ask after a sign that is not there: it has the place that the complaint gives it. */
export const isIdleFollowUp = (slot: number, findings: InterviewFindings): boolean =>
  !findings.content.questions[slot]?.isSign && findings.isNo(findings.emergency?.gates.get(slot))

/**
 * What the emergency check asks now. All of it of whoever named no complaint yet or is in the general one, since
 * nothing else covers them; of the others its core, what their own words tell of, and what they were asked before.
 */
export function checkedOf(findings: InterviewFindings): readonly number[] {
  const isHeard = (slot: number) => findings.heardSigns.has(slot) || findings.isAnswered(slot)
  const { onlyNamed } = findings.content
  const slots = (findings.emergency?.slots ?? []).filter((slot) => !onlyNamed.has(slot) || isHeard(slot))
  const isMedicalMatter = isMedical(findings)
  if (!hasNamedComplaint(findings) && isMedicalMatter) return slots
  // What is no sign follows up on one: it waits until that is ticked.
  const followsUp = (slot: number) =>
    findings.emergency?.gates.get(slot) !== TRUE && findings.content.questions[slot]?.isSign !== true
  return slots.filter((slot) => isHeard(slot) || followsUp(slot) || (isMedicalMatter && findings.isCore(slot)))
}

/** Whether the last look asks this: some signs only in some families of complaints, where one calls for them, or own words may tell of them. */
export function isCalledFor(findings: InterviewFindings, slot: number): boolean {
  const families = findings.emergency?.onCall.get(slot)
  const isWanted = () => findings.complaints.some((one) => calls(findings, one, slot))
  return families === undefined || findings.hinted.has(slot) || isWanted()
}

/** Whether a complaint calls for a sign that only some are asked. */
function calls(findings: InterviewFindings, complaint: LoadedComplaint, slot: number): boolean {
  const { family } = complaint.complaint
  const isOfFamily = family !== undefined && findings.emergency?.onCall.get(slot)?.includes(family) === true
  return isOfFamily || (complaint.calls.has(slot) && !findings.isNo(complaint.calls.get(slot)))
}

/** Whether this sign of the emergency check could be true of this patient but is not asked. */
export function isLeftOut(findings: InterviewFindings, slot: number): boolean {
  const isOfTheCheck =
    findings.emergency?.gates.has(slot) === true && !findings.content.onlyNamed.has(slot) && isMedical(findings)
  return isOfTheCheck && findings.standing(slot) === ABSENT && findings.appliesTo(slot)
}
