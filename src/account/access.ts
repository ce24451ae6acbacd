import type { Core } from '../events/core.ts'
import { fail } from '../problems.ts'
import { findAccess, INSERT_ACCESS_EVENT } from '../store/accounts.ts'

/** Why the service is closed for incoming users. The order is the numeric encoding of the samples. */
export const CLOSED_REASONS = ['Other', 'OutsideMonitoredHours', 'CapLimitReached'] as const
export type ClosedReason = (typeof CLOSED_REASONS)[number]

export type AccessState = { active: boolean; open: boolean; closedReason: ClosedReason | null }

/** Open or closed right now, computed from the database at every reading: a cache here could lie to patients. */
export async function accessState(core: Core, accountId: string): Promise<AccessState> {
  const row = (await findAccess(core.db, accountId)) ?? fail('configuration-not-found')
  const open = row.kind !== 'closed'
  return { active: row.active, open, closedReason: open ? null : reasonOf(row.closed_reason) }
}

function reasonOf(text: string | null): ClosedReason {
  return CLOSED_REASONS.find((reason) => reason === text) ?? 'Other'
}

/** A manual opening holds from the moment it is made, whatever else is happening to the account. */
export async function openAccess(core: Core, accountId: string, actor: string): Promise<AccessState> {
  await record(core, accountId, actor, 'access.opened', { kind: 'opened', closed_reason: null })
  return { ...(await accessState(core, accountId)), open: true, closedReason: null }
}

export async function closeAccess(
  core: Core,
  accountId: string,
  actor: string,
  reason: ClosedReason,
): Promise<AccessState> {
  await record(core, accountId, actor, 'access.closed', { kind: 'closed', closed_reason: reason })
  return { ...(await accessState(core, accountId)), open: false, closedReason: reason }
}

type AccessEvent = { kind: 'opened' | 'closed'; closed_reason: ClosedReason | null }

async function record(core: Core, accountId: string, actor: string, action: string, row: AccessEvent): Promise<void> {
  const detail = { closedReason: row.closed_reason }
  const effects = [{ statement: INSERT_ACCESS_EVENT, row }]
  await core.recorder.record({ accountId, actor, action, subject: accountId, detail, effects })
}
