import { confirm, isCancel } from '@clack/prompts'
import { Command } from 'commander'
import { configurationOf } from '../account/provision.ts'
import type { Core } from '../events/core.ts'
import { eraseSession, removeLeftObjects } from '../session/upkeep/erase.ts'
import { listAccounts } from '../store/accounts.ts'
import { listConfigurations } from '../store/configurations.ts'
import { findByReference, readReference } from '../store/contact.ts'
import { type ListedSession, listSessions } from '../store/listing.ts'
import { objectsOf } from '../store/objects.ts'
import { findSessionOfAccount, SESSION_STATUSES, type SessionRow } from '../store/sessions.ts'
import { fields, momentText, Refusal, remark, show, table } from './print.ts'
import { onStore } from './store.ts'

type Found = { accountId: string; slug: string; row: SessionRow }
type ListOptions = { configuration: string; status?: string; limit: string }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `fyr session …`: everything known of a session except what the patient said. */
export function sessionCommand(): Command {
  const session = new Command('session').description('sessions, without what the patients said')

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
    .description('show one session; what the patient said is only read over the interface, which is audited')
    .argument('<id>', 'its id, or the reference that the patient reads from the page')
    .action(async (id: string, _options: unknown, command: Command) => {
      const found = await onStore((core) => sessionOf(core, id))
      show(command, asJson(found), () => described(found))
    })

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
        await eraseSession(core, found.accountId, found.row.id, 'operator')
        const objects = objectsOf(settings)
        if (!objects) return
        await removeLeftObjects(core, objects, found.accountId).catch(() =>
          remark(
            'Its files in the object store could not be deleted now; the running service tries again every minute.',
          ),
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

async function sessionOf(core: Core, given: string): Promise<Found> {
  const id = UUID.test(given) ? given.toLowerCase() : await idBehind(core, given)
  for (const account of await listAccounts(core.db)) {
    const row = await findSessionOfAccount(core.db, account.id, id)
    if (!row) continue
    const configurations = await listConfigurations(core.db, account.id)
    const slug = configurations.find((one) => one.id === row.configuration_id)?.slug ?? '–'
    return { accountId: account.id, slug, row }
  }
  throw new Refusal('There is no such session; perhaps it was erased.')
}

/** The session id behind a patient's short reference; two sessions may share one by chance. */
async function idBehind(core: Core, given: string): Promise<string> {
  const reference = readReference(given)
  if (reference === null) throw new Refusal(`${given} is not the id or the reference of a session.`)
  const ids: string[] = []
  for (const account of await listAccounts(core.db))
    ids.push(...(await findByReference(core.db, account.id, reference)).map(({ id }) => id))
  const [id] = ids
  if (id === undefined) throw new Refusal('There is no such session; perhaps it was erased.')
  if (ids.length > 1) throw new Refusal(`Several sessions have this reference: ${ids.join(', ')}.`)
  return id
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
