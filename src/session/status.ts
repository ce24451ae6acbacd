import { type AccessState, accessState } from '../account/access.ts'
import type { Core } from '../events/core.ts'
import { listAccounts } from '../store/accounts.ts'
import { findLastBackups, type LastBackups } from '../store/backup/last-backups.ts'
import { type DatabaseLook, lookAtDatabase } from '../store/database/look.ts'
import { listNodes } from '../store/deployment/nodes.ts'
import { longestOverdue } from '../store/left-alarms.ts'
import { measureWebhooks } from '../store/webhooks/watch.ts'
import { releaseOverviews } from './content/overview.ts'

const ALIVE_WITHIN_SECONDS = 30
const MOST_BEHIND_SECONDS = 60
const MOST_CONNECTIONS_USED = 0.9
const LONGEST_WAITING_SECONDS = 900
const LONGEST_OVERDUE_SECONDS = 180
const OLDEST_BACKUP_MS = 36 * 3_600_000

type NodeStatus = { host: string; pid: number; version: string; startedAt: Date; silentSeconds: number; alive: boolean }
export type AccountStatus = { id: string; name: string } & AccessState
type ReleaseStatus = { version: string; fault: string | null; everywhere: boolean; configurations: string[] }

/** The whole deployment at one look, for whoever is on call. */
export type Status = {
  version: string
  at: Date
  /** What somebody should look at, one sentence each; empty when all is well. */
  attention: string[]
  nodes: NodeStatus[]
  database: DatabaseLook
  webhooks: { waiting: number; oldestWaitingSeconds: number; dead: number; failing: number; stopped: number }
  leftAlarmOverdueSeconds: number
  releases: ReleaseStatus[]
  backups: LastBackups
  accounts: AccountStatus[]
}

/** Looks at everything at once. It reads no session and opens no seal. */
export async function statusOf(core: Core, version: string, at: Date): Promise<Status> {
  const { db } = core
  const [nodes, database, webhooks, leftAlarmOverdueSeconds, releases, backups, accounts] = await Promise.all([
    nodesOf(core),
    lookAtDatabase(db),
    webhooksOf(core),
    longestOverdue(db),
    releasesOf(core),
    findLastBackups(db),
    accountsOf(core),
  ])
  const seen = { nodes, database, webhooks, leftAlarmOverdueSeconds, releases, backups }
  return { version, at, attention: attentionTo(seen, at), ...seen, accounts }
}

async function nodesOf({ db }: Core): Promise<NodeStatus[]> {
  return (await listNodes(db)).map(({ host, pid, version, started_at: startedAt, silent_seconds: silentSeconds }) => {
    return { host, pid, version, startedAt, silentSeconds, alive: silentSeconds <= ALIVE_WITHIN_SECONDS }
  })
}

async function webhooksOf({ db }: Core): Promise<Status['webhooks']> {
  const { pending, oldest_seconds, failed, failing, disabled } = await measureWebhooks(db)
  return { waiting: pending, oldestWaitingSeconds: oldest_seconds, dead: failed, failing, stopped: disabled }
}

async function releasesOf(core: Core): Promise<ReleaseStatus[]> {
  return (await releaseOverviews(core)).map(({ version, fault, active }) => ({
    version,
    fault,
    everywhere: active.some(({ configuration }) => configuration === null),
    configurations: active.flatMap(({ configuration }) => configuration ?? []),
  }))
}

async function accountsOf(core: Core): Promise<AccountStatus[]> {
  const accounts = await listAccounts(core.db)
  return Promise.all(accounts.map(async ({ id, name }) => ({ id, name, ...(await accessState(core, id)) })))
}

type Seen = Omit<Status, 'version' | 'at' | 'attention' | 'accounts'>

/** Each sentence says what is wrong and, after a colon, where to look next. */
export function attentionTo(seen: Seen, at: Date): string[] {
  const { nodes, database, webhooks, leftAlarmOverdueSeconds, releases, backups } = seen
  const { made, failed } = backups
  const silent = nodes.filter(({ alive }) => !alive)
  const isActive = ({ everywhere, configurations }: ReleaseStatus) => everywhere || configurations.length > 0
  const slow = database.standbys.filter(({ behindSeconds }) => behindSeconds > MOST_BEHIND_SECONDS)
  const findings: [isWrong: boolean, sentence: string][] = [
    [!nodes.some(({ alive }) => alive), 'no node is running: start the service, its log says what stops it'],
    [silent.length > 0, `nodes that fell silent: ${silent.map(({ host, pid }) => `${host} (${pid})`).join(', ')}`],
    [database.isStandby, 'the database is a standby and takes no writes: point DATABASE_URL at the primary'],
    [slow.length > 0, `standbys far behind: ${slow.map(({ name }) => name).join(', ')}`],
    [
      database.connections > database.mostConnections * MOST_CONNECTIONS_USED,
      'the database has few connections left: raise max_connections, or run fewer processes',
    ],
    [leftAlarmOverdueSeconds > LONGEST_OVERDUE_SECONDS, 'emergencies that were left are not ended: look at the log'],
    [
      webhooks.oldestWaitingSeconds > LONGEST_WAITING_SECONDS,
      'a webhook delivery has waited for long: fyr webhook deliveries --state pending',
    ],
    [webhooks.dead > 0, 'webhook deliveries were given up: fyr webhook replay --since 7d'],
    [webhooks.failing > 0, 'webhook receivers are failing: fyr webhook show'],
    [webhooks.stopped > 0, 'webhooks were stopped, as their receivers failed or are gone: fyr webhook enable'],
    [!releases.some(({ everywhere }) => everywhere), 'no content release is active: fyr content releases'],
    [
      releases.some((release) => release.fault !== null && isActive(release)),
      'an active content release is refused: fyr content verify',
    ],
    [
      made !== null && at.getTime() - made.at.getTime() > OLDEST_BACKUP_MS,
      'the last backup is older than a day and a half: fyr backup create',
    ],
    [
      failed !== null && failed.at.getTime() > (made?.at.getTime() ?? 0),
      'the last try to make a backup failed: fyr backup create says why',
    ],
  ]
  return findings.flatMap(([isWrong, sentence]) => (isWrong ? sentence : []))
}
