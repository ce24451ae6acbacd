import { confirm, isCancel } from '@clack/prompts'
import { Command } from 'commander'
import { configurationOf } from '../account/provision.ts'
import { eraseWithFiles } from '../session/upkeep/erase.ts'
import { type ListedSession, listSessions } from '../store/listing.ts'
import { objectsOf } from '../store/objects.ts'
import { SESSION_STATUSES } from '../store/sessions.ts'
import { fields, momentText, Refusal, remark, show, table } from './print.ts'
import { exportCommand } from './session/export.ts'
import { type Found, sessionOf, UUID } from './session/find.ts'
import { logCommand } from './session/log.ts'
import { onStore } from './store.ts'

type ListOptions = { configuration: string; status?: string; limit: string }

/** `fyr session …`: sessions without what the patient said, except in an export, which is audited. */
export function sessionCommand(): Command {
  const session = new Command('session').description('sessions; what the patients said is only in an export')

  session
    .command('list')
    .description('list the sessions of a configuration, newest first')
    .requiredOption('--configuration <slug>', 'whose sessions')
    .option('--status <status>', SESSION_STATUSES.join(', '))
    .option('--limit <number>', 'at most so many', '50')
    .action(async ({ configuration, status, limit }: ListOptions, command: Command) => {
      const wanted = { status: statusOf(status), limit: limitOf(limit) }
      const rows = await onStore(async (core) => {
        const { account_id: accountId, id } = await configurationOf(core, configuration)
        const always = { start: null, end: null }
        const wish = { ...wanted, created: always, completed: always, after: null }
        return (await listSessions(core.db.lists(accountId), accountId, id, wish)).sessions
      })
      show(command, rows.map(listedAsJson), () =>
        table(
          rows,
          [
            ['id', ({ id }) => id],
            ['status', (row) => row.status],
            ['created', (row) => momentText(row.created_at)],
            ['started', (row) => momentText(row.started_at)],
            ['completed', (row) => momentText(row.completed_at)],
          ],
          'There is no such session.',
        ),
      )
    })

  session
    .command('show')
    .description('show one session; what the patient said is only in an export and over the interface, both audited')
    .argument('<id>', 'its id, or the reference that the patient reads from the page')
    .action(async (id: string, _options: unknown, command: Command) => {
      const found = await onStore((core) => sessionOf(core, id))
      show(command, asJson(found), () => described(found))
    })

  session.addCommand(exportCommand())
  session.addCommand(logCommand())

  session
    .command('erase')
    .description('erase what a session holds, for good: its key is deleted, counts and audit stay')
    .argument('<id>')
    .option('--yes', 'do not ask')
    .action(async (id: string, { yes }: { yes?: boolean }, command: Command) => {
      if (!UUID.test(id)) throw new Refusal(`${id} is not the id of a session.`)
      await onStore(async (core, settings) => {
        const found = await sessionOf(core, id)
        if (!yes) await makeSure(found)
        const { accountId, row } = found
        const { filesDeleted } = await eraseWithFiles(core, objectsOf(settings), accountId, row.id, core.operator)
        if (!filesDeleted)
          remark(
            'Its files in the object store could not be deleted now; the running service tries again every minute.',
          )
      })
      show(command, { id: id.toLowerCase(), erased: true }, () => `The session ${id.toLowerCase()} is erased.`)
    })

  return session
}

async function makeSure({ row, slug }: Found): Promise<void> {
  if (!process.stdin.isTTY) throw new Refusal('Erasing cannot be undone: say --yes.')
  const answer = await confirm({
    message: `Erase the session of ${momentText(row.created_at)} in ${slug}? It cannot be undone.`,
    initialValue: false,
  })
  if (isCancel(answer) || !answer) throw new Refusal('Nothing was erased.')
}

function statusOf(given: string | undefined) {
  if (given === undefined) return null
  const found = SESSION_STATUSES.find((status) => status === given)
  if (!found) throw new Refusal(`--status must be one of ${SESSION_STATUSES.join(', ')}.`)
  return found
}

function limitOf(given: string): number {
  if (!/^\d{1,6}$/.test(given) || Number(given) < 1) throw new Refusal('--limit must be a whole number from 1.')
  return Number(given)
}

function listedAsJson(row: ListedSession) {
  return {
    sessionId: row.id,
    sessionStatus: row.status,
    sessionCreatedTimestamp: row.created_at,
    userStartedTimestamp: row.started_at,
    sessionCompletedTimestamp: row.completed_at,
  }
}

function asJson({ accountId, slug, row }: Found) {
  const { language, flow, content_version: contentVersion, enter_until: enterUntil, active_until: activeUntil } = row
  return {
    ...listedAsJson(row),
    accountId,
    configuration: slug,
    language,
    flow,
    contentVersion,
    enterUntil,
    activeUntil,
  }
}

function described({ accountId, slug, row }: Found): string {
  return fields([
    ['id', row.id],
    ['account', accountId],
    ['configuration', slug],
    ['status', row.status],
    ['created', momentText(row.created_at)],
    ['started', momentText(row.started_at)],
    ['completed', momentText(row.completed_at)],
    ['can be entered until', momentText(row.enter_until)],
    ['can be continued until', momentText(row.active_until)],
    ['language', row.language],
    ['flow', row.flow],
    ['content', row.content_version ?? '–'],
  ])
}
