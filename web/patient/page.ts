import type { Gate, PublicConfiguration, Refused, SessionView } from './api.ts'
import type { Facts } from './facts.ts'
import type { Tab } from './tab.ts'
import type { NoticeKind } from './words/words.ts'

/** Where the user is. Everything within a session follows from its view. */
export type Page =
  | { at: 'loading' }
  /** `isAnew`: the user was here before and has asked for the front page again. */
  | { at: 'welcome'; begun: SessionView | null; fault: NotBegun | null; isAnew?: boolean }
  | { at: 'takeover'; refused: boolean }
  | { at: 'session'; view: SessionView }
  | { at: 'closed'; gate: Gate }
  | { at: 'notice'; kind: NoticeKind }

/** Why a session did not begin: no answer came, there are too many people, or the service cannot take anyone. */
export type NotBegun = 'failed' | 'busy' | 'away'

export function notBegun(refused: Refused | null): NotBegun {
  if (!refused) return 'failed'
  return refused.status === 429 || refused.code === 'overloaded' ? 'busy' : 'away'
}

/** The page for a user who comes to the address; `known` is the session this browser may continue. */
export function frontDoor(
  { entrance }: Facts,
  { secret }: Tab['kept'],
  { type, gate }: PublicConfiguration,
  known: SessionView | null,
): Page {
  const begun = known?.expired ? null : known
  if (begun || secret) return { at: 'welcome', begun, fault: null }
  if (entrance === 's') return { at: 'notice', kind: 'linkMissing' }
  if (type !== 'OPEN') return { at: 'notice', kind: 'invitedOnly' }
  if (!gate.open) return { at: 'closed', gate }
  return { at: 'welcome', begun: null, fault: null }
}

/** The front page again, with the way back to what is shown now. */
export function anew(now: Page, gate: Gate | undefined): Page {
  if (gate?.open === false) return { at: 'closed', gate }
  const begun = now.at === 'session' ? now.view : now.at === 'welcome' ? now.begun : null
  return { at: 'welcome', begun, fault: null, isAnew: true }
}

/** The page for a user who was not let in; null when only trying again helps. */
export function pageAfter({ code, gate }: Refused): Page | null {
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

/** The page for a user whose session refuses them; null when only what they said was refused. */
export function pageWithout({ status }: Refused, { entrance }: Facts): Page | null {
  switch (status) {
    case 400:
      return null
    case 401:
      return { at: 'notice', kind: entrance === 's' ? 'linkMissing' : 'expired' }
    case 404:
      return { at: 'notice', kind: 'replaced' }
    case 410:
      return { at: 'notice', kind: 'expired' }
    default:
      return { at: 'notice', kind: 'unavailable' }
  }
}
