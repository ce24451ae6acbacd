import { TRUE } from '../conditions/conditions.ts'
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
    complaints.some((one) => one.slots.includes(slot) || one.covers.includes(slot) || findings.calls(one, slot))
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
