import { type AccessState, accessState } from '../account/access.ts'
import type { Core } from '../events/core.ts'
import { listAccounts } from '../store/accounts.ts'
import { findLastBackups, type LastBackups } from '../store/backup/last-backups.ts'
import { type DatabaseLook, lookAtDatabase } from '../store/database/look.ts'
import { listNodes } from '../store/deployment/nodes.ts'
import { longestOverdue } from '../store/left-alarms.ts'
import { MAIN_ENDPOINT } from '../store/webhooks/endpoints.ts'
import { listWebhookTroubles, measureWebhooks, type WebhookTrouble } from '../store/webhooks/watch.ts'
import { releaseOverviews } from './content/overview.ts'

const ALIVE_WITHIN_SECONDS = 30
const MOST_BEHIND_SECONDS = 60
const MOST_CONNECTIONS_USED = 0.9
const LONGEST_WAITING_SECONDS = 900
const LONGEST_OVERDUE_SECONDS = 180
const OLDEST_BACKUP_MS = 36 * 3_600_000

type NodeStatus = {
  host: string
  pid: number
  version: string
  startedAt: Date
  seenAt: Date
  silentSeconds: number
  alive: boolean
}
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
  webhooks: {
    waiting: number
    oldestWaitingSeconds: number
    dead: number
    failing: number
    stopped: number
    troubles: readonly WebhookTrouble[]
  }
  /** Whether the disk of an embedded database has room to write; null where there is none. */
  hasRoom: boolean | null
  leftAlarmOverdueSeconds: number
  releases: ReleaseStatus[]
  backups: LastBackups
  accounts: AccountStatus[]
}

/** Looks at everything at once. It reads no session and opens no seal. */
export async function statusOf(core: Core, version: string, at: Date, hasRoom: boolean | null = null): Promise<Status> {
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
  const seen = { nodes, database, webhooks, hasRoom, leftAlarmOverdueSeconds, releases, backups }
  return { version, at, attention: attentionTo(seen, at), ...seen, accounts }
}

async function nodesOf({ db }: Core): Promise<NodeStatus[]> {
  return (await listNodes(db)).map(({ host, pid, version, started_at, seen_at, silent_seconds: silentSeconds }) => {
    const alive = silentSeconds <= ALIVE_WITHIN_SECONDS
    return { host, pid, version, startedAt: started_at, seenAt: seen_at, silentSeconds, alive }
  })
}

async function webhooksOf({ db }: Core): Promise<Status['webhooks']> {
  const { pending, oldest_seconds, failed, failing, disabled } = await measureWebhooks(db)
  const troubles = await listWebhookTroubles(db, LONGEST_WAITING_SECONDS)
  return { waiting: pending, oldestWaitingSeconds: oldest_seconds, dead: failed, failing, stopped: disabled, troubles }
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

/** Which webhook a command is about, as its options and for people; without a name it is the main one. */
type Named = { of: string; options: string }

function named({ slug, endpoint }: WebhookTrouble): Named {
  if (endpoint === MAIN_ENDPOINT) return { of: slug, options: `--configuration ${slug}` }
  return { of: `${slug} (${endpoint})`, options: `--configuration ${slug} --endpoint ${endpoint}` }
}

const WEBHOOK_TROUBLES: Readonly<Record<WebhookTrouble['trouble'], (webhook: Named) => string>> = {
  waiting: ({ of, options }) =>
    `a webhook delivery of ${of} has waited for long: fyr webhook deliveries ${options} --state pending`,
  dead: ({ of, options }) => `webhook deliveries of ${of} were given up: fyr webhook replay ${options} --since 30d`,
  failing: ({ of, options }) => `webhook receivers of ${of} are failing: fyr webhook show ${options}`,
  stopped: ({ of, options }) =>
    `webhooks of ${of} were stopped, as their receivers failed or are gone: fyr webhook enable ${options}`,
}

type Seen = Omit<Status, 'version' | 'at' | 'attention' | 'accounts'>

/** Each sentence says what is wrong and, after a colon, where to look next. */
export function attentionTo(seen: Seen, at: Date): string[] {
  const { nodes, database, webhooks, hasRoom, leftAlarmOverdueSeconds, releases, backups } = seen
  const { made, failed } = backups
  const silent = nodes.filter(({ alive }) => !alive)
  const isActive = ({ everywhere, configurations }: ReleaseStatus) => everywhere || configurations.length > 0
  const slow = database.standbys.filter(({ behindSeconds }) => behindSeconds > MOST_BEHIND_SECONDS)
  const findings: [isWrong: boolean, sentence: string][] = [
    [hasRoom === false, 'little or no room is left on the disk of the database: make room'],
    [!nodes.some(({ alive }) => alive), 'no node is running: start the service, its log says what stops it'],
    [silent.length > 0, `nodes that fell silent: ${silent.map(({ host, pid }) => `${host} (${pid})`).join(', ')}`],
    [database.isStandby, 'the database is a standby and takes no writes: point DATABASE_URL at the primary'],
    [slow.length > 0, `standbys far behind: ${slow.map(({ name }) => name).join(', ')}`],
    [
      database.connections > database.mostConnections * MOST_CONNECTIONS_USED,
      'the database has few connections left: raise max_connections, or run fewer processes',
    ],
    [leftAlarmOverdueSeconds > LONGEST_OVERDUE_SECONDS, 'emergencies that were left are not ended: look at the log'],
    ...webhooks.troubles.map((one): [boolean, string] => [true, WEBHOOK_TROUBLES[one.trouble](named(one))]),
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
