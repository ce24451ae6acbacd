import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Settings } from '../../settings.ts'
import { refuseSharedSessions } from '../connections/own-session.ts'
import { Servers } from '../connections/servers.ts'
import type { GivenKey } from '../sealing/key-sources.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { type KeySource, keyringFor } from '../sealing/master-key.ts'
import { type Database, StoreUnavailable } from './db.ts'
import { Disk } from './disk.ts'
import { embeddedUrl, lockAsService, startEmbedded } from './embedded.ts'
import { held, keepRunning } from './kept-running.ts'
import { holdAsCommand } from './live.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import type { RoomOptions } from './room.ts'

export type OpenStore = { db: Database; url: string; keyring: Keyring; embedded: boolean; close: () => Promise<void> }

const WAIT_FOR_PREDECESSOR_MS = 8_000

type Wanted = Pick<
  Settings,
  'DATABASE_URL' | 'DATA_DIR' | 'DATABASE_CONNECTIONS' | Extract<keyof Settings, `MASTER_KEY${string}`>
>

/**
 * The database for the service: embedded (then this is the only service on that folder) or remote, migrated, and with
 * its own key. `giveUp` is called when an embedded one has ended and cannot be restarted.
 */
export async function openForService(
  settings: Wanted,
  logger: Logger,
  giveUp: (why: string) => void,
): Promise<OpenStore> {
  const onChange = tellingRoom(logger)
  const { DATABASE_URL: url, DATABASE_CONNECTIONS: connections } = settings
  if (url) return opened({ url, connections, key: keyOf(settings), room: { onChange }, close: async () => {} })
  const lock = await patiently(() => lockAsService(settings.DATA_DIR))
  if (!lock)
    throw new StoreUnavailable(
      `Another Fyr is running on the data folder ${settings.DATA_DIR}. Stop it first, or set DATA_DIR to another folder.`,
    )
  const disk = new Disk(resolve(settings.DATA_DIR))
  try {
    const running = await keepRunning(settings.DATA_DIR, disk, logger, giveUp)
    const close = async () => {
      await running.close()
      lock.release()
    }
    return await opened({ url: running.url, connections, key: keyOf(settings), room: { disk, onChange }, close })
  } catch (error) {
    lock.release()
    throw error
  }
}

/** The database for one process of a service whose supervisor has opened it, keeps it running and closes it. */
export async function openForProcess(settings: Wanted, logger: Logger): Promise<OpenStore> {
  const { DATABASE_URL: remote, DATA_DIR: folder, DATABASE_CONNECTIONS: connections } = settings
  const onChange = tellingRoom(logger)
  const close = async () => {}
  if (remote) return opened({ url: remote, connections, key: keyOf(settings), room: { onChange }, close })
  const room = { disk: new Disk(resolve(folder)), onChange }
  return opened({ url: embeddedUrl(folder), connections, key: keyOf(settings), room, close })
}

const tellingRoom = (logger: Logger) => (isFull: boolean) =>
  isFull
    ? logger.error('there is no room left on the disk of the database; writes are refused')
    : logger.info('there is room on the disk of the database again; writes are taken')

/** The database for a command: joins the running service's, or starts the embedded one and stops it again if nobody else came. */
export async function openForCommand(settings: Wanted): Promise<OpenStore> {
  const { DATABASE_URL: url, DATA_DIR: folder } = settings
  if (url) return opened({ url, connections: 2, key: keyOf(settings), room: {}, close: async () => {} })
  const { embedded, hold } = await held(() => startEmbedded(folder, { endWithParent: false }), holdAsCommand)
  const close = async () => {
    if (await hold.leave()) await embedded.stop()
    await hold.end()
  }
  const room = { disk: new Disk(resolve(folder)) }
  return opened({ url: embedded.url, connections: 2, key: keyOf(settings), room, close })
}

/**
 * A database that was just restored, opened as for a command. No service may run on it: an embedded one is held as a
 * service would hold it, and a server's is empty until the restore commits.
 */
export async function openRestored(
  settings: Wanted,
  master: GivenKey,
  restore: (url: string) => Promise<void>,
): Promise<OpenStore> {
  const { DATABASE_URL: url, DATA_DIR: folder } = settings
  const key = { given: master, previous: null, file: null }
  if (url) {
    await refuseSharedSessions(url)
    await restore(url)
    return opened({ url, connections: 2, key, room: {}, close: async () => {} })
  }
  const lock = lockAsService(folder)
  if (!lock)
    throw new StoreUnavailable(
      `A service is running on the data folder ${folder}. A backup is restored only into a new, empty database: stop the service and set DATA_DIR to another folder, or move this one away.`,
    )
  let stop = async () => {}
  const close = async () => {
    await stop()
    lock.release()
  }
  try {
    const embedded = await startEmbedded(folder, { endWithParent: true, isRestore: true })
    stop = embedded.stop
    await restore(embedded.url)
    return await opened({ url: embedded.url, connections: 2, key, room: {}, close })
  } catch (error) {
    await close()
    throw error
  }
}

/** Where the master key comes from: the settings, or with the embedded database the file beside it. */
export const keyOf = (settings: Wanted): KeySource => ({
  given: givenKey(settings, 'MASTER_KEY'),
  previous: givenKey(settings, 'MASTER_KEY_PREVIOUS'),
  file: settings.DATABASE_URL ? null : join(resolve(settings.DATA_DIR), 'master.key'),
})

function givenKey(settings: Wanted, name: 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'): GivenKey | null {
  const { [name]: key, [`${name}_FILE` as const]: file, [`${name}_COMMAND` as const]: command } = settings
  if (key) return { kind: 'value', name, key }
  if (file) return { kind: 'file', name: `${name}_FILE`, file }
  return command ? { kind: 'command', name: `${name}_COMMAND`, command } : null
}

type Opening = { url: string; connections: number; key: KeySource; room: RoomOptions; close: () => Promise<void> }

/** Migrates the database and verifies its key; a refused database is left as it was found. */
async function opened({ url, connections, key, room, close }: Opening): Promise<OpenStore> {
  try {
    const isEmbedded = key.file !== null
    const servers = new Servers(url)
    if (!isEmbedded) await refuseSharedSessions(servers)
    await migrate(servers)
    const db = await openPostgres(servers, connections, room)
    try {
      return { db, url, keyring: await keyringFor(db, key), embedded: isEmbedded, close }
    } catch (error) {
      await db.close()
      throw error
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A service that was just told to stop may take a moment to release its locks. */
async function patiently<T>(attempt: () => T | null): Promise<T | null> {
  const deadline = performance.now() + WAIT_FOR_PREDECESSOR_MS
  for (;;) {
    const result = attempt()
    if (result !== null || performance.now() > deadline) return result
    await wait(100)
  }
}
