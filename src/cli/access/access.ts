import { Command } from 'commander'
import { CLOSED_REASONS, type ClosedReason, checkedEnd, closeAccess, openAccess } from '../../account/access.ts'
import { accessOutlook } from '../../account/opening/outlook.ts'
import { accessPreview } from '../../account/opening/preview.ts'
import type { Core } from '../../events/core.ts'
import type { AccountRow } from '../../store/accounts.ts'
import { durationSeconds } from '../duration.ts'
import { Refusal, show } from '../print.ts'
import { accountOf, onStore } from '../store.ts'
import { outlookText, previewJson, previewText } from './outlook-text.ts'

const MOST_DAYS = 366

type CloseOptions = { reason: string; until?: string }

/** `fyr access …`: whether an account is open for users, why, and what comes. */
export function accessCommand(): Command {
  const access = new Command('access').description('whether an account is open for users, why, and until when')

  ofAccount(access.command('show'))
    .description('show whether it is open, why, since when, and the next change')
    .action(async (given: string | undefined, _options: unknown, command: Command) => tell(given, command))

  ofAccount(access.command('open'))
    .description('open it by hand; hours and cap take over again by themselves, and it is told when')
    .action(async (given: string | undefined, _options: unknown, command: Command) =>
      tell(given, command, (core, { id }) => openAccess(core, id, core.operator)),
    )

  ofAccount(access.command('close'))
    .description('close it by hand, until it is opened by hand or until a given moment')
    .option('--reason <reason>', CLOSED_REASONS.join(', '), 'Other')
    .option('--until <moment>', 'when it ends by itself: 90m, 4h, 2d; 2027-01-31T08:00 in the account’s time zone')
    .action(async (given: string | undefined, { reason, until }: CloseOptions, command: Command) => {
      const why = reasonOf(reason)
      await tell(given, command, (core, row) =>
        closeAccess(
          core,
          row.id,
          core.operator,
          why,
          until === undefined ? null : checkedEnd(momentOf(until, row.time_zone)),
        ),
      )
    })

  ofAccount(access.command('preview'))
    .description('show the days to come: hours, holidays, exceptions and changes of the clock')
    .option('--days <number>', 'how many', '14')
    .action(async (given: string | undefined, { days }: { days: string }, command: Command) => {
      const { row, ahead } = await onStore(async (core) => {
        const row = await accountOf(core, given)
        return { row, ahead: await accessPreview(core, row.id, daysOf(days)) }
      })
      show(command, previewJson(row, ahead), () => previewText(row, ahead))
    })

  return access
}

const ofAccount = (command: Command): Command =>
  command.argument('[account]', 'id or name; not needed when there is only one')

/** Does something to an account, if anything, and shows how it stands then. */
async function tell(
  given: string | undefined,
  command: Command,
  act: (core: Core, account: AccountRow) => Promise<unknown> = async () => {},
): Promise<void> {
  const { row, outlook } = await onStore(async (core) => {
    const row = await accountOf(core, given)
    await act(core, row)
    return { row, outlook: await accessOutlook(core, row.id) }
  })
  show(command, { id: row.id, name: row.name, ...outlook }, () => outlookText(row.name, outlook))
}

function reasonOf(text: string): ClosedReason {
  const reason = CLOSED_REASONS.find((known) => known === text)
  if (!reason) throw new Refusal(`--reason must be one of ${CLOSED_REASONS.join(', ')}.`)
  return reason
}

/** A duration from now, a timestamp with its offset, or a local date and time of the account. */
function momentOf(text: string, timeZone: string): Date {
  if (/^\d+[smhd]$/.test(text)) return new Date(Date.now() + durationSeconds(text) * 1_000)
  try {
    const isExact = /(z|[+-]\d\d:?\d\d)$/i.test(text)
    const at = isExact
      ? Temporal.Instant.from(text)
      : Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).toInstant()
    return new Date(at.epochMilliseconds)
  } catch {
    throw new Refusal(`${text} is no moment: write 90m, 4h, 2d or a date and time such as 2027-01-31T08:00.`)
  }
}

function daysOf(text: string): number {
  const days = Number(text)
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
    throw new Refusal(`--days must be a number from 1 to ${MOST_DAYS}.`)
  return days
}
