import type { Core } from '../../events/core.ts'
import { CLOSE_ACCOUNT, DEPLOYMENT, REMOVE_ACCOUNT, removeSessions } from '../../store/accounts.ts'
import { StoreUnavailable } from '../../store/database/db.ts'
import type { Objects } from '../../store/objects.ts'
import { listStoredObjects } from '../../store/uploads.ts'

/** Few enough to keep each statement short. */
const AT_ONCE = 200

/**
 * Removes an account with everything it holds, for good. Its doors are closed first; an interrupted removal is resumed
 * by running it again. Its audit chain stays, and the deployment's chain records the removal: an account that is gone
 * without that was removed by somebody else.
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
  const removed = { actor: core.operator, action: 'account.removed', subject: id }
  await core.recorder.record({
    ...removed,
    accountId: id,
    detail,
    effects: [{ statement: CLOSE_ACCOUNT, row: { id } }],
  })
  for (const { session_id: sessionId, id: fileId } of objects ? await listStoredObjects(core.db, id) : [])
    await objects?.remove(`${id}/${sessionId}/${fileId}`)
  let sessions = 0
  for (let done = AT_ONCE; done === AT_ONCE; sessions += done) done = await removeSessions(core.db, id, AT_ONCE)
  const effects = [{ statement: REMOVE_ACCOUNT, row: { id } }]
  await core.recorder.record({ ...removed, accountId: DEPLOYMENT, detail: { ...detail, sessions }, effects })
  return { sessions }
}
