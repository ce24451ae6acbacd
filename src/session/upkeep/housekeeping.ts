import { readAsFarAsItFits } from '../../account/configuration.ts'
import type { Core } from '../../events/core.ts'
import { Problem } from '../../problems.ts'
import { listAccounts } from '../../store/accounts.ts'
import { type ConfigurationRow, listConfigurations } from '../../store/configurations.ts'
import {
  forgetIdempotency,
  forgetLinkTokens,
  HOUSEKEEPING_TURN,
  listDueForErasure,
  markAbandoned,
} from '../../store/retention.ts'
import { forgetUserCookies } from '../../store/users.ts'
import { forgetVisits } from '../../store/visits.ts'
import { eraseSession } from './erase.ts'

/** Few enough that no statement is long. */
const AT_ONCE = 200

export type Tidied = {
  abandoned: number
  erased: number
  idempotencyKeys: number
  linkTokens: number
  visits: number
  userCookies: number
}

/**
 * Puts away what has had its time: sessions past their retention are erased, abandoned ones marked, stored answers and
 * links deleted. Any node may do it, by the database's clock, and only one does; null when another is at it.
 */
export function keepHouse(core: Core): Promise<Tidied | null> {
  return core.db.exclusively(HOUSEKEEPING_TURN, async () => {
    const tidied: Tidied = { abandoned: 0, erased: 0, idempotencyKeys: 0, linkTokens: 0, visits: 0, userCookies: 0 }
    for (const { id } of await listAccounts(core.db)) await tidyAccount(core, id, tidied)
    return tidied
  })
}

async function tidyAccount(core: Core, accountId: string, tidied: Tidied): Promise<void> {
  for (const configuration of await listConfigurations(core.db, accountId)) {
    tidied.abandoned += await untilDone(() => markAbandoned(core.db, accountId, configuration.id, AT_ONCE))
    tidied.erased += await untilDone(() => eraseDue(core, configuration))
  }
  tidied.idempotencyKeys += await untilDone(() => forgetIdempotency(core.db, accountId, AT_ONCE))
  tidied.linkTokens += await untilDone(() => forgetLinkTokens(core.db, accountId, AT_ONCE))
  tidied.userCookies += await untilDone(() => forgetUserCookies(core.db, accountId, AT_ONCE))
  tidied.visits += await untilDone(() => forgetVisits(core.db, accountId, AT_ONCE))
}

async function untilDone(round: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const done = await round()
    total += done
    if (done < AT_ONCE) return total
  }
}

/** A configuration that does not validate still promised its patients something; what can be read of it counts. */
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
