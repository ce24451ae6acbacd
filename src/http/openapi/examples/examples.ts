import { DECISION_SUPPORT_EXAMPLES } from './decision-support.ts'
import { TRIAGE_EXAMPLES } from './triage.ts'
import { V1_EXAMPLES } from './v1.ts'

/** One request of an operation and its answer. Absent: there is no body, or it is no JSON. */
export type Example = { request?: unknown; response?: unknown }

/** By operation. They tell of one session: a sore throat, from the invitation to the clinician who reads it. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  ...V1_EXAMPLES,
  ...TRIAGE_EXAMPLES,
  ...DECISION_SUPPORT_EXAMPLES,
}
