import pc from 'picocolors'
import type { AccountStatus, Status } from '../../session/status.ts'
import { momentText, printable } from '../print.ts'

const WIDTH = 80
const LABEL = 11
const LONGEST_NAME = 30
const MOST_LISTED = 20
/** A sign of life, due every ten seconds, was left out: the node may be gone, which is sure only after more of them. */
const LATE_SECONDS = 15

/** One screen of eighty columns: what needs attention first. */
export function statusText(status: Status, listsAll: boolean): string {
  const title = `Fyr ${status.version}`
  const at = momentText(status.at)
  return [
    `${pc.bold(title)}${pc.dim(at.padStart(WIDTH - title.length))}`,
    '',
    ...attentionLines(status),
    '',
    ...section('nodes', nodeLines(status)),
    ...section('database', databaseLines(status)),
    ...section('webhooks', webhookLines(status)),
    ...section('alarms', [alarmText(status)]),
    ...section('content', releaseLines(status)),
    ...section('backup', backupLines(status)),
    ...section('accounts', accountLines(status, listsAll)),
  ].join('\n')
}

/** A label before the first line; no line is longer than the screen. */
const section = (label: string, lines: readonly string[]): string[] =>
  lines.map((line, at) => `${pc.dim((at === 0 ? label : '').padEnd(LABEL))}${shortened(line, WIDTH - LABEL)}`)

function shortened(text: string, most: number): string {
  const plain = printable(text)
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain
}

function attentionLines({ attention }: Status): string[] {
  if (attention.length === 0) return [pc.green('All is well.')]
  return [
    pc.yellow('Needs attention:'),
    ...attention.flatMap((sentence) => inLines(sentence).map((line) => pc.yellow(line))),
  ]
}

/** What is wrong, and on a line of its own where to look, where both do not fit: a command that is cut off helps nobody. */
function inLines(sentence: string): string[] {
  const colon = sentence.indexOf(': ')
  if (sentence.length <= WIDTH - 4 || colon < 0) return [`  ! ${printable(sentence)}`]
  const [what, where] = [sentence.slice(0, colon + 1), sentence.slice(colon + 2)]
  return [`  ! ${shortened(what, WIDTH - 4)}`, `      ${printable(where)}`]
}

function nodeLines({ nodes }: Status): string[] {
  if (nodes.length === 0) return ['none is running']
  return nodes.map(({ host, pid, version, startedAt, seenAt, silentSeconds }) => {
    const name = `${shortened(host, 20)} ${pid}`
    if (silentSeconds > LATE_SECONDS) return `${name}  not heard since ${momentText(seenAt)}`
    return `${name}  ${version}  since ${momentText(startedAt)}  seen ${Math.round(silentSeconds)} s ago`
  })
}

function databaseLines({ database }: Status): string[] {
  const { version, bytes, connections, mostConnections, isStandby, behindSeconds, standbys } = database
  const short = version.split(' ')[0]
  return [
    `PostgreSQL ${short}, ${sizeText(bytes)}, ${connections} of ${mostConnections} connections`,
    ...(isStandby ? [`a standby, ${Math.round(behindSeconds ?? 0)} s behind`] : []),
    ...standbys.map(
      (one) =>
        `standby ${one.name}: ${one.state}, ${Math.round(one.behindSeconds)} s, ${sizeText(one.behindBytes)} behind`,
    ),
  ]
}

function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}

function webhookLines({ webhooks: { waiting, oldestWaitingSeconds, dead, failing, stopped } }: Status): string[] {
  const oldest = waiting > 0 ? ` (the oldest for ${Math.round(oldestWaitingSeconds)} s)` : ''
  return [`${waiting} waiting${oldest}, ${dead} given up`, `${failing} receivers failing, ${stopped} stopped`]
}

const alarmText = ({ leftAlarmOverdueSeconds: overdue }: Status): string =>
  overdue > 0 ? `an emergency that was left is overdue for ${Math.round(overdue)} s` : 'none overdue'

function releaseLines({ releases }: Status): string[] {
  if (releases.length === 0) return ['no release']
  return releases.map(({ version, fault, everywhere, configurations }) => {
    const places = [...(everywhere ? ['the deployment'] : []), ...configurations]
    return `${version}  ${fault ? `refused: ${fault}; ` : ''}${places.length ? `active in ${places.join(', ')}` : 'not active'}`
  })
}

function backupLines({ backups: { made, failed } }: Status): string[] {
  const last = made ? momentText(made.at) : 'none yet'
  if (!failed || failed.at <= (made?.at ?? 0)) return [last]
  return [`${last}; failed ${momentText(failed.at)}`, ...(failed.reason ? [failed.reason] : [])]
}

function accountLines({ accounts }: Status, listsAll: boolean): string[] {
  const open = accounts.filter((account) => account.active && account.open)
  const listed = listsAll || accounts.length <= MOST_LISTED ? accounts : accounts.filter((one) => !open.includes(one))
  return [
    `${open.length} of ${accounts.length} open${listed.length < accounts.length ? ' (the others:)' : ''}`,
    ...listed.map(
      (account) => `${shortened(account.name, LONGEST_NAME).padEnd(LONGEST_NAME)}  ${openingText(account)}`,
    ),
  ]
}

const REASONS = { Other: 'closed by hand', OutsideMonitoredHours: 'outside hours', CapLimitReached: 'cap reached' }

function openingText({ active, open, closedReason, opensAt }: AccountStatus): string {
  if (!active) return 'out of service'
  if (open) return 'open'
  const opens = opensAt ? `, opens ${momentText(new Date(opensAt)).replace(/:\d\dZ$/, 'Z')}` : ''
  return `${closedReason ? REASONS[closedReason] : 'closed'}${opens}`
}
