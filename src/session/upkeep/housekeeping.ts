import { readAsFarAsItFits } from '../../account/configuration.ts'
import type { Core } from '../../events/core.ts'
import { Problem } from '../../problems.ts'
import { listAccounts } from '../../store/accounts.ts'
import { type ConfigurationRow, listConfigurations } from '../../store/configurations.ts'
import type { Objects } from '../../store/objects.ts'
import {
  forgetIdempotency,
  forgetLinkTokens,
  HOUSEKEEPING_TURN,
  listDueForErasure,
  markAbandoned,
} from '../../store/retention.ts'
import { forgetUserCookies } from '../../store/users.ts'
import { forgetVisits } from '../../store/visits.ts'
import { eraseSession, removeLeftObjects } from './erase.ts'

/** Few enough to keep each statement short. */
const AT_ONCE = 200

export type Tidied = {
  abandoned: number
  erased: number
  idempotencyKeys: number
  linkTokens: number
  visits: number
  userCookies: number
  /** Files whose bytes were deleted from the object store. */
  objects: number
}

/**
 * Removes what has expired: sessions past their retention are erased, abandoned ones marked, stored answers and links
 * deleted. Any node may do it, by the database's clock, and only one does; null when another is doing it.
 */
export function keepHouse(core: Core, objects: Objects | null = null): Promise<Tidied | null> {
  return core.db.exclusively(HOUSEKEEPING_TURN, async () => {
    const tidied: Tidied = {
      abandoned: 0,
      erased: 0,
      idempotencyKeys: 0,
      linkTokens: 0,
      visits: 0,
      userCookies: 0,
      objects: 0,
    }
    for (const { id } of await listAccounts(core.db)) await tidyAccount(core, objects, id, tidied)
    return tidied
  })
}

async function tidyAccount(core: Core, objects: Objects | null, accountId: string, tidied: Tidied): Promise<void> {
  for (const configuration of await listConfigurations(core.db, accountId)) {
    tidied.abandoned += await untilDone(() => markAbandoned(core.db, accountId, configuration.id, AT_ONCE))
    tidied.erased += await untilDone(() => eraseDue(core, configuration))
  }
  tidied.idempotencyKeys += await untilDone(() => forgetIdempotency(core.db, accountId, AT_ONCE))
  tidied.linkTokens += await untilDone(() => forgetLinkTokens(core.db, accountId, AT_ONCE))
  tidied.userCookies += await untilDone(() => forgetUserCookies(core.db, accountId, AT_ONCE))
  tidied.visits += await untilDone(() => forgetVisits(core.db, accountId, AT_ONCE))
  if (objects) tidied.objects += await removeLeftObjects(core, objects, accountId)
}

async function untilDone(round: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const done = await round()
    total += done
    if (done < AT_ONCE) return total
  }
}

/** A configuration that is not valid still promised its patients a retention; what can be read of it counts. */
async function eraseDue(core: Core, configuration: ConfigurationRow): Promise<number> {
  const { account_id: accountId, id } = configuration
  const due = await listDueForErasure(
    core.db,
    accountId,
    id,
    readAsFarAsItFits(configuration.document).retentionDays,
    AT_ONCE,
  )
  await Promise.all(due.map((sessionId) => eraseSession(core, accountId, sessionId, 'retention').catch(alreadyErased)))
  return due.length
}

function alreadyErased(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}
