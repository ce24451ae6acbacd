import type { Test } from '../conditions/conditions.ts'
import { WAY_TO } from '../intake.ts'
import type { Content } from '../load.ts'

interface Known {
  readonly content: Pick<Content, 'complaints'>
  /** Whether an optional condition rules something out. */
  isNo(test: Test | undefined): boolean
}

/** The complaints this patient may choose: medical ones that apply to their age and sex. */
export const offeredComplaints = (findings: Known): string[] =>
  [...findings.content.complaints.keys()].filter((id) => isOfferedComplaint(findings, id))

export function isOfferedComplaint(findings: Known, id: string): boolean {
  const loaded = findings.content.complaints.get(id)
  return loaded !== undefined && WAY_TO[loaded.complaint.kind].isMedical && !findings.isNo(loaded.applies)
}
