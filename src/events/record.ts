import { appendStep, findHead, type Head, holdHead, movedHead } from '../store/audit.ts'
import {
  type Database,
  DatabaseAway,
  type Db,
  StaleChain,
  type Statement,
  StatementTimeout,
  type Step,
  stepOf,
} from '../store/database/db.ts'
import type { Keyring } from '../store/sealing/keyring.ts'
import { accountLines } from './account-lines.ts'
import { link } from './chain.ts'

/**
 * A change that belongs to an event: a statement that takes the account and a JSON list of rows. It returns a row for
 * each with its `ref`, or raises through expect_rows when it could not do what was asked.
 */
export type Effect = {
  statement: Statement
  row: Record<string, unknown>
  /** It depends on what else happened in the account, so it is only right while the chain's end is held. */
  inOrder?: true
}

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
type Chain = { head: Head | null; key: Buffer }

const LARGEST_BATCH = 200
const LARGEST_BATCH_CHARACTERS = 4_000_000
/** How often another node may win the race; then this one waits in line. */
const MOST_LOST_RACES = 5
/** When this many of a batch are blocked it is not about single rows, and trying the rest would hold up everyone. */
const MOST_HELD_UP = 3
/** The step of a batch before those of its effects: the head is moved and the entries are added. */
const APPEND_STEP = 0
const FIRST_EFFECT_STEP = 1

/**
 * Writes what happened together with what changed. Whatever waits for the same account goes into one transaction,
 * guarded by the end of the chain it was computed from: a lock per request would cost eight times the throughput.
 */
export class Recorder {
  readonly #db: Database
  readonly #keyring: Keyring
  readonly #chains = new Map<string, Chain>()
  #hear: (happening: Happening) => void = () => {}
  readonly #lineUp = accountLines<Waiting>(
    (accountId, batch) => this.#flush(accountId, this.#chainOf(accountId), batch),
    nextBatch,
  )

  constructor(db: Database, keyring: Keyring) {
    this.#db = db
    this.#keyring = keyring
  }

  /** From now on this is told of everything that was recorded, once it is durable. */
  onRecorded(hear: (happening: Happening) => void): void {
    this.#hear = hear
  }

  /** Whoever listens counts and measures: a fault there changes nothing of what was recorded. */
  #tell(happening: Happening): void {
    try {
      this.#hear(happening)
    } catch {}
  }

  /** Resolves with the rows that the effects returned, once everything is durable; rejects with nothing changed. */
  record(happening: Happening): Promise<Rows> {
    return new Promise((settled, failed) => {
      const done = (rows: Rows) => {
        settled(rows)
        this.#tell(happening)
      }
      this.#lineUp(happening.accountId, { happening, done, failed })
    })
  }

  #chainOf(accountId: string): Chain {
    const known = this.#chains.get(accountId)
    if (known) return known
    const fresh: Chain = { head: null, key: this.#keyring.derive('audit', accountId) }
    this.#chains.set(accountId, fresh)
    return fresh
  }

  /**
   * One bad row must not fail its neighbours: those not involved in the failed step are retried together, the others
   * one by one.
   */
  async #flush(accountId: string, chain: Chain, batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#write(accountId, chain, batch)
    } catch (error) {
      const [only] = batch
      if (isOfAll(error)) for (const { failed } of batch) failed(error)
      else if (only && batch.length === 1) this.#refuse(accountId, chain, only, error)
      else {
        const { suspects, others } = divided(accountId, batch, error)
        if (others.length > 0) await this.#flush(accountId, chain, others)
        await this.#oneByOne(accountId, chain, suspects)
      }
    }
  }

  async #oneByOne(accountId: string, chain: Chain, suspects: readonly Waiting[]): Promise<void> {
    let heldUp = 0
    for (const one of suspects) {
      if (heldUp >= MOST_HELD_UP) {
        one.failed(new StatementTimeout('locked'))
        continue
      }
      try {
        await this.#write(accountId, chain, [one])
      } catch (error) {
        if (error instanceof StatementTimeout) heldUp += error.why === 'locked' && !isOfAll(error) ? 1 : MOST_HELD_UP
        this.#refuse(accountId, chain, one, error)
      }
    }
  }

  /** An event that waits for a locked row goes on waiting separately, and the chain continues without it. */
  #refuse(accountId: string, chain: Chain, one: Waiting, error: unknown): void {
    const isInOrder = one.happening.effects?.some(({ inOrder }) => inOrder)
    const canWait = error instanceof StatementTimeout && error.why === 'locked' && !isOfAll(error) && !isInOrder
    if (!canWait) one.failed(error)
    else
      this.#db
        .waitingTransaction((tx) => writeWaiting(tx, accountId, chain.key, one))
        .then((rows) => settle([one], rows), one.failed)
  }

  async #write(accountId: string, chain: Chain, batch: readonly Waiting[]): Promise<void> {
    for (let lost = 0; lost < MOST_LOST_RACES; lost++) {
      chain.head ??= await findHead(this.#db, accountId)
      const head = chain.head ?? noChain()
      const entries = link(chain.key, head, happeningsOf(batch))
      const effects = grouped(accountId, batch)
      try {
        const results = await this.#db.batch([appendStep(accountId, head, entries), ...effects])
        const last = entries.at(-1)
        if (last) chain.head = movedHead(head, last, results[APPEND_STEP]?.[0])
        return settle(batch, results.slice(FIRST_EFFECT_STEP).flat())
      } catch (error) {
        chain.head = null
        if (isAtHead(error)) break // somebody holds it for long: racing is useless
        if (!(error instanceof StaleChain)) throw error
      }
    }
    settle(batch, await this.#db.transaction((tx) => writeInLine(tx, accountId, chain.key, batch)))
  }
}

