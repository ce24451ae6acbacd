import { setTimeout as wait } from 'node:timers/promises'
import type { Settings } from '../../settings.ts'
import type { Database } from './db.ts'
import { type Embedded, EmbeddedUnavailable, startEmbedded } from './embedded.ts'
import { type Hold, holdAsCommand, holdAsService } from './live.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'

export type OpenStore = { db: Database; url: string; masterKey: Buffer; embedded: boolean; close: () => Promise<void> }

const WAIT_FOR_PREDECESSOR_MS = 8_000
const MOST_ATTEMPTS = 50

type Wanted = Pick<Settings, 'DATABASE_URL' | 'MASTER_KEY' | 'DATA_DIR' | 'DATABASE_CONNECTIONS'>

/** The database for the service: embedded (then it is the only service on that folder) or remote, brought up to date. */
export async function openForService(settings: Wanted): Promise<OpenStore> {
  if (settings.DATABASE_URL && settings.MASTER_KEY)
    return openRemote(settings.DATABASE_URL, settings.MASTER_KEY, settings.DATABASE_CONNECTIONS)
  return openEmbedded(settings, true, async (url) => {
    const hold = await patiently(() => holdAsService(url))
    if (hold) return hold
    throw new EmbeddedUnavailable(
      `Another Fyr is running on the data folder ${settings.DATA_DIR}. Stop it first, or set DATA_DIR to another folder.`,
    )
  })
}

/** The database for a command: joins the running service's, or starts the embedded one and stops it again if nobody else came. */
export async function openForCommand(settings: Wanted): Promise<OpenStore> {
  if (settings.DATABASE_URL && settings.MASTER_KEY) return openRemote(settings.DATABASE_URL, settings.MASTER_KEY, 2)
  return openEmbedded({ ...settings, DATABASE_CONNECTIONS: 2 }, false, holdAsCommand)
}

async function openEmbedded(
  { DATA_DIR, DATABASE_CONNECTIONS }: Wanted,
  endWithParent: boolean,
  holdAs: (url: string) => Promise<Hold>,
): Promise<OpenStore> {
  const { embedded, hold } = await joined(DATA_DIR, endWithParent, holdAs)
  await migrate(embedded.url)
  const db = await openPostgres(embedded.url, DATABASE_CONNECTIONS)
  const close = async () => {
    if (await hold.leave()) await embedded.stop()
    await hold.end()
  }
  return { db, url: embedded.url, masterKey: embedded.masterKey, embedded: true, close }
}

/** Starts or joins the database. One that its last user stops in the same moment is started again. */
async function joined(
  dataDir: string,
  endWithParent: boolean,
  holdAs: (url: string) => Promise<Hold>,
): Promise<{ embedded: Embedded; hold: Hold }> {
  for (let attempt = 1; ; attempt++) {
    const embedded = await startEmbedded(dataDir, { endWithParent })
    try {
      return { embedded, hold: await holdAs(embedded.url) }
    } catch (error) {
      if (error instanceof EmbeddedUnavailable || attempt >= MOST_ATTEMPTS) throw error
      await wait(100)
    }
  }
}

async function openRemote(url: string, masterKey: Buffer, connections: number): Promise<OpenStore> {
  await migrate(url)
  return { db: await openPostgres(url, connections), url, masterKey, embedded: false, close: async () => {} }
}

/** A service that was just killed may take a moment to let go. */
async function patiently<T>(attempt: () => Promise<T | null>): Promise<T | null> {
  const deadline = Date.now() + WAIT_FOR_PREDECESSOR_MS
  for (;;) {
    const result = await attempt()
    if (result !== null || Date.now() > deadline) return result
    await wait(100)
  }
}
