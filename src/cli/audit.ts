import { existsSync, readFileSync } from 'node:fs'
import { Command } from 'commander'
import pc from 'picocolors'
import { type Checkpoint, linesOf, readCheckpoints, takeCheckpoint } from '../events/checkpoint.ts'
import type { Core } from '../events/core.ts'
import { type Verdict, verifyChain } from '../events/verify.ts'
import { checkpointFileOf } from '../settings.ts'
import { type AccountRow, DEPLOYMENT, listAccounts } from '../store/accounts.ts'
import { type AuditEntry, findHead, listAuditEntries } from '../store/audit.ts'
import { listReleases } from '../store/content/releases.ts'
import { momentText, REFUSED, Refusal, remark, show, table } from './print.ts'
import { accountOf, onStore } from './store.ts'

type ListOptions = {
  account?: string
  deployment?: boolean
  subject?: string
  session?: string
  after?: string
  limit: string
}
type Owner = Pick<AccountRow, 'id' | 'name'>
const THE_DEPLOYMENT: Owner = { id: DEPLOYMENT, name: 'the deployment' }
type Checked = { accountId: string; name: string } & Verdict

/** `fyr audit …`: who did or saw what, and whether that record is whole. */
export function auditCommand(): Command {
  const audit = new Command('audit').description('who did or saw what, and whether that record is whole')

  audit
    .command('list')
    .description('list audit entries: the last ones, or those after a number')
    .option('--account <account>', 'id or name; not needed when there is only one')
    .option('--deployment', 'those about the whole deployment: content that was published and activated')
    .option('--subject <id>', 'only those about one session, key, configuration …')
    .option('--session <id>', 'only those about one session: who saw what of it, and when')
    .option('--after <seq>', 'only those after this number')
    .option('--limit <number>', 'at most so many', '50')
    .action(
      async ({ account, deployment, session, subject = session, after, limit }: ListOptions, command: Command) => {
        const most = wholeNumber('--limit', limit)
        const entries = await onStore(async (core) => {
          const { id } = deployment ? THE_DEPLOYMENT : await accountOf(core, account)
          const first = after === undefined ? await startOfLast(core, id, subject, most) : wholeNumber('--after', after)
          return listAuditEntries(core.db, id, { afterSeq: first, subject: subject ?? null, limit: most })
        })
        show(command, entries.map(asJson), () => entriesTable(entries))
      },
    )

  audit
    .command('verify')
    .description('compute the chains anew and tell the first entry that was tampered with')
    .option('--account <account>', 'only this one; else all')
    .option('--checkpoint <file>', 'signed checkpoints, or a log that holds them; else those the service keeps')
    .action(async ({ account, checkpoint }: { account?: string; checkpoint?: string }, command: Command) => {
      const checked = await onStore(async (core, settings) => {
        const checkpoints = checkpointsOf(checkpoint, checkpointFileOf(settings))
        const owners = account === undefined ? await ownersOfChains(core) : [await accountOf(core, account)]
        return verifyAll(core, owners, checkpoints)
      })
      show(command, checked, () => checked.map(verdictText).join('\n'))
      if (checked.some(({ ok }) => !ok)) process.exitCode = REFUSED
    })

  audit
    .command('checkpoint')
    .description('print signed checkpoints of where the chains end now, one JSON line each, to keep elsewhere')
    .action(async (_options: unknown, command: Command) => {
      const checkpoints = await onStore(async (core) => {
        const taken: Checkpoint[] = []
        for (const { id } of await ownersOfChains(core)) {
          const one = await takeCheckpoint(core, id, new Date())
          if (one) taken.push(one)
        }
        return taken
      })
      show(command, checkpoints, () => linesOf(checkpoints).trimEnd())
    })

  return audit
}

/** Every account, and the deployment from its first release on. */
async function ownersOfChains(core: Core): Promise<Owner[]> {
  const accounts = await listAccounts(core.db)
  return (await listReleases(core.db)).length > 0 ? [...accounts, THE_DEPLOYMENT] : accounts
}

async function startOfLast(core: Core, accountId: string, subject: string | undefined, most: number): Promise<number> {
  if (subject !== undefined) return 0
  const head = await findHead(core.db, accountId)
  return Math.max(0, (head?.seq ?? 0) - most)
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Refusal(`${name} must be a whole number.`)
  return Number(text)
}

function checkpointsOf(given: string | undefined, kept: string | null): Checkpoint[] {
  const file = given ?? (kept && existsSync(kept) ? kept : null)
  if (file === null) {
    remark('No checkpoint is given and none is kept here: a chain whose end was cut off looks whole without one.')
    return []
  }
  if (!existsSync(file)) throw new Refusal(`There is no file ${file}.`)
  const checkpoints = readCheckpoints(readFileSync(file, 'utf8'))
  if (checkpoints.length === 0) throw new Refusal(`${file} holds no checkpoint.`)
  return checkpoints
}

/** A checkpoint of an account that is not there any more is a chain that is gone. */
async function verifyAll(core: Core, owners: readonly Owner[], checkpoints: Checkpoint[]): Promise<Checked[]> {
  const checked: Checked[] = []
  for (const { id, name } of owners)
    checked.push({ accountId: id, name, ...(await verifyChain(core, id, checkpoints)) })
  return checked
}

function verdictText({ name, accountId, ...verdict }: Checked): string {
  const who = `${name} (${accountId})`
  if (!verdict.ok) return `${pc.red('broken')}  ${who}: first at entry ${verdict.firstBadSeq}: ${verdict.fault}`
  const against =
    verdict.lastCheckpointSeq === null
      ? 'without a checkpoint'
      : `against ${verdict.checkpoints} checkpoint${verdict.checkpoints === 1 ? '' : 's'}, the last at entry ${verdict.lastCheckpointSeq}`
  return `${pc.green('whole')}   ${who}: ${verdict.entries} entries, ${against}`
}

function entriesTable(entries: readonly AuditEntry[]): string {
  return table(
    entries,
    [
      ['seq', ({ seq }) => String(seq)],
      ['at', ({ at }) => momentText(at)],
      ['who', ({ actor }) => actor],
      ['did', ({ action }) => action],
      ['to', ({ subject }) => subject],
      ['detail', ({ detail }) => detailText(detail)],
    ],
    'There is no such entry.',
  )
}

function detailText(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}

const asJson = ({ hash, ...entry }: AuditEntry) => ({ ...entry, hash: hash.toString('hex') })
