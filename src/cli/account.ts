import { confirm, isCancel } from '@clack/prompts'
import { Command } from 'commander'
import { DAYS, readCap, readHours } from '../account/hours.ts'
import { type AccountChange, changeAccount, createAccount } from '../account/provision.ts'
import { removeAccount } from '../session/upkeep/remove-account.ts'
import type { AccountRow } from '../store/accounts.ts'
import { findAccount, listAccounts } from '../store/accounts.ts'
import { listConfigurations } from '../store/configurations.ts'
import { objectsOf } from '../store/objects.ts'
import { offboardCommand } from './account/offboard.ts'
import { jsonFile } from './json-file.ts'
import { fields, momentText, Refusal, show, table, yesNo } from './print.ts'
import { accountOf, onStore } from './store.ts'

type Change = { name?: string; timeZone?: string; active?: boolean; hours?: string; cap?: string }

const HOURS_HELP = `
Hours are a JSON file: spans for each weekday, and days that differ. A span that ends before it begins runs past midnight.
  { "week": { "monday": [{ "from": "08:00", "to": "16:00" }], "tuesday": [], … all seven … },
    "exceptions": [{ "date": "2027-12-24", "spans": [] }],
    "holidays": { "country": "FI", "hours": "closed", "eves": true } }
On public holidays of FI, NO or SE it is closed, or has the hours of a sunday; eves are Midsummer Eve and the like. An
exception comes before a holiday. What comes of it: fyr access preview. All of an account in one file: fyr apply.`

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
    .description('change the name, time zone, hours or cap, or take an account out of service')
    .argument('[account]', 'id or name; not needed when there is only one')
    .option('--name <name>', 'another name')
    .option('--time-zone <zone>', 'another time zone')
    .option('--active', 'let users in again')
    .option('--no-active', 'let no users in, whatever else is open')
    .option('--hours <file>', 'monitored hours from a JSON file; none takes them away')
    .option('--cap <cap>', 'the most sessions: daily:<number>, ongoing:<number> or none')
    .addHelpText('after', HOURS_HELP)
    .action(async (given: string | undefined, wanted: Change, command: Command) => {
      const change = changeOf(wanted)
      if (Object.keys(change).length === 0)
        throw new Refusal('Nothing to change: give --name, --time-zone, --active, --no-active, --hours or --cap.')
      const row = await onStore(async (core) => {
        const { id } = await accountOf(core, given)
        await changeAccount(core, id, change)
        return findAccount(core.db, id)
      })
      if (!row) throw new Refusal('The account is gone.')
      show(command, asJson(row), () => described(row, null))
    })

  account
    .command('remove')
    .description('remove an account with all its sessions, files and keys, for good; its audit entries stay')
    .argument('<account>', 'id or name')
    .option('--yes', 'do not ask')
    .action(async (given: string, { yes }: { yes?: boolean }, command: Command) => {
      const { row, sessions } = await onStore(async (core, settings) => {
        const row = await accountOf(core, given)
        if (row.active) throw new Refusal('It is in service. Take it out first: fyr account change --no-active')
        if (!yes) await makeSure(row)
        return { row, ...(await removeAccount(core, objectsOf(settings), row.id)) }
      })
      show(
        command,
        { id: row.id, removed: true, sessions },
        () =>
          `The account ${row.name} (${row.id}) is removed, with ${sessions} ${sessions === 1 ? 'session' : 'sessions'}.`,
      )
    })

  account.addCommand(offboardCommand())
  return account
}

async function makeSure({ name }: AccountRow): Promise<void> {
  if (!process.stdin.isTTY) throw new Refusal('Removing cannot be undone: say --yes.')
  const message = `Remove the account ${name} with all its sessions? It cannot be undone.`
  const answer = await confirm({ message, initialValue: false })
  if (isCancel(answer) || !answer) throw new Refusal('Nothing was removed.')
}

/** The requested changes; hours and cap are validated where they are stored. */
function changeOf({ name, timeZone, active, hours, cap }: Change): AccountChange {
  return {
    ...(name && { name }),
    ...(timeZone && { timeZone }),
    ...(active !== undefined && { active }),
    ...(hours !== undefined && { monitoredHours: hours === 'none' ? null : jsonFile(hours) }),
    ...(cap !== undefined && { cap: cap === 'none' ? null : capOf(cap) }),
  }
}

function capOf(text: string): unknown {
  const [kind, most] = text.split(':')
  return { kind, most: Number(most) }
}

function asJson(row: AccountRow) {
  return {
    id: row.id,
    name: row.name,
    active: row.active,
    timeZone: row.time_zone,
    monitoredHours: row.monitored_hours,
    cap: row.cap,
    createdAt: row.created_at,
  }
}

function hoursText(row: AccountRow): string {
  const hours = readHours(row.monitored_hours)
  if (!hours) return 'always'
  const days = DAYS.map(
    (day) => `${day.slice(0, 3)} ${hours.week[day].map(({ from, to }) => `${from}–${to}`).join(' ') || '–'}`,
  )
  const others = hours.exceptions.length
  const holidays = hours.holidays ? `; holidays of ${hours.holidays.country}: ${hours.holidays.hours}` : ''
  return `${days.join(', ')}${others ? `; ${others} days differ` : ''}${holidays}`
}

function capText(row: AccountRow): string {
  const cap = readCap(row.cap)
  return cap ? `${cap.most} ${cap.kind === 'daily' ? 'a day' : 'at once'}` : 'none'
}

function described(row: AccountRow, slugs: readonly string[] | null): string {
  return fields([
    ['name', row.name],
    ['id', row.id],
    ['active', yesNo(row.active)],
    ['time zone', row.time_zone],
    ['hours', hoursText(row)],
    ['cap', capText(row)],
    ['created', momentText(row.created_at)],
    ...(slugs ? [['configurations', slugs.join(', ') || 'none'] as const] : []),
  ])
}
