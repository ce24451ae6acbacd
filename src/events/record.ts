import { type AuditEntry, appendSteps, findHead, type Head } from '../store/audit.ts'
import { ChainMoved, type Database, NotAsExpected, type Statement, type Step } from '../store/database/db.ts'
import { type Keyring, keyedHash } from '../store/seal.ts'

/**
 * A change that goes with an event: a statement that takes the account and a JSON list of rows. It returns a row for
 * each with the `ref` it was given, or raises through expect_rows when it could not do what was asked.
 */
export type Effect = { statement: Statement; row: Record<string, unknown> }

/** Something that happened: who did what to which thing, and the changes that are made with it. */
export type Happening = {
  accountId: string
  actor: string
  action: string
  subject: string
  detail?: Record<string, unknown>
  effects?: readonly Effect[]
}

type Rows = Record<string, unknown>[]
type Waiting = { happening: Happening; done: (rows: Rows) => void; failed: (error: unknown) => void }
type Chain = { waiting: Waiting[]; running: boolean; head: Head | null; key: Buffer }

const LARGEST_BATCH = 200
const MOST_RETRIES = 50

/** The chain's next hash: over the hash before it and everything the entry says. */
export function entryHash(key: Buffer, before: Buffer, entry: Omit<AuditEntry, 'hash'>): Buffer {
  const { seq, at, actor, action, subject, detail } = entry
  return keyedHash(key, before, JSON.stringify([seq, at.toISOString(), actor, action, subject, sorted(detail)]))
}

/** The database keeps JSON objects in an order of its own, so the hash is over a sorted form. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

/** The start of every account's chain. */
export const genesis = (key: Buffer, accountId: string): Buffer => keyedHash(key, 'fyr audit', accountId)

/**
 * Writes what happened together with what changed. Whatever waits for the same account goes in one transaction,
 * guarded by the end of the chain it was computed from: a lock per request would cost eight times the throughput.
 */
export class Recorder {
  readonly #db: Database
  readonly #keyring: Keyring
  readonly #chains = new Map<string, Chain>()

  constructor(db: Database, keyring: Keyring) {
    this.#db = db
    this.#keyring = keyring
  }

  /** Resolves, when all of it is durable, with the rows that the effects returned; rejects with nothing changed. */
  record(happening: Happening): Promise<Rows> {
    const chain = this.#chainOf(happening.accountId)
    return new Promise((done, failed) => {
      chain.waiting.push({ happening, done, failed })
      if (!chain.running) void this.#run(happening.accountId, chain)
    })
  }

  #chainOf(accountId: string): Chain {
    const known = this.#chains.get(accountId)
    if (known) return known
    const fresh: Chain = { waiting: [], running: false, head: null, key: this.#keyring.derive('audit', accountId) }
    this.#chains.set(accountId, fresh)
    return fresh
  }

  async #run(accountId: string, chain: Chain): Promise<void> {
    chain.running = true
    await Promise.resolve() // let everything of this turn of the loop join
    while (chain.waiting.length > 0) await this.#flush(accountId, chain, chain.waiting.splice(0, LARGEST_BATCH))
    chain.running = false
  }

  /** One bad row must not fail its neighbours: a refused batch is tried again one by one. */
  async #flush(accountId: string, chain: Chain, batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#write(accountId, chain, batch)
    } catch (error) {
      if (batch.length === 1 || !isOfOneRow(error)) {
        for (const { failed } of batch) failed(error)
        return
      }
      for (const one of batch) await this.#flush(accountId, chain, [one])
    }
  }

  async #write(accountId: string, chain: Chain, batch: readonly Waiting[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      chain.head ??= await findHead(this.#db, accountId)
      const head = chain.head
      if (!head) throw new Error('The account has no audit chain.')
      const entries = link(chain.key, head, batch)
      const effects = grouped(accountId, batch)
      try {
        const results = await this.#db.batch([...appendSteps(accountId, head, entries), ...effects])
        const last = entries.at(-1)
        if (last) chain.head = { ...head, seq: last.seq, hash: last.hash }
        settle(batch, results.slice(2).flat())
        return
      } catch (error) {
        chain.head = null
        if (!(error instanceof ChainMoved) || attempt >= MOST_RETRIES) throw error
      }
    }
  }
}

/** Whether the error is about something in the batch, so that others may pass without it. */
function isOfOneRow(error: unknown): boolean {
  if (error instanceof NotAsExpected) return true
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code)
}

function link(key: Buffer, head: Head, batch: readonly Waiting[]): AuditEntry[] {
  const at = new Date(Date.now() + head.clockOffsetMs)
  let before = head.hash
  return batch.map(({ happening: { actor, action, subject, detail = {} } }, index) => {
    const entry = { seq: head.seq + 1 + index, at, actor, action, subject, detail }
    before = entryHash(key, before, entry)
    return { ...entry, hash: before }
  })
}

/** One step for each kind of effect, in the order in which they first appear. */
function grouped(accountId: string, batch: readonly Waiting[]): Step[] {
  const rows = new Map<Statement, Record<string, unknown>[]>()
  batch.forEach(({ happening }, index) => {
    for (const { statement, row } of happening.effects ?? []) {
      const list = rows.get(statement) ?? []
      list.push({ ...row, ref: index })
      rows.set(statement, list)
    }
  })
  return [...rows].map(([statement, list]) => [statement, [accountId, JSON.stringify(list)]])
}

function settle(batch: readonly Waiting[], rows: Rows): void {
  const mine = batch.map((): Rows => [])
  for (const row of rows) if (typeof row.ref === 'number') mine[row.ref]?.push(row)
  batch.forEach(({ done }, index) => {
    done(mine[index] ?? [])
  })
}
