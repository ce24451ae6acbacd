import type { Gate, Refused, SessionView } from './api.ts'
import type { NoticeKind } from './words/words.ts'

/** Where the user is. Everything within a session follows from its view. */
export type Place =
  | { at: 'loading' }
  /** `isAnew`: the user was here before and has asked for the front door again. */
  | { at: 'welcome'; begun: SessionView | null; fault: 'failed' | 'busy' | null; isAnew?: boolean }
  | { at: 'takeover'; refused: boolean }
  | { at: 'session'; view: SessionView }
  | { at: 'closed'; gate: Gate }
  | { at: 'notice'; kind: NoticeKind }

/** Where a user who was not let in is led; null when nothing but trying again helps. */
export function placeAfter({ code, gate }: Refused): Place | null {
  switch (code) {
    case 'service-closed':
      return gate && { at: 'closed', gate }
    case 'confirmation-needed':
      return { at: 'takeover', refused: false }
    case 'confirmation-refused':
      return { at: 'takeover', refused: true }
    case 'session-not-found':
    case 'not-found':
      return { at: 'notice', kind: 'linkUnknown' }
    case 'session-expired':
      return { at: 'notice', kind: 'expired' }
    default:
      return null
  }
}
