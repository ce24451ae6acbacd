import type { SessionRow } from '../store/sessions.ts'

/** Whether the user was the patient. Null until someone has entered: what was said at creation is true of nobody before. */
export const userWasPatient = (row: Pick<SessionRow, 'started_at' | 'user_is_patient'>): boolean | null =>
  row.started_at === null ? null : row.user_is_patient

/** Who answered; null while nobody has said so. A professional does it together with the patient, whoever that is. */
export type Answerer = 'patient' | 'related-person' | 'professional'

export function answererOf(row: Pick<SessionRow, 'flow' | 'started_at' | 'user_is_patient'>): Answerer | null {
  if (row.started_at === null) return null
  if (row.flow === 'ExternallyInitiatedByProxy') return 'professional'
  const wasPatient = userWasPatient(row)
  return wasPatient === null ? null : wasPatient ? 'patient' : 'related-person'
}
