import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Core, coreOf } from '../events/core.ts'
import { readSettings, type Settings } from '../settings.ts'
import { type AccountRow, listAccounts } from '../store/accounts.ts'
import { openForCommand } from '../store/database/open.ts'
import { operatorOf } from './operator.ts'
import { Refusal, remark } from './print.ts'

/**
 * Runs a command on the service's data, whether the service runs or not. Only a command that begins something creates a
 * missing database; the rest were probably called in the wrong folder.
 */
export async function onStore<T>(
  work: (core: Core, settings: Settings) => Promise<T>,
  { mayBegin = false }: { mayBegin?: boolean } = {},
): Promise<T> {
  const settings = readSettings(process.env)
  const folder = resolve(settings.DATA_DIR)
  const isThere = ['postgres', 'master.key'].some((name) => existsSync(join(folder, name))) // a key alone: its database is lost
  if (!settings.DATABASE_URL && !isThere) {
    if (!mayBegin) throw new Refusal(`There is no data in ${folder}. Start Fyr once (npm start), or set DATA_DIR.`)
    remark(`Making a new database in ${folder} …`)
  }
  const store = await openForCommand(settings)
  try {
    return await work(coreOf(store.db, store.keyring, operatorOf(settings)), settings)
  } finally {
    await store.db.close()
    await store.close()
  }
}

/** The account by id or name; without either, the only one that exists. */
export async function accountOf(core: Core, given: string | undefined): Promise<AccountRow> {
  const accounts = await listAccounts(core.db)
  if (given === undefined) {
    const [only, ...others] = accounts
    if (!only) throw new Refusal('There is no account yet. Make one: fyr account create --name "My clinic"')
    if (others.length > 0)
      throw new Refusal(
        `There are ${accounts.length} accounts; say which, by id or name (\`fyr account list\`; --help tells where it goes)`,
      )
    return only
  }
  const found = accounts.filter(({ id, name }) => id === given.toLowerCase() || name === given)
  const [account, another] = found
  if (!account) throw new Refusal(`There is no account ${given}. \`fyr account list\` shows them.`)
  if (another) throw new Refusal(`${found.length} accounts are named ${given}; give the id.`)
  return account
}
