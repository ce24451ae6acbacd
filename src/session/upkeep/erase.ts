import type { Core } from '../../events/core.ts'
import { fail } from '../../problems.ts'
import { PreconditionFailed } from '../../store/database/db.ts'
import type { Objects } from '../../store/objects.ts'
import { ERASE_SESSION } from '../../store/retention.ts'
import { forgetObject, listLeftObjects } from '../../store/uploads.ts'

/** Erases the contents of a session by deleting its key: unknown from then on; counts and audit entries stay. */
export async function eraseSession(
  core: Core,
  accountId: string,
  sessionId: string,
  actor: 'operator' | 'retention',
): Promise<void> {
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
