import { type Database, DatabaseAway, type Db, type Statement, StorageFull, sql } from './db.ts'
import type { Disk } from './disk.ts'

const LOOK_MS = 500

/** Just enough to tell a full disk from one with room; undone at once. */
const MAKE_PROBE = sql('room_probe_make', 'create temporary table room_probe (n bigint) on commit drop')
const FILL_PROBE = sql('room_probe_fill', 'insert into room_probe select generate_series(1, 30000)')

const writing = new WeakMap<Statement, boolean>()

/** Whether a statement writes: while there is no room, only reads pass. */
function writes(statement: Statement): boolean {
  const known = writing.get(statement)
  if (known !== undefined) return known
  const found = /\b(insert\s+into|delete\s+from|update\s+\w+\s+(\w+\s+)?set)\b/i.test(statement.text)
  writing.set(statement, found)
  return found
}

export type RoomOptions = {
  /** The disk under an embedded database; a remote one says itself when it is full. */
  disk?: Disk
  onChange?: (isFull: boolean) => void
}

/**
 * Refuses writes while there is no room for them, and lets reads pass. Starts when the database reports a full disk or
 * the embedded one's disk is nearly full, and ends when a trial write succeeds.
 */
export function withRoom(db: Database, { disk, onChange }: RoomOptions): Database {
  let isFull = disk?.isLow() ?? false
  let looking = false
  if (isFull) onChange?.(true)

  function turn(to: boolean): void {
    if (isFull === to) return
    isFull = to
    onChange?.(to)
  }

  const timer = setInterval(() => {
    if (disk?.isLow()) turn(true)
    else if (isFull && !looking) {
      looking = true
      void hasRoom(db).then((found) => {
        looking = false
        if (found && !disk?.isLow()) turn(false)
      })
    } else if (!isFull) void disk?.keepReserve()
  }, LOOK_MS).unref()

  const isRefused = (statement: Statement): boolean => isFull && writes(statement)
  const refused = (): Promise<never> => Promise.reject(new StorageFull('there is no room to write'))
  const note = (error: unknown): never => {
    if (error instanceof StorageFull) turn(true)
    throw error
  }

  function inside(tx: Db): Db {
    const guarded: Db = {
      query: (statement, values) => (isRefused(statement) ? refused() : tx.query(statement, values)),
      transaction: (work) => work(guarded),
    }
    return guarded
  }

  return {
    ...db,
    query: <Row>(statement: Statement, values?: unknown[]) =>
      isRefused(statement) ? refused() : db.query<Row>(statement, values).catch(note),
    batch: (steps) =>
      isFull && steps.some(([statement]) => writes(statement)) ? refused() : db.batch(steps).catch(note),
    transaction: (work) => db.transaction((tx) => work(inside(tx))).catch(note),
    waitingTransaction: (work) => db.waitingTransaction((tx) => work(inside(tx))).catch(note),
    isFull: () => isFull,
    close: async () => {
      clearInterval(timer)
      await db.close()
    },
  }
}

/** Tries to write. Any other failure is not about room, and is reported by whoever meets it. */
async function hasRoom(db: Database): Promise<boolean> {
  const undo = new Error('It was only a trial.')
  try {
    await db.transaction(async (tx) => {
      await tx.query(MAKE_PROBE)
      await tx.query(FILL_PROBE)
      throw undo
    })
  } catch (error) {
    return !(error instanceof DatabaseAway)
  }
  return true
}
