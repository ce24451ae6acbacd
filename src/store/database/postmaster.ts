import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { asOrdinaryUser } from './cluster.ts'
import { StorageFull, translated } from './db.ts'
import { type PostgresLog, QUIET_LOG } from './postgres-log.ts'

/** The server's name says who started it: one started by a command is stopped by the last command that uses it. */
export const STARTED_BY_COMMAND = 'fyr-command'
const STARTED_BY_SERVICE = 'fyr-service'

/** A server that this process started: whether it has ended, and how. */
export type Postmaster = { ended: () => string | null }

export type Launch = {
  binaries: string
  cluster: string
  socketDir: string
  log: PostgresLog
  /** It ends with this process, however that happens; otherwise it stays until it is stopped. */
  endWithParent: boolean
}

/** Starts PostgreSQL on a cluster, without waiting for it. */
export function launch({ binaries, cluster, socketDir, log, endWithParent }: Launch): Postmaster {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${socketDir}`,
    'unix_socket_permissions=0700',
    'max_connections=500', // some twenty for each process of the service
    'autovacuum_naptime=5s', // without statistics the planner chooses bad plans for young tables
    `cluster_name=${endWithParent ? STARTED_BY_SERVICE : STARTED_BY_COMMAND}`,
    ...QUIET_LOG,
  ]
  const server = [join(binaries, 'postgres'), '-D', cluster, ...settings.flatMap((setting) => ['-c', setting])]
  const canTie = process.platform === 'linux' && endWithParent && spawnSync('setpriv', ['--version']).status === 0
  // Inside the namespace: entering it would clear the parent-death signal.
  const tied = canTie ? ['setpriv', '--pdeathsig', 'INT', '--', ...server] : server
  const [command = '', ...args] = asOrdinaryUser(tied)
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true, // a Ctrl-C in the terminal is for the service, which then stops its database in order
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  })
  let how: string | null = null
  child.once('error', (error) => {
    how = error.message
  })
  child.once('exit', (code, signal) => {
    how = signal ? `ended by ${signal}` : `ended with ${code}`
  })
  child.stderr?.on('data', (chunk) => log.add(chunk))
  child.unref()
  if (child.stderr && 'unref' in child.stderr && typeof child.stderr.unref === 'function') child.stderr.unref()
  return { ended: () => how }
}

/**
 * The state of a database: `ready`; `busy` (it runs but takes nobody yet, or no longer); or `none`. Asked over its
 * socket: the PID in postmaster.pid may by now be another process's. Without room it may take nobody for ever, since a
 * first connection may have to write a file: then a StorageFull is thrown.
 */
export async function stateAt(socketDir: string): Promise<'ready' | 'busy' | 'none'> {
  const client = new pg.Client({ host: socketDir, user: 'fyr', database: 'postgres', connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return 'ready'
  } catch (error) {
    const fault = translated(error)
    if (fault instanceof StorageFull) throw fault
    const code = error instanceof Error && 'code' in error ? error.code : ''
    return code === 'ECONNREFUSED' || code === 'ENOENT' ? 'none' : 'busy'
  } finally {
    await client.end().catch(() => {})
  }
}

/** The PID of the server, if the process in postmaster.pid is alive and works in this cluster. */
export function runningPid(cluster: string): number | null {
  const pid = markedPid(cluster)
  return pid !== null && isAtWork(pid, cluster) ? pid : null
}

/** A postmaster.pid with the PID of another process would keep PostgreSQL from starting while that process lives. */
export function removeStaleMark(cluster: string): void {
  const pid = markedPid(cluster)
  if (pid !== null && !isAtWork(pid, cluster)) rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

function markedPid(cluster: string): number | null {
  try {
    return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]) || null
  } catch {
    return null
  }
}

function isAtWork(pid: number, cluster: string): boolean {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
    return stdout.includes('postgres')
  }
  try {
    if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return false
    const [there, here] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)]
    return here.ino === there.ino && here.dev === there.dev
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code !== 'ENOENT' // alive, but hidden from us
  }
}
