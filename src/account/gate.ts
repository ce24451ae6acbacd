import type { Core } from '../events/core.ts'
import { accessState, type ClosedReason } from './access.ts'
import type { ConfigurationDocument } from './configuration.ts'

/** What a user who wants to enter meets: open, or closed with the reason and, when it is known, the next opening. */
export type Gate = {
  open: boolean
  active: boolean
  closedReason: ClosedReason | null
  opensAt: string | null
  timeZone: string
}

/**
 * Whether a new user may enter. Open and closed gate users under OPEN only, and not one whose session overrides it;
 * an inactive account lets nobody in.
 */
export async function gateOf(
  core: Core,
  accountId: string,
  configuration: Pick<ConfigurationDocument, 'type'>,
  overridden: boolean,
): Promise<Gate> {
  const { active, open, closedReason, opensAt, timeZone } = await accessState(core, accountId)
  if (!active) return { open: false, active, closedReason: null, opensAt: null, timeZone }
  if (configuration.type !== 'OPEN' || overridden || open)
    return { open: true, active, closedReason: null, opensAt: null, timeZone }
  return { open: false, active, closedReason, opensAt, timeZone }
}
