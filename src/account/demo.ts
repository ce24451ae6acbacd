import type { Core } from '../events/core.ts'
import { together } from '../events/together.ts'
import { listAccounts } from '../store/accounts.ts'
import { findConfigurationBySlug } from '../store/configurations.ts'
import { DatabaseAway } from '../store/database/db.ts'
import { listKeys } from '../store/keys.ts'
import { NUMBERS } from './numbers.ts'
import { createAccount, createConfiguration, issueKey } from './provision.ts'

const NAME = 'Demo clinic'
const SLUG = 'demo'

/** On an empty database: a demo account, one configuration open to anyone, one for sessions made over the interface. */
export async function createDemo(core: Core): Promise<void> {
  if ((await listAccounts(core.db)).length > 0) return
  await together(core, [], async (inside) => {
    const { id } = await createAccount(inside, NAME, 'Europe/Helsinki')
    await createConfiguration(inside, id, SLUG, { name: NAME, type: 'OPEN', ...NUMBERS.FI })
    await createConfiguration(inside, id, 'demo-invited', { name: NAME, type: 'INVITED', ...NUMBERS.FI })
  })
}

/**
 * A key of the demo account, if it stands alone and never had one; to be shown, and nowhere else. Made only when the
 * service listens: a start that fails, as at a port that is taken, shows nothing.
 */
export const issueDemoKey = (core: Core): Promise<string | null> =>
  issueFirstKey(core).catch((error) => {
    // The service listens already: whoever watches the database brings it back, or says why not and ends the service.
    if (error instanceof DatabaseAway) return null
    throw error
  })

async function issueFirstKey(core: Core): Promise<string | null> {
  const [only, ...others] = await listAccounts(core.db)
  const demo = await findConfigurationBySlug(core.db, SLUG)
  if (!demo || only?.name !== NAME || others.length > 0 || (await listKeys(core.db, only.id)).length > 0) return null
  return (await issueKey(core, demo, { note: 'made at the first start' })).key
}
