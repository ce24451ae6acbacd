import { createHash } from 'node:crypto'
import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ensureCluster, findBinaries } from './cluster.ts'
import { StoreUnavailable } from './db.ts'
import { type FileLock, tryLock } from './file-lock.ts'
import { PostgresLog } from './postgres-log.ts'
import { launch, type Postmaster, removeStaleMark, runningPid, stateAt } from './postmaster.ts'

/** A running embedded PostgreSQL: how to connect, how to stop it, and the server itself when this process started it. */
export type Embedded = { url: string; postmaster: Postmaster | null; log: PostgresLog; stop: () => Promise<void> }

const LONGEST_SOCKET_PATH_BYTES = 107
const START_DEADLINE_MS = 60_000
/** Processes of a killed server may linger, and PostgreSQL starts no other beside them. */
const STILL_IN_USE = /is still in use|lock file .* already exists/

/**
 * Starts PostgreSQL on a data folder, or joins the one that already runs there. With `endWithParent` it ends when
 * this process ends, however that happens; without (the command line) it stays until stopped. With `isRestore` a new
 * database may be made beside a master key that is already there.
 */
export async function startEmbedded(
  dataDir: string,
  { endWithParent, isRestore = false }: { endWithParent: boolean; isRestore?: boolean },
): Promise<Embedded> {
  const root = resolve(dataDir)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const [cluster, socketDir] = [join(root, 'postgres'), socketFolder(root)]
  const log = new PostgresLog(join(root, 'postgres.log'))
  const postmaster = await joined({ root, cluster, socketDir, log, endWithParent, isRestore })
  return { url: embeddedUrl(dataDir), postmaster, log, stop: () => stop(root, cluster) }
}

/** The address of the embedded database of a data folder, whether it runs or not. */
export const embeddedUrl = (dataDir: string): string =>
  `postgres://fyr@localhost/postgres?host=${encodeURIComponent(socketFolder(resolve(dataDir)))}`

/** The lock of the one service on a data folder, or null when another holds it. */
export function lockAsService(dataDir: string): FileLock | null {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error
    throw new StoreUnavailable(
      `The data folder ${resolve(dataDir)} cannot be made or written to. Set DATA_DIR to another.`,
    )
  }
  return tryLock(serviceLockOf(resolve(dataDir)))
}

const serviceLockOf = (root: string): string => join(root, 'service.lock')
/** Only one process at a time may look, initialise, start or stop. */
const startLockOf = (root: string): string => join(root, 'starting.lock')

type Place = {
  root: string
  cluster: string
  socketDir: string
  log: PostgresLog
  endWithParent: boolean
  isRestore: boolean
}

/** Returns when the database takes connections, with its server if this process had to start one. */
async function joined(place: Place): Promise<Postmaster | null> {
  const { root, cluster, socketDir } = place
  for (let deadline = performance.now() + START_DEADLINE_MS; performance.now() < deadline; await wait(25)) {
    const state = await stateAt(socketDir)
    if (state === 'ready') return null
    // A busy server is recovering from a crash, and is waited for as long as that takes.
    if (state === 'busy') deadline = performance.now() + START_DEADLINE_MS
    const lock = state === 'none' && mayLaunch(place) ? tryLock(startLockOf(root)) : null
    if (!lock) continue
    try {
      return await launched(place)
    } finally {
      lock.release()
    }
  }
  throw new StoreUnavailable(
    `Another process holds the database in ${cluster}, and it has not answered for a minute. If a service runs on this folder, look at its log; a command must run on the same machine and as the same user.`,
  )
}

/** A command leaves the database of a running service to that service, which restarts it. */
function mayLaunch({ root, endWithParent }: Place): boolean {
  if (endWithParent) return true
  const lock = tryLock(serviceLockOf(root))
  lock?.release()
  return lock !== null
}

/** Starts a server and waits until it is ready; null when another process was first. */
async function launched(place: Place): Promise<Postmaster | null> {
  const { root, cluster, socketDir, log } = place
  const binaries = findBinaries()
  let postmaster: Postmaster | null = null
  for (let deadline = performance.now() + START_DEADLINE_MS; performance.now() < deadline; await wait(15)) {
    const state = await stateAt(socketDir)
    if (state === 'ready') return postmaster
    if (state === 'busy') deadline = performance.now() + START_DEADLINE_MS
    else if (!postmaster || postmaster.ended()) {
      if (postmaster && !STILL_IN_USE.test(log.last))
        throw new StoreUnavailable(`The database in ${cluster} did not start (${postmaster.ended()}). ${log.last}`)
      if (postmaster) await wait(250)
      ensureCluster(binaries, root, place.isRestore)
      removeStaleMark(cluster)
      // Making the cluster the first time may have taken long.
      if (!postmaster) deadline = performance.now() + START_DEADLINE_MS
      postmaster = launch({ ...place, binaries })
    }
  }
  throw new StoreUnavailable(`The database in ${cluster} did not start within a minute. ${log.last}`)
}

function socketFolder(root: string): string {
  const inside = join(root, 'socket')
  const outside = join(tmpdir(), `fyr-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)
  const folder = Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= LONGEST_SOCKET_PATH_BYTES ? inside : outside
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700) // fails when the folder is somebody else's, as it should
  return folder
}

/** A fast shutdown: running transactions are rolled back, everything acknowledged is on disk. New users wait meanwhile. */
async function stop(root: string, cluster: string): Promise<void> {
  let lock = tryLock(startLockOf(root))
  for (; !lock; lock = tryLock(startLockOf(root))) await wait(25) // its holder is alive and will finish
  try {
    const pid = runningPid(cluster)
    if (pid === null) return
    process.kill(pid, 'SIGINT')
    while (runningPid(cluster) !== null) await wait(20)
  } finally {
    lock.release()
  }
}
