import type { Core } from '../../events/core.ts'
import { fail } from '../../problems.ts'
import { PreconditionFailed } from '../../store/database/db.ts'
import { ERASE_SESSION } from '../../store/retention.ts'

/** Erases what a session said by deleting its key: unknown from then on; counts and audit stay. */
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
