import type { Core } from '../events/core.ts'
import { listAccounts } from '../store/accounts.ts'
import { NUMBERS } from './numbers.ts'
import { configurationOf, createAccount, createConfiguration, issueKey } from './provision.ts'

/** On an empty database: a demo account, one configuration open to anyone, one for sessions made over the interface. */
export async function createDemo(core: Core): Promise<{ key: string } | null> {
  if ((await listAccounts(core.db)).length > 0) return null
  const { id } = await createAccount(core, 'Demo clinic', 'Europe/Helsinki')
  await createConfiguration(core, id, 'demo', { name: 'Demo clinic', type: 'OPEN', ...NUMBERS.FI })
  await createConfiguration(core, id, 'demo-invited', { name: 'Demo clinic', type: 'INVITED', ...NUMBERS.FI })
  return issueKey(core, await configurationOf(core, 'demo'), { note: 'made at the first start' })
}
