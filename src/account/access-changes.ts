import type { Core } from '../events/core.ts'
import { findLastAccessEvent, listAutomated, NOTE_ACCESS_CHANGE } from '../store/access.ts'
import { PreconditionFailed } from '../store/database/db.ts'
import { accessState } from './access.ts'

/**
 * Records that hours or cap have opened or closed accounts. Nothing is decided by these events: the opening state is
 * computed on every read, and this only compares it from time to time with the last recorded one. Any node may do so;
 * each change is recorded once.
 */
export async function noteAccessChanges(core: Core): Promise<number> {
  let noted = 0
  for (const accountId of await listAutomated(core.db)) if (await noteChange(core, accountId)) noted++
  return noted
}

async function noteChange(core: Core, accountId: string): Promise<boolean> {
  const told = await findLastAccessEvent(core.db, accountId)
  const { open, closedReason } = await accessState(core, accountId)
  const kind = open ? 'opened' : 'closed'
  if (kind === (told?.kind ?? 'opened') && closedReason === (told?.closed_reason ?? null)) return false
  const row = { kind, closed_reason: closedReason, after: told?.id ?? null }
  try {
    await core.recorder.record({
      accountId,
      actor: 'fyr',
      action: `access.${kind}`,
      subject: accountId,
      detail: { closedReason, automatic: true },
      effects: [{ statement: NOTE_ACCESS_CHANGE, row }],
    })
    return true
  } catch (error) {
    if (error instanceof PreconditionFailed) return false // another node recorded it, or someone opened or closed at the same moment
    throw error
  }
}
