import { CREATED_AT, FILE_ID, SESSION_ID, SLUG } from './ids.ts'

/** By the name of the parameter: it means the same wherever it is taken. */
export const PARAMETER_EXAMPLES: Readonly<Record<string, string | number>> = {
  sessionId: SESSION_ID,
  fileId: FILE_ID,
  slug: SLUG,
  question: 'age',
  auditUserIdentifier: 'nurse-17',
  language: 'fi',
  status: 'Ended',
  shortReference: '8F61 4926',
  limit: 50,
  createdStart: CREATED_AT,
  start: '2027-01-01T00:00:00Z',
  end: '2027-02-01T00:00:00Z',
  size: 'small',
  'idempotency-key': 'booking-17',
  'upload-offset': '0',
}

/** Optional ones that a first request is shown with; the others are shown in the table only. */
export const SHOWN_OPTIONAL: ReadonlySet<string> = new Set([
  'language',
  'status',
  'start',
  'end',
  'idempotency-key',
  'upload-offset',
])
