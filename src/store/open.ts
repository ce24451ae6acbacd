import { setTimeout as wait } from 'node:timers/promises'
import type { Settings } from '../settings.ts'
import type { Database } from './db.ts'
import { EmbeddedUnavailable, startEmbedded } from './embedded.ts'
import { holdAsCommand, holdAsService } from './live.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'

export type OpenStore = { db: Database; url: string; masterKey: Buffer; embedded: boolean; close: () => Promise<void> }

const WAIT_FOR_PREDECESSOR_MS = 8_000

type Wanted = Pick<Settings, 'DATABASE_URL' | 'MASTER_KEY' | 'DATA_DIR' | 'DATABASE_CONNECTIONS'>

/** The database for the service: embedded (then it is the only service on that folder) or remote, brought up to date. */
export async function openForService(settings: Wanted): Promise<OpenStore> {
  if (settings.DATABASE_URL && settings.MASTER_KEY)
    return openRemote(settings.DATABASE_URL, settings.MASTER_KEY, settings.DATABASE_CONNECTIONS)
  const embedded = await startEmbedded(settings.DATA_DIR, { endWithParent: true })
  const hold = await patiently(() => holdAsService(embedded.url))
  if (!hold) {
    throw new EmbeddedUnavailable(
      `Another Fyr is running on the data folder ${settings.DATA_DIR}. Stop it first, or set DATA_DIR to another folder.`,
    )
  }
  await migrate(embedded.url)
  const db = await openPostgres(embedded.url, settings.DATABASE_CONNECTIONS)
  const close = async () => {
    await hold.release()
    await embedded.stop()
  }
  return { db, url: embedded.url, masterKey: embedded.masterKey, embedded: true, close }
}

/** The database for a command: joins the running service's, or starts the embedded one and stops it again if nobody else came. */
export async function openForCommand(settings: Wanted): Promise<OpenStore> {
  if (settings.DATABASE_URL && settings.MASTER_KEY) return openRemote(settings.DATABASE_URL, settings.MASTER_KEY, 2)
  const embedded = await startEmbedded(settings.DATA_DIR, { endWithParent: false })
  const hold = await holdAsCommand(embedded.url)
  await migrate(embedded.url)
  const db = await openPostgres(embedded.url, 2)
  const close = async () => {
    const mayStop = embedded.startedHere && (await hold.isLastUser())
    await hold.release()
    if (mayStop) await embedded.stop()
  }
  return { db, url: embedded.url, masterKey: embedded.masterKey, embedded: true, close }
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
