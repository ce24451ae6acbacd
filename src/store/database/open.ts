import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Settings } from '../../settings.ts'
import { type KeySource, masterKeyFor } from '../master-key.ts'
import { type Database, StoreUnavailable } from './db.ts'
import { Disk } from './disk.ts'
import { embeddedUrl, lockAsService, startEmbedded } from './embedded.ts'
import { held, keepRunning } from './kept-running.ts'
import { holdAsCommand } from './live.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import type { RoomOptions } from './room.ts'

export type OpenStore = { db: Database; url: string; masterKey: Buffer; embedded: boolean; close: () => Promise<void> }

const WAIT_FOR_PREDECESSOR_MS = 8_000

type Wanted = Pick<Settings, 'DATABASE_URL' | 'MASTER_KEY' | 'DATA_DIR' | 'DATABASE_CONNECTIONS'>

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
  const { DATABASE_URL: url, MASTER_KEY: given, DATABASE_CONNECTIONS: connections } = settings
  if (url) return opened({ url, connections, key: { given, file: null }, room: { onChange }, close: async () => {} })
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
  const { DATABASE_URL: remote, MASTER_KEY: given, DATA_DIR: folder, DATABASE_CONNECTIONS: connections } = settings
  const onChange = tellingRoom(logger)
  const close = async () => {}
  if (remote) return opened({ url: remote, connections, key: { given, file: null }, room: { onChange }, close })
  const room = { disk: new Disk(resolve(folder)), onChange }
  return opened({ url: embeddedUrl(folder), connections, key: keyOf(settings), room, close })
}

const tellingRoom = (logger: Logger) => (isFull: boolean) =>
  isFull
    ? logger.error('there is no room left on the disk of the database; writes are refused')
    : logger.info('there is room on the disk of the database again; writes are taken')

/** The database for a command: joins the running service's, or starts the embedded one and stops it again if nobody else came. */
export async function openForCommand(settings: Wanted): Promise<OpenStore> {
  const { DATABASE_URL: url, MASTER_KEY: given, DATA_DIR: folder } = settings
  if (url) return opened({ url, connections: 2, key: { given, file: null }, room: {}, close: async () => {} })
  const { embedded, hold } = await held(() => startEmbedded(folder, { endWithParent: false }), holdAsCommand)
  const close = async () => {
    if (await hold.leave()) await embedded.stop()
    await hold.end()
  }
  const room = { disk: new Disk(resolve(folder)) }
  return opened({ url: embedded.url, connections: 2, key: keyOf(settings), room, close })
}

const keyOf = ({ MASTER_KEY: given, DATA_DIR }: Wanted): KeySource => ({
  given,
  file: join(resolve(DATA_DIR), 'master.key'),
})

type Opening = { url: string; connections: number; key: KeySource; room: RoomOptions; close: () => Promise<void> }

/** Migrates the database and verifies its key; a refused database is left as it was found. */
async function opened({ url, connections, key, room, close }: Opening): Promise<OpenStore> {
  try {
    await migrate(url)
    const db = await openPostgres(url, connections, room)
    try {
      return { db, url, masterKey: await masterKeyFor(db, key), embedded: key.file !== null, close }
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