/** The longest-waiting events, as many as one batch takes. */
function nextBatch(waiting: Waiting[]): Waiting[] {
  let characters = 0
  const end = waiting.findIndex(({ happening }, at) => {
    characters += weightOf(happening)
    return at === LARGEST_BATCH || (at > 0 && characters > LARGEST_BATCH_CHARACTERS)
  })
  return waiting.splice(0, end < 0 ? waiting.length : end)
}

function weightOf({ effects = [] }: Happening): number {
  let characters = 0
  for (const { row } of effects)
    for (const name in row) {
      const value = row[name]
      if (typeof value === 'string') characters += value.length
    }
  return characters
}

/** The end of the chain could not be acquired. */
const isAtHead = (error: unknown): boolean => error instanceof StatementTimeout && stepOf(error) === APPEND_STEP

/** Nothing of this account can be written at the moment. */
const isOfAll = (error: unknown): boolean => error instanceof DatabaseAway || isAtHead(error)

/**
 * Splits a failed batch into those involved in the failed step and the others; all are involved when the step belongs
 * to none of them.
 */
function divided(accountId: string, batch: readonly Waiting[], error: unknown) {
  const step = (stepOf(error) ?? -1) - FIRST_EFFECT_STEP
  const statement = grouped(accountId, batch)[step]?.[0]
  if (!statement) return { suspects: batch, others: [] }
  const hadPart = ({ happening }: Waiting) =>
    happening.effects?.some((effect) => effect.statement === statement) === true
  return { suspects: batch.filter(hadPart), others: batch.filter((one) => !hadPart(one)) }
}

/** Waits for the end of the chain instead of racing for it. */
async function writeInLine(tx: Db, accountId: string, key: Buffer, batch: readonly Waiting[]): Promise<Rows> {
  const head = (await holdHead(tx, accountId).catch(asAtHead)) ?? noChain()
  await runAll(tx, [appendStep(accountId, head, link(key, head, happeningsOf(batch)))])
  return runAll(tx, grouped(accountId, batch))
}

/** Makes its changes first and takes the end of the chain last, so that the chain never waits for what they wait for. */
async function writeWaiting(tx: Db, accountId: string, key: Buffer, one: Waiting): Promise<Rows> {
  const rows = await runAll(tx, grouped(accountId, [one]))
  const head = (await holdHead(tx, accountId)) ?? noChain()
  await runAll(tx, [appendStep(accountId, head, link(key, head, [one.happening]))])
  return rows
}

async function runAll(tx: Db, steps: readonly Step[]): Promise<Rows> {
  const rows: Rows = []
  for (const [statement, values] of steps) rows.push(...(await tx.query<Rows[number]>(statement, values)))
  return rows
}

function asAtHead(error: unknown): never {
  throw error instanceof StatementTimeout ? Object.assign(error, { step: APPEND_STEP }) : error
}

function noChain(): never {
  throw new Error('The account has no audit chain.')
}

const happeningsOf = (batch: readonly Waiting[]): Happening[] => batch.map(({ happening }) => happening)

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
