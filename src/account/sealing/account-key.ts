import type { Core } from '../../events/core.ts'
import { fail } from '../../problems.ts'
import { findAccount } from '../../store/accounts.ts'
import { PreconditionFailed, type Statement } from '../../store/database/db.ts'
import type { AccountKey } from '../../store/sealing/account-key.ts'
import { ADD_ACCOUNT_KEY, REMOVE_OLDER_KEYS, USE_ACCOUNT_KEY } from '../../store/sealing/account-keys.ts'

/** Every node reads an account again within five seconds: after this long all of them know a key that was added. */
export const KNOWN_AFTER_SECONDS = 6

const MOST_TRIES = 5

/** Adds a key to an account, the first step of replacing the one it has; null while an earlier replacement is under way. */
export async function addAccountKey(core: Core, accountId: string, actor: string): Promise<number | null> {
  return changed(core, accountId, actor, 'account.key-added', ADD_ACCOUNT_KEY, (key) => {
    const [only, ...others] = key.numbers
    if (only === undefined || others.length > 0) return null
    return { number: only + 1, next: key.with(only + 1) }
  })
}

/** From now on everything new of the account is sealed with its newest key. */
export async function useAccountKey(core: Core, accountId: string, number: number, actor: string): Promise<void> {
  await changed(core, accountId, actor, 'account.key-replaced', USE_ACCOUNT_KEY, (key) =>
    key.sealsWith === number ? null : { number, next: key.sealingWith(number) },
  )
}

/** Nothing is sealed with the older keys any more: they are deleted, unless this key has itself been replaced meanwhile. */
export async function removeOlderKeys(core: Core, accountId: string, number: number, actor: string): Promise<void> {
  await changed(core, accountId, actor, 'account.key-removed', REMOVE_OLDER_KEYS, (key) =>
    key.sealsWith === number && Math.max(...key.numbers) === number ? { number, next: key.alone() } : null,
  )
}

type Change = (key: AccountKey) => { number: number; next: AccountKey } | null

/** Changes an account's key as it is now; when somebody else was faster, what they left. Null when there is nothing to do. */
async function changed(
  core: Core,
  accountId: string,
  actor: string,
  action: string,
  statement: Statement,
  change: Change,
): Promise<number | null> {
  for (let tries = 1; ; tries++) {
    const { sealed_key: before } = (await findAccount(core.db, accountId)) ?? fail('configuration-not-found')
    const to = change(core.keyring.openAccountKey(accountId, before))
    if (!to) return null
    const after = core.keyring.changeAccountKey(accountId, before, () => to.next)
    const row = { number: to.number, before: before.toString('hex'), after: after.toString('hex') }
    const detail = { number: to.number }
    try {
      await core.recorder.record({
        accountId,
        actor,
        action,
        subject: accountId,
        detail,
        effects: [{ statement, row }],
      })
      return to.number
    } catch (error) {
      if (!(error instanceof PreconditionFailed) || tries === MOST_TRIES) throw error
    }
  }
}
