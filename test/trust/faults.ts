import { type Database, DatabaseAway, type Db, type Statement } from '../../src/store/database/db.ts'

/**
 * One step of the database that goes wrong: `refused`, it never happened; `unanswered`, it happened and nobody was told.
 * Named by its statement and which time it is run, so that it is the same step in every run.
 */
export type Fault = { statement: string; time: number; how: 'refused' | 'unanswered' }

/** A database whose steps are noted, and one of which can be made to fail, as a connection that breaks in that moment. */
export class FaultyDatabase {
  readonly steps: Omit<Fault, 'how'>[] = []
  /** Whether the planted fault came about. */
  hasFailed = false
  #times = new Map<string, number>()
  #fault: Fault | null = null

  /** Begins anew: counts from one, with this fault to come. */
  plant(fault: Fault | null): void {
    this.steps.length = 0
    this.#times.clear()
    this.#fault = fault
    this.hasFailed = false
  }

  async #step<T>(statement: string, work: () => Promise<T>): Promise<T> {
    const time = (this.#times.get(statement) ?? 0) + 1
    this.#times.set(statement, time)
    this.steps.push({ statement, time })
    const isIt = this.#fault?.statement === statement && this.#fault.time === time
    if (!isIt) return work()
    this.hasFailed = true
    if (this.#fault?.how === 'unanswered') await work()
    throw new DatabaseAway('a planted fault')
  }

  around(db: Database): Database {
    const inside = (tx: Db): Db => {
      const noted: Db = {
        query: (statement, values) => this.#step(statement.name, () => tx.query(statement, values)),
        transaction: (work) => work(noted),
      }
      return noted
    }
    return {
      ...db,
      query: <Row>(statement: Statement, values?: unknown[]) =>
        this.#step(statement.name, () => db.query<Row>(statement, values)),
      batch: (steps) => this.#step(steps.map(([{ name }]) => name).join(' + '), () => db.batch(steps)),
      transaction: (work) => this.#step('transaction', () => db.transaction((tx) => work(inside(tx)))),
      waitingTransaction: (work) =>
        this.#step('waiting transaction', () => db.waitingTransaction((tx) => work(inside(tx)))),
    }
  }
}
