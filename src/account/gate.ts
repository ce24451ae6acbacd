import type { Core } from '../events/core.ts'
import type { Effect } from '../events/record.ts'
import { fail } from '../problems.ts'
import { PASS_GATE } from '../store/access.ts'
import { GateChanged } from '../store/database/db.ts'
import { type AccessState, type ClosedReason, seeAccess } from './access.ts'
import type { ConfigurationDocument } from './configuration.ts'

/** What a user who wants to enter meets: open, or closed with the reason and, when it is known, the next opening. */
export type Gate = {
  open: boolean
  active: boolean
  closedReason: ClosedReason | null
  opensAt: string | null
  timeZone: string
}

type Entrance = Pick<ConfigurationDocument, 'type'>

/**
 * Whether a new user may enter. Opening and closing apply only to OPEN configurations, and not to a session that
 * overrides them; an inactive account lets nobody in.
 */
export async function gateOf(
  core: Core,
  accountId: string,
  configuration: Entrance,
  overridden: boolean,
): Promise<Gate> {
  return gateIn((await seeAccess(core, accountId)).state, configuration.type === 'OPEN' && !overridden)
}

function gateIn({ active, open, closedReason, opensAt, timeZone }: AccessState, isGated: boolean): Gate {
  if (!active) return { open: false, active, closedReason: null, opensAt: null, timeZone }
  if (!isGated || open) return { open: true, active, closedReason: null, opensAt: null, timeZone }
  return { open: false, active, closedReason, opensAt, timeZone }
}

const MOST_LOOKS = 5

/**
 * Lets a new user through the gate or refuses them. The gate is read first, to give the reason, and decided in the
 * entering transaction by the effect that `enter` is given: however many come at once, none gets in above the cap or
 * after a closing.
 */
export async function passGate<T>(
  core: Core,
  accountId: string,
  { type }: Entrance,
  overridden: boolean,
  enter: (pass: Effect) => Promise<T>,
): Promise<T> {
  const isGated = type === 'OPEN' && !overridden
  for (let look = 0; look < MOST_LOOKS; look++) {
    const { state, seen, cap, midnight } = await seeAccess(core, accountId)
    const gate = gateIn(state, isGated)
    if (!gate.open) fail('service-closed', { members: { gate } })
    const counted = type === 'OPEN' ? cap : null
    const row = { is_gated: isGated, seen, cap_kind: counted?.kind, cap_most: counted?.most, midnight }
    try {
      return await enter({ statement: PASS_GATE, row, inOrder: true })
    } catch (error) {
      if (!(error instanceof GateChanged)) throw error
    }
  }
  return fail('overloaded', { headers: { 'retry-after': '1' } })
}
