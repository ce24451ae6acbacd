import { setTimeout as wait } from 'node:timers/promises'
import { type Database, DatabaseAway, StatementTimeout } from '../../store/database/db.ts'
import { type ClaimedDelivery, type Settlement, settleDeliveries } from '../../store/webhooks/deliveries.ts'
import { EVENTS } from '../../store/webhooks/events.ts'
import { accountLines } from '../account-lines.ts'
import { waitAfter } from './schedule.ts'
import type { Sent } from './send.ts'

const PATIENCE_MS = 40_000 // within the lease, less the longest attempt
const BETWEEN_TRIES_MS = 250
const SECONDS_AFTER_CUT = 1

/**
 * What an attempt's end means for its delivery. A test is tried once: whoever asked for it is watching. An attempt cut
 * off by a stopping node is taken up by another at once, and does not count against the receiver.
 */
export function settlementOf(
  delivery: ClaimedDelivery,
  sent: Sent,
  sealedAnswer: Buffer | null,
  chance: number,
): Settlement {
  const isAnswered = sent.kind === 'answered'
  const isDelivered = isAnswered && sent.status >= 200 && sent.status < 300
  const isFinal = (isAnswered && sent.status === 410) || EVENTS[delivery.type].isTest
  const isCut = !isAnswered && sent.error === 'interrupted'
  const waitSeconds = isCut
    ? SECONDS_AFTER_CUT
    : isFinal
      ? null
      : waitAfter(delivery.tries, isAnswered ? sent.retryAfterSeconds : null, chance)
  return {
    id: delivery.id,
    claim: delivery.claim,
    outcome: isDelivered ? 'delivered' : waitSeconds === null ? 'failed' : 'retry',
    wait_seconds: isDelivered ? null : waitSeconds,
    status: isAnswered ? sent.status : null,
    error: isAnswered ? null : sent.error,
    duration_ms: sent.durationMs,
    sealed_answer: sealedAnswer?.toString('hex') ?? null,
  }
}

/** A delivery that cannot be sent at all, and why: it is parked without contacting the receiver. */
export function unsendable({ id, claim }: ClaimedDelivery, error: 'session-erased' | 'unreadable'): Settlement {
  const nothing = { wait_seconds: null, status: null, duration_ms: null, sealed_answer: null }
  return { id, claim, outcome: 'failed', error, ...nothing }
}

type Waiting = { settlement: Settlement; done: () => void; failed: (error: unknown) => void }

/** Stores how attempts ended. Whatever waits for the same account goes into one statement. */
export class Settler {
  readonly #db: Database
  readonly #lineUp = accountLines<Waiting>((accountId, batch) => this.#settle(accountId, batch))

  constructor(db: Database) {
    this.#db = db
  }

  settle(accountId: string, settlement: Settlement): Promise<void> {
    return new Promise((done, failed) => this.#lineUp(accountId, { settlement, done, failed }))
  }

  async #settle(accountId: string, batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#write(accountId, batch)
      for (const { done } of batch) done()
    } catch (error) {
      for (const { failed } of batch) failed(error)
    }
  }

  /** A brief outage of the database must not make receivers get everything twice. */
  async #write(accountId: string, batch: readonly Waiting[]): Promise<void> {
    const settlements = batch.map(({ settlement }) => settlement)
    for (const deadline = performance.now() + PATIENCE_MS; ; ) {
      try {
        await settleDeliveries(this.#db, accountId, settlements)
        return
      } catch (error) {
        const isPassing = error instanceof DatabaseAway || error instanceof StatementTimeout
        if (!isPassing || performance.now() > deadline) throw error
        await wait(BETWEEN_TRIES_MS)
      }
    }
  }
}
