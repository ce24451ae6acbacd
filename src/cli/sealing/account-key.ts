import { setTimeout as wait } from 'node:timers/promises'
import { Command } from 'commander'
import { addAccountKey, KNOWN_AFTER_SECONDS, useAccountKey } from '../../account/sealing/account-key.ts'
import { type AccountRow, listAccounts } from '../../store/accounts.ts'
import { type KeyProgress, listKeyProgress } from '../../store/sealing/account-keys.ts'
import { momentText, Refusal, remark, show, table } from '../print.ts'
import { accountOf, onStore } from '../store.ts'

type RotateOptions = { all?: boolean }

/** `fyr account-key …`: the keys that wrap the keys of an account's sessions. */
export function accountKeyCommand(): Command {
  const accountKey = new Command('account-key').description('the keys that wrap the keys of an account’s sessions')

  accountKey
    .command('rotate')
    .description('replace an account’s key: new data at once, what is stored in the background while the service runs')
    .argument('[account]', 'id or name; not needed when there is only one')
    .option('--all', 'of every account')
    .action(async (given: string | undefined, options: RotateOptions, command: Command) => {
      const added = await onStore(async (core) => {
        const accounts = options.all ? await listAccounts(core.db) : [await accountOf(core, given)]
        const added: { account: AccountRow; number: number | null }[] = []
        for (const account of accounts)
          added.push({ account, number: await addAccountKey(core, account.id, core.operator) })
        if (added.every(({ number }) => number === null)) return added
        remark(`Every node learns of the new key, ${KNOWN_AFTER_SECONDS} seconds …`)
        await wait(KNOWN_AFTER_SECONDS * 1_000)
        for (const { account, number } of added)
          if (number) await useAccountKey(core, account.id, number, core.operator)
        return added
      })
      if (added.length === 1 && added[0]?.number === null)
        throw new Refusal(
          'The key of this account is being replaced already. `fyr account-key progress` shows how far that is.',
        )
      show(
        command,
        added.map(({ account, number }) => ({ account: account.id, name: account.name, number })),
        () => added.map(rotatedText).join('\n'),
      )
    })

  accountKey
    .command('progress')
    .description('show how far each account’s key has been replaced')
    .action(async (_options: unknown, command: Command) => {
      const rows = await onStore((core) => listKeyProgress(core.db))
      show(command, rows.map(asJson), () =>
        table(
          rows,
          [
            ['account', ({ name }) => name],
            ['key', ({ number }) => String(number)],
            ['seals since', ({ used_since: since }) => momentText(since)],
            ['sealed anew', progressText],
          ],
          'There is no account yet.',
        ),
      )
    })

  return accountKey
}

const rotatedText = ({ account, number }: { account: AccountRow; number: number | null }): string =>
  number === null
    ? `The key of ${account.name} was being replaced already.`
    : `New data of ${account.name} is sealed with key ${number}. What is stored is sealed anew while the service runs: fyr account-key progress`

/** New values may be met on the way, so that more are done than were counted. */
function progressText({ number, total, resealed, resealed_at: doneAt }: KeyProgress): string {
  if (number === 1) return '–'
  if (doneAt) return `all (${resealed}), and the old key is deleted, ${momentText(doneAt)}`
  if (total === null && resealed === 0) return 'not begun: a minute after it seals'
  return total === null ? `${resealed}` : `${resealed} of ${Math.max(total, resealed)}`
}

const asJson = (row: KeyProgress) => ({
  account: row.account_id,
  name: row.name,
  number: row.number,
  addedAt: row.added_at,
  sealsSince: row.used_since,
  total: row.total,
  resealed: row.resealed,
  resealedAt: row.resealed_at,
})
