import { existsSync, readFileSync } from 'node:fs'
import { Command } from 'commander'
import pc from 'picocolors'
import { type VerifiedAccount, verifyAccounts } from '../account/verify.ts'
import type { Changes } from '../events/changes.ts'
import { type Checkpoint, isGenuine, linesOf, readCheckpoints, takeCheckpoint } from '../events/checkpoint.ts'
import type { Core } from '../events/core.ts'
import { type Verdict, verifyChain } from '../events/verify.ts'
import { type Deviation, verifySessions } from '../session/verify.ts'
import { checkpointFileOf } from '../settings.ts'
import { type AccountRow, DEPLOYMENT, listAccounts } from '../store/accounts.ts'
import { type AuditEntry, findHead, listAuditEntries } from '../store/audit.ts'
import { findTrimmed } from '../store/audit-trims.ts'
import { listReleases } from '../store/content/releases.ts'
import { isConfined } from '../store/deployment/role-accounts.ts'
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
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Owner = Pick<AccountRow, 'id' | 'name'>
const THE_DEPLOYMENT: Owner = { id: DEPLOYMENT, name: 'the deployment' }
/** The result of checking an account: whether it should exist, its chain, and its sessions. */
export type Checked = {
  accountId: string
  name: string
  ok: boolean
  fault: string | null
  chain: Verdict
  sessions: number
  /** Whether the sessions were opened; the database role of an auditor may not. */
  opened: boolean
  notAsRecorded: Deviation[]
}

/** `fyr audit …`: who did or saw what, and whether that record is intact. */
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
          const { id } = deployment ? THE_DEPLOYMENT : await ownerOf(core, account)
          const first = after === undefined ? await startOfLast(core, id, subject, most) : wholeNumber('--after', after)
          return listAuditEntries(core.db, id, { afterSeq: first, subject: subject ?? null, limit: most })
        })
        show(command, entries.map(asJson), () => entriesTable(entries))
      },
    )

  audit
    .command('verify')
    .description('compute the chains anew, hold sessions and accounts against them, and tell what was tampered with')
    .option('--account <account>', 'only this one; else all')
    .option('--checkpoint <file>', 'signed checkpoints, or a log that holds them; else those the service keeps')
    .action(async ({ account, checkpoint }: { account?: string; checkpoint?: string }, command: Command) => {
      const checked = await onStore(async (core, settings) => {
        const checkpoints = checkpointsOf(checkpoint, checkpointFileOf(settings))
        return verifyAll(core, checkpoints, account === undefined ? null : (await accountOf(core, account)).id)
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

/** Every account, and the deployment once it has an account or a release. */
async function ownersOfChains(core: Core): Promise<Owner[]> {
  const accounts = await listAccounts(core.db)
  const hasBegun = accounts.length > 0 || (await listReleases(core.db)).length > 0
  return hasBegun ? [...accounts, THE_DEPLOYMENT] : []
}

/** An account by its id, also a removed one: its audit entries remain. */
async function ownerOf(core: Core, account: string | undefined): Promise<{ id: string }> {
  const id = account?.toLowerCase() ?? ''
  return UUID.test(id) && (await findHead(core.db, id)) ? { id } : accountOf(core, account)
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

/** Every account that exists, is on record or is in a checkpoint, and the deployment; or only one of them. */
export async function verifyAll(core: Core, checkpoints: Checkpoint[], only: string | null): Promise<Checked[]> {
  if (await isConfined(core.db))
    throw new Refusal('This database role sees some accounts only. Verifying takes the role of an auditor or operator.')
  const genuine = checkpoints.filter((checkpoint) => isGenuine(core, checkpoint))
  const accounts = await verifyAccounts(
    core,
    genuine.map(({ accountId }) => accountId),
  )
  const hasDeployment = accounts.length > 0 || (await listReleases(core.db)).length > 0
  const owners = hasDeployment ? [...accounts, { ...THE_DEPLOYMENT, isReadable: false, fault: null }] : accounts
  const checked: Checked[] = []
  for (const owner of owners.filter(({ id }) => only === null || id === only))
    checked.push(await verifyOne(core, owner, checkpoints))
  return checked
}

/** The chain of an account that was removed stays; its sessions are gone. If it is trimmed meanwhile, everything is looked at again. */
async function verifyOne(core: Core, account: VerifiedAccount, checkpoints: Checkpoint[]): Promise<Checked> {
  const { id, name, isReadable, fault } = account
  const before = await findTrimmed(core.db, id)
  const chain = await verifyChain(core, id, checkpoints)
  const { sessions, opened, notAsRecorded } = isReadable
    ? await verifySessions(core, id, chain.ok ? chain.trimmed : null)
    : { sessions: 0, opened: true, notAsRecorded: [] }
  if ((await findTrimmed(core.db, id))?.seq !== before?.seq) return verifyOne(core, account, checkpoints)
  const ok = fault === null && chain.ok && notAsRecorded.length === 0
  return { accountId: id, name, ok, fault, chain, sessions, opened, notAsRecorded }
}

export function verdictText(checked: Checked): string {
  const who = `${checked.name} (${checked.accountId})`
  const { chain } = checked
  const faults = [
    ...(checked.fault === null ? [] : [checked.fault]),
    ...(chain.ok ? [] : [`first at entry ${chain.firstBadSeq}: ${chain.fault}`]),
    ...checked.notAsRecorded.map(({ session, what }) => `session ${session} ${what}`),
  ]
  if (faults.length > 0 || !chain.ok) return faults.map((fault) => `${pc.red('broken')}  ${who}: ${fault}`).join('\n')
  const against =
    chain.lastCheckpointSeq === null
      ? 'without a checkpoint'
      : `against ${chain.checkpoints} checkpoint${chain.checkpoints === 1 ? '' : 's'}, the last at entry ${chain.lastCheckpointSeq}`
  const unopened = checked.opened ? '' : ', held against the entries and not opened: this database role may not'
  return `${pc.green('whole')}   ${who}: ${entriesText(chain)}, ${against}; ${checked.sessions} sessions${unopened}`
}

function entriesText({ entries, trimmed }: Extract<Verdict, { ok: true }>): string {
  if (!trimmed) return `${entries} entries`
  const [until, at] = [trimmed.until, trimmed.at].map((moment) => moment.slice(0, 10))
  return `entries ${trimmed.upTo + 1} to ${entries} (those before, until ${until}, were removed by retention on ${at})`
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

function detailText({ changes, ...detail }: Record<string, unknown>): string {
  const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const told = Object.entries(detail)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${plain(value)}`)
  const changed = Object.entries((changes ?? {}) as Changes).map(
    ([name, { from, to }]) => `${name}: ${plain(from)} → ${plain(to)}`,
  )
  return [...told, ...changed].join(' ')
}

const asJson = ({ hash, ...entry }: AuditEntry) => ({ ...entry, hash: hash.toString('hex') })
