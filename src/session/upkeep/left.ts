import type { Core } from '../../events/core.ts'
import { listLeftAlarmed } from '../../store/answers.ts'
import { findUserById } from '../../store/users.ts'
import { MovedOn } from '../chat/answer.ts'
import { openUserSession } from '../chat/user.ts'
import { type Completion, endLeft } from '../end.ts'
import type { Releases } from '../releases.ts'

/** Ends sessions that were left while the emergency card stood. Any node may: each ending happens once. */
export async function endLeftSessions(core: Core, releases: Releases, completion: Completion): Promise<number> {
  let ended = 0
  for (const { account_id: accountId, id } of await listLeftAlarmed(core.db)) {
    const door = await findUserById(core.db, accountId, id)
    if (!door) continue
    try {
      if (await endLeft(core, await openUserSession(core, releases, door), completion)) ended++
    } catch (error) {
      if (!(error instanceof MovedOn)) throw error // the user came back, or another node was first
    }
  }
  return ended
}
