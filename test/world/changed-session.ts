import { SessionSeal } from '../../src/session/sealed.ts'
import { findAccount } from '../../src/store/accounts.ts'
import { findSessionOfAccount } from '../../src/store/sessions.ts'
import type { World } from './world.ts'

/** Changes a stored session as the program itself would: impossible without the master key. */
export async function changeSession(
  { app, sql }: Pick<World, 'app' | 'sql'>,
  id: string,
  assignment: string,
  values: unknown[] = [],
): Promise<void> {
  const [changed] = await sql(`update sessions set ${assignment} where id = $1 returning account_id`, [id, ...values])
  const accountId = String(changed?.account_id)
  const { db, keyring } = app.core
  const [account, row] = [await findAccount(db, accountId), await findSessionOfAccount(db, accountId, id)]
  if (!account || !row) throw new Error('There is no such session.')
  const accountKey = keyring.openAccountKey(accountId, account.sealed_key)
  const stateSeal = SessionSeal.open(accountId, accountKey, id, row.sealed_key).stateSeal(row)
  await sql('update sessions set state_seal = $2 where id = $1', [id, stateSeal])
}
