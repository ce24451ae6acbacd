import type { Core } from '../../events/core.ts'
import { CLOSE_ACCOUNT, DEPLOYMENT, REMOVE_ACCOUNT, removeSessions } from '../../store/accounts.ts'
import { findLastOf } from '../../store/audit.ts'
import { StoreUnavailable } from '../../store/database/db.ts'
import { countKeptSessions } from '../../store/export/kept.ts'
import type { Objects } from '../../store/objects.ts'
import { listStoredObjects } from '../../store/uploads.ts'

/** Few enough to keep each statement short. */
const AT_ONCE = 200
const REMOVED = 'account.removed'

/**
 * Removes an account with everything it holds, for good. Its doors are closed first; an interrupted removal is resumed
 * by running it again. Its audit chain stays, and the deployment's chain records the removal: an account that is gone
 * without that was removed by somebody else. Returns how many sessions were erased by it, also before an interruption;
 * those that had been erased one by one are not among them.
 */
export async function removeAccount(
  core: Core,
  objects: Objects | null,
  id: string,
  detail: Record<string, unknown> = {},
): Promise<{ sessions: number }> {
  if (!objects && (await listStoredObjects(core.db, id)).length > 0)
    throw new StoreUnavailable(
      'Files of this account are in an object store, and only its rows here tell which. Set S3_URL, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY first. Nothing was erased.',
    )
  const sessions = Math.max(await countKeptSessions(core.db, id), await foundBefore(core, id))
  const removed = { actor: core.operator, action: REMOVED, subject: id }
  await core.recorder.record({
    ...removed,
    accountId: id,
    detail: { ...detail, sessions },
    effects: [{ statement: CLOSE_ACCOUNT, row: { id } }],
  })
  for (const { session_id: sessionId, id: fileId } of objects ? await listStoredObjects(core.db, id) : [])
    await objects?.remove(`${id}/${sessionId}/${fileId}`)
  while ((await removeSessions(core.db, id, AT_ONCE)) === AT_ONCE);
  const effects = [{ statement: REMOVE_ACCOUNT, row: { id } }]
  await core.recorder.record({ ...removed, accountId: DEPLOYMENT, detail: { ...detail, sessions }, effects })
  return { sessions }
}

/** The sessions that were there when a removal began that was interrupted. */
async function foundBefore({ db }: Core, id: string): Promise<number> {
  return Number((await findLastOf(db, id, REMOVED))?.detail.sessions ?? 0)
}
