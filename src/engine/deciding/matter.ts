import { YES } from '../conditions/evaluate.ts'
import type { Complaint, Heard, Value } from '../content.ts'
import { WAY_TO } from '../intake.ts'
import type { Content, LoadedComplaint } from '../load.ts'
import type { InterviewFindings } from './findings.ts'

/** The value of an intake question, or null while it is not known. */
export function intakeValue(findings: InterviewFindings, id: string): Value {
  const slot = findings.content.slotOf.get(id)
  return slot !== undefined && findings.standing(slot) === YES ? findings.value(slot) : null
}

/** Whether this is the questionnaire of another matter, and no complaint. */
export const isRequest = ({ kind }: Complaint): boolean => WAY_TO[kind].issue !== 'regular'

const TROUBLES = ['new_trouble', 'told_trouble']

/** Whoever asks for a prescription or a certificate and has a new trouble, or lets us ask about one they wrote of, is interviewed about that as well. */
export function isMedical(findings: InterviewFindings): boolean {
  const matter = intakeValue(findings, 'issue_type')
  return matter === null || matter === 'regular' || TROUBLES.some((id) => intakeValue(findings, id) === true)
}

/** From here on own words tell of a complaint and do not merely come near it: of texts that only ask for something one in eight does. */
const SURELY_TOLD = 0.5
/** Less is enough for what no medicine is renewed for, and where nothing medical was asked for: words that come so near it are hardly ever a plain request. */
const TOLD_OF_ACUTE = 0.42

/** The complaints that own words surely tell of, or tell of in a sentence of its own, whatever was asked for. */
function complaintsTold(content: Content, heard: Heard | undefined, issue: Value | undefined): string[] {
  const surely = (heard?.complaints ?? []).flatMap(({ id, score }) => {
    const isAcute = issue === 'admin' || content.complaints.get(id)?.complaint.acute === true
    return score >= (isAcute ? TOLD_OF_ACUTE : SURELY_TOLD) ? id : []
  })
  return [...surely, ...(heard?.passing ?? [])]
}

/**
 * How surely own words tell of something, whatever was asked for: of danger or surely of what no medicine is renewed
 * for (no plain request of those kept aside does), of a complaint or perhaps of danger, or of neither.
 */
export function whatIsTold(
  content: Content,
  heard: Heard | undefined,
  issue: Value | undefined,
): 'danger' | 'complaint' | undefined {
  if (heard?.dangers.some(({ sureness }) => sureness === 'lead')) return 'danger'
  const surely = (heard?.complaints ?? []).filter(({ score }) => score >= SURELY_TOLD).map(({ id }) => id)
  const isAcute = (id: string) => content.complaints.get(id)?.complaint.acute === true
  if ([...surely, ...(heard?.passing ?? [])].some(isAcute)) return 'danger'
  const isTold = complaintsTold(content, heard, issue).length > 0 || (heard?.dangers ?? []).length > 0
  return isTold ? 'complaint' : undefined
}

/** Whoever asks for something and does not want to be asked about the trouble they wrote of is asked for its dangers all the same. */
export function dangersOfDenied(findings: InterviewFindings): number[] {
  const { content, heard } = findings
  if (isMedical(findings) || intakeValue(findings, 'told_trouble') !== false) return []
  const told = complaintsTold(content, heard, intakeValue(findings, 'issue_type'))
  return content.release.dangers.flatMap(({ id, complaint }) =>
    complaint !== undefined && told.includes(complaint) ? findings.signsOf(id) : [],
  )
}

/**
 * The questionnaires of other matters have a look at danger of their own: there the check is about what was heard and nothing else. A danger that was
 * ticked stays, also where the words that led to it are changed.
 */
export function emergencyFor(findings: InterviewFindings): LoadedComplaint | undefined {
  const { emergency } = findings.content
  const isCalledFor = isMedical(findings) || findings.heardSigns.size > 0 || hasTicked(findings)
  return isCalledFor && !findings.isNo(emergency?.applies) ? emergency : undefined
}

/** Whether a danger of the emergency check was ticked that the questionnaire of the request does not judge itself. */
function hasTicked(findings: InterviewFindings): boolean {
  const { answered, content } = findings
  const own = complaintsOf(findings)
  const isOf = (slot: number) => content.emergency?.gates.has(slot) && !own.some(({ gates }) => gates.has(slot))
  return answered.some((slot) => findings.said(slot) === true && isOf(slot))
}

/** What the patient is asked about: the complaints they chose, or the questionnaire of another matter; with a new trouble both. */
export function complaintsOf(findings: InterviewFindings): LoadedComplaint[] {
  const type = intakeValue(findings, 'issue_type')
  if (type === null) return []
  const chosen = isMedical(findings) ? intakeValue(findings, 'complaints') : null
  const medical = Array.isArray(chosen) ? chosen.flatMap((id: string) => findings.content.complaints.get(id) ?? []) : []
  if (type === 'regular') return medical
  const all = [...findings.content.complaints.values()]
  return [...medical, ...all.filter(({ complaint }) => WAY_TO[complaint.kind].issue === type)]
}
