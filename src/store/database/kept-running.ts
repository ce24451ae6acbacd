import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StorageFull, StoreUnavailable } from './db.ts'
import type { Disk } from './disk.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { type Hold, holdAsService } from './live.ts'

/** The wait before each attempt to restart an ended database. After the last one the service ends. */
const WAITS_MS = [0, 250, 500, 1_000, 2_000, 4_000, 8_000, 15_000]
const WAIT_FOR_ROOM_MS = 1_000
const MOST_HOLDS = 50

export type KeptRunning = { url: string; close: () => Promise<void> }

/**
 * The embedded database of a service, restarted whenever it ends by itself: killed, crashed or stopped by someone.
 * Everything acknowledged is in its WAL and comes back with it. When it cannot be restarted, `giveUp` is called.
 */
export async function keepRunning(
  dataDir: string,
  disk: Disk,
  logger: Logger,
  giveUp: (why: string) => void,
): Promise<KeptRunning> {
  let isClosing = false
  let returning: Promise<void> | null = null
  let { embedded, hold } = await heldBy(dataDir, disk)

  async function follow(): Promise<void> {
    while (!isClosing) {
      await hold.ended
      if (isClosing) return
      returning = bringBack()
      await returning
    }
  }

  async function bringBack(): Promise<void> {
    await wait(100) // the exit status is known a moment later
    const how = embedded.postmaster?.ended()
    if (how) logger.error({ how, last: embedded.log.last }, 'the database ended; it is started again')
    let why = ''
    for (const waitMs of WAITS_MS) {
      await wait(waitMs)
      while (!isClosing && why && disk.isLow()) await wait(WAIT_FOR_ROOM_MS) // retrying is useless without room
      if (isClosing) return
      try {
        ;({ embedded, hold } = await heldBy(dataDir, disk))
        return logger.warn({ started: embedded.postmaster !== null }, 'the database was lost and is back')
      } catch (error) {
        why = error instanceof Error ? error.message : String(error)
        logger.error({ why }, 'the database could not be started again')
      }
    }
    isClosing = true
    giveUp(`The database ended and could not be started again. ${why}`)
  }

  void follow()
  return {
    url: embedded.url,
    close: async () => {
      isClosing = true
      await returning
      await hold.leave()
      await embedded.stop()
      await hold.end()
    },
  }
}

/** Starts or joins the database. If its last user stops it at the same moment, it is started again. */
async function heldBy(dataDir: string, disk: Disk): Promise<{ embedded: Embedded; hold: Hold }> {
  return held(() => startWithReserve(dataDir, disk), holdAsService)
}

export async function held(
  start: () => Promise<Embedded>,
  holdAs: (url: string) => Promise<Hold>,
): Promise<{ embedded: Embedded; hold: Hold }> {
  for (let attempt = 1; ; attempt++) {
    const embedded = await start()
    try {
      return { embedded, hold: await holdAs(embedded.url) }
    } catch (error) {
      if (attempt >= MOST_HOLDS) throw error
      await wait(100)
    }
  }
}

/** A database that stopped because its disk was full gets the reserve: then it can at least be read. */
async function startWithReserve(dataDir: string, disk: Disk): Promise<Embedded> {
  try {
    return await startEmbedded(dataDir, { endWithParent: true })
  } catch (error) {
    const isOfRoom = error instanceof StoreUnavailable || error instanceof StorageFull
    if (!isOfRoom || !disk.isLow() || !disk.giveReserve()) throw error
    return startEmbedded(dataDir, { endWithParent: true })
  }
}
