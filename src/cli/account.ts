import { Command } from 'commander'
import { changeAccount, createAccount } from '../account/provision.ts'
import type { AccountRow } from '../store/accounts.ts'
import { findAccount, listAccounts } from '../store/accounts.ts'
import { listConfigurations } from '../store/configurations.ts'
import { fields, momentText, Refusal, show, table, yesNo } from './print.ts'
import { accountOf, onStore } from './store.ts'

type Change = { account?: string; name?: string; timeZone?: string; active?: boolean }

/** `fyr account …`: the customer organisations of this deployment. */
export function accountCommand(): Command {
  const account = new Command('account').description('the customer organisations of this deployment')

  account
    .command('create')
    .description('add an account')
    .requiredOption('--name <name>', 'what people call it')
    .option('--time-zone <zone>', 'IANA time zone', 'Europe/Helsinki')
    .action(async ({ name, timeZone }: { name: string; timeZone: string }, command: Command) => {
      const { id } = await onStore((core) => createAccount(core, name, timeZone), { mayBegin: true })
      show(command, { id, name, timeZone }, () => `Made the account ${name} (${id}).`)
    })

  account
    .command('list')
    .description('list all accounts')
    .action(async (_options: unknown, command: Command) => {
      const rows = await onStore((core) => listAccounts(core.db))
      show(command, rows.map(asJson), () =>
        table(
          rows,
          [
            ['id', ({ id }) => id],
            ['name', ({ name }) => name],
            ['active', ({ active }) => yesNo(active)],
            ['time zone', (row) => row.time_zone],
            ['created', (row) => momentText(row.created_at)],
          ],
          'There is no account yet. Make one: fyr account create --name "My clinic"',
        ),
      )
    })

  account
    .command('show')
    .description('show one account')
    .argument('[account]', 'id or name; not needed when there is only one')
    .action(async (given: string | undefined, _options: unknown, command: Command) => {
      const { row, slugs } = await onStore(async (core) => {
        const row = await accountOf(core, given)
        return { row, slugs: (await listConfigurations(core.db, row.id)).map(({ slug }) => slug) }
      })
      show(command, { ...asJson(row), configurations: slugs }, () => described(row, slugs))
    })

  account
    .command('change')
    .description('change the name or time zone, or take an account out of service')
    .argument('[account]', 'id or name; not needed when there is only one')
    .option('--name <name>', 'another name')
    .option('--time-zone <zone>', 'another time zone')
    .option('--active', 'let users in again')
    .option('--no-active', 'let no users in, whatever else is open')
    .action(async (given: string | undefined, { name, timeZone, active }: Change, command: Command) => {
      if (name === undefined && timeZone === undefined && active === undefined)
        throw new Refusal('Nothing to change: give --name, --time-zone, --active or --no-active.')
      const row = await onStore(async (core) => {
        const { id } = await accountOf(core, given)
        const change = { ...(name && { name }), ...(timeZone && { timeZone }), ...(active !== undefined && { active }) }
        await changeAccount(core, id, change)
        return findAccount(core.db, id)
      })
      if (!row) throw new Refusal('The account is gone.')
      show(command, asJson(row), () => described(row, null))
    })

  return account
}

function asJson(row: AccountRow) {
  return { id: row.id, name: row.name, active: row.active, timeZone: row.time_zone, createdAt: row.created_at }
}

function described(row: AccountRow, slugs: readonly string[] | null): string {
  return fields([
    ['name', row.name],
    ['id', row.id],
    ['active', yesNo(row.active)],
    ['time zone', row.time_zone],
    ['created', momentText(row.created_at)],
    ...(slugs ? [['configurations', slugs.join(', ') || 'none'] as const] : []),
  ])
}
