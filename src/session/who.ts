import type { SessionRow } from '../store/sessions.ts'

/** Whether the user was the patient. Null until someone has entered: what was said at creation is true of nobody before. */
export const userWasPatient = (row: Pick<SessionRow, 'started_at' | 'user_is_patient'>): boolean | null =>
  row.started_at === null ? null : row.user_is_patient
