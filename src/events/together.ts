import { holdHead } from '../store/audit.ts'
import type { Database, Db } from '../store/database/db.ts'
import type { Core } from './core.ts'
import { Recorder } from './record.ts'

/**
 * Does all of the work in one transaction, or nothing of it: the core that it is given reads and records there. The
 * chains of the named accounts are held from the start, always in the same order; nothing in the work may wait for
 * anything but the database, because everyone who writes for these accounts waits for it.
 */
export function together<T>(core: Core, accountIds: readonly string[], work: (core: Core) => Promise<T>): Promise<T> {
  return core.db.transaction(async (tx) => {
    for (const accountId of [...accountIds].sort()) await holdHead(tx, accountId)
    const db = inside(core.db, tx)
    return work({ ...core, db, recorder: new Recorder(db, core.keyring) })
  })
}

/** The database as seen from inside a transaction. After a fault it takes nothing more: PostgreSQL would refuse it. */
function inside(db: Database, tx: Db): Database {
  let fault: { error: unknown } | null = null
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (fault) throw fault.error
    try {
      return await work()
    } catch (error) {
      fault = { error }
      throw error
    }
  }
  return {
    ...db,
    query: (statement, values) => run(() => tx.query(statement, values)),
    transaction: (work) => run(() => work(tx)),
    waitingTransaction: (work) => run(() => work(tx)),
    lists: () => tx,
    batch: (steps) =>
      run(async () => {
        const results: Record<string, unknown>[][] = []
        for (const [statement, values] of steps) results.push(await tx.query(statement, values))
        return results
      }),
  }
}
