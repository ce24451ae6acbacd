import type { Core } from '../../events/core.ts'
import { fail } from '../../problems.ts'
import { PreconditionFailed } from '../../store/database/db.ts'
import type { Objects } from '../../store/objects.ts'
import { ERASE_SESSION } from '../../store/retention.ts'
import { forgetObject, listLeftObjects } from '../../store/uploads.ts'

/** Erases the contents of a session by deleting its key: unknown from then on; counts and audit entries stay. */
export async function eraseSession(core: Core, accountId: string, sessionId: string, actor: string): Promise<void> {
  try {
    await core.recorder.record({
      accountId,
      actor,
      action: 'session.erased',
      subject: sessionId,
      effects: [{ statement: ERASE_SESSION, row: { id: sessionId } }],
    })
  } catch (error) {
    if (error instanceof PreconditionFailed) fail('session-not-found')
    throw error
  }
}

/**
 * Erases a session and deletes the bytes of its files from the object store at once. Returns whether that was possible:
 * bytes that could not be deleted now cannot be opened any more, and housekeeping tries again every minute.
 */
export async function eraseWithFiles(
  core: Core,
  objects: Objects | null,
  accountId: string,
  sessionId: string,
  actor: string,
): Promise<{ filesDeleted: boolean }> {
  await eraseSession(core, accountId, sessionId, actor)
  if (!objects) return { filesDeleted: true }
  return removeLeftObjects(core, objects, accountId).then(
    () => ({ filesDeleted: true }),
    () => ({ filesDeleted: false }),
  )
}

/** Few enough to keep each round short. */
const AT_ONCE = 100

/** Deletes the bytes of erased and removed files from the object store. What fails stays listed, and the next run retries it. */
export async function removeLeftObjects(core: Pick<Core, 'db'>, objects: Objects, accountId: string): Promise<number> {
  let removed = 0
  for (const { session_id: sessionId, id } of await listLeftObjects(core.db, accountId, AT_ONCE)) {
    await objects.remove(`${accountId}/${sessionId}/${id}`)
    await forgetObject(core.db, accountId, sessionId, id)
    removed++
  }
  return removed
}
