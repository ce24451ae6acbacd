import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Settings } from '../../settings.ts'
import { PreconditionFailed } from '../../store/database/db.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  deleteOrphans,
  parkDeliveries,
  type Settlement,
} from '../../store/webhooks/deliveries.ts'
import type { EndpointPlace, SendingEndpoint } from '../../store/webhooks/endpoints.ts'
import { listDueEndpoints } from '../../store/webhooks/watch.ts'
import type { Core } from '../core.ts'
import { type TellSpan, tellNobody } from '../telemetry/spans.ts'
import { attempt, type Tools } from './attempt.ts'
import { guardedAgent } from './connector.ts'
import { Guard, type GuardSettings } from './guard.ts'
import { DeliveryMeasures } from './measures.ts'
import { MOST_TRIES } from './schedule.ts'
import { Settler } from './settle.ts'
import { nameOf, stopWebhook, watchWebhooks } from './watch.ts'

const LISTEN_AGAIN_MS = 1_000
const LONGEST_SLEEP_MS = 10_000
const SHORTEST_SLEEP_MS = 20
const AT_ONCE_IN_ALL = 500
const LIMITS = { mostWhenFailing: 2, leaseSeconds: 60, mostTries: MOST_TRIES }
const WOKEN = /^([0-9a-f-]{36}) ([0-9a-f-]{36}) ([a-z0-9-]+)$/

export type DelivererSettings = GuardSettings &
  Pick<Settings, 'WEBHOOK_CONCURRENCY' | 'WEBHOOK_CA_FILE' | 'DRAIN_SECONDS'>

/** One receiver's share of this node: a slow or dead receiver holds up no other. */
type Lane = EndpointPlace & {
  sending: number
  isFailing: boolean
  isClaiming: boolean
  claimAgain: boolean
}

const nameOfLane = ({ accountId, configurationId, endpoint }: EndpointPlace): string =>
  `${accountId} ${configurationId} ${endpoint}`

/** Starts sending queued events. Any number of nodes may do so; each event is claimed by one node at a time. */
export async function startDeliverer(
  core: Core,
  settings: DelivererSettings,
  logger: Logger,
  { registry, tell = tellNobody }: { registry: Registry; tell?: TellSpan },
): Promise<{ stop: () => Promise<void> }> {
  const measures = new DeliveryMeasures(registry, core.db, tell)
  if (settings.WEBHOOK_CONCURRENCY === 0) return { stop: async () => {} }
  const watch = watchWebhooks(core, logger)
  const deliverer = new Deliverer(core, settings, logger, measures)
  await deliverer.start()
  return {
    stop: async () => {
      await deliverer.stop()
      await watch.stop()
    },
  }
}

class Deliverer {
  readonly #core: Core
  readonly #settings: DelivererSettings
  readonly #logger: Logger
  readonly #tools: Tools
  readonly #settler: Settler
  readonly #lanes = new Map<string, Lane>()
  readonly #work = new Set<Promise<void>>()
  readonly #cut = new AbortController()
  #sending = 0
  #isStopped = false
  #lookAt = Infinity
  #timer: NodeJS.Timeout | undefined

  constructor(core: Core, settings: DelivererSettings, logger: Logger, measures: DeliveryMeasures) {
    this.#core = core
    this.#settings = settings
    this.#logger = logger
    const guard = new Guard(settings)
    const agent = guardedAgent(guard, settings.WEBHOOK_CA_FILE)
    this.#tools = { keyring: core.keyring, guard, agent, measures, logger, cut: this.#cut.signal }
    this.#settler = new Settler(core.db)
  }

  /** Patients are served already: a database that goes just now is waited for, and does not end the service. */
  async start(): Promise<void> {
    const hear = (payload: string) => {
      const [, accountId, configurationId, endpoint] = WOKEN.exec(payload) ?? []
      if (accountId && configurationId && endpoint) this.#wake({ accountId, configurationId, endpoint })
    }
    try {
      await this.#core.db.listen('fyr_webhook', hear, () => this.#look())
    } catch (error) {
      if (this.#isStopped) return
      this.#logger.warn({ name: nameOf(error) }, 'webhooks are not woken yet: the database is away')
      setTimeout(() => void this.start(), LISTEN_AGAIN_MS).unref()
    }
    this.#look()
  }

  /** Claims nothing more, lets running attempts finish for as long as requests may take, then cuts them off. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    const cut = setTimeout(() => this.#cut.abort(), this.#settings.DRAIN_SECONDS * 1_000)
    while (this.#work.size > 0) await Promise.all(this.#work)
    clearTimeout(cut)
    await this.#tools.agent.destroy()
  }

  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error) => this.#logger.warn({ name: nameOf(error) }, 'webhook delivery failed on our side'))
      .finally(() => this.#work.delete(tracked))
    this.#work.add(tracked)
  }

  /** Notifications wake a lane at once; polling finds retries that come due, and missed notifications. */
  #look(): void {
    if (this.#isStopped) return
    this.#lookAt = Infinity
    this.#lookIn(LONGEST_SLEEP_MS / 1_000)
    this.#track(this.#findDue())
  }

  async #findDue(): Promise<void> {
    for (const due of await listDueEndpoints(this.#core.db)) {
      const { account_id: accountId, configuration_id: configurationId, endpoint } = due
      if (due.due_in_seconds <= 0) this.#wake({ accountId, configurationId, endpoint })
      else return this.#lookIn(due.due_in_seconds) // they are sorted by time
    }
  }

  #lookIn(seconds: number): void {
    const sleepMs = Math.max(SHORTEST_SLEEP_MS, seconds * 1_000)
    const at = performance.now() + sleepMs
    if (this.#isStopped || at >= this.#lookAt) return
    this.#lookAt = at
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), sleepMs)
  }

  #wake({ accountId, configurationId, endpoint }: EndpointPlace): void {
    if (this.#isStopped) return
    const place = { accountId, configurationId, endpoint }
    const key = nameOfLane(place)
    const known = this.#lanes.get(key)
    if (known?.isClaiming) {
      known.claimAgain = true
      return
    }
    const fresh = { ...place, sending: 0, isFailing: false, isClaiming: false, claimAgain: false }
    const lane = known ?? fresh
    this.#lanes.set(key, lane)
    this.#track(this.#fill(lane))
  }

  async #fill(lane: Lane): Promise<void> {
    lane.isClaiming = true
    try {
      do {
        lane.claimAgain = false
        await this.#claim(lane)
      } while (lane.claimAgain && !this.#isStopped)
    } finally {
      lane.isClaiming = false
      if (lane.sending === 0) this.#lanes.delete(nameOfLane(lane))
    }
  }

  async #claim(lane: Lane): Promise<void> {
    const { db } = this.#core
    const most = this.#roomIn(lane)
    if (most <= 0) return // the end of a running attempt calls this again
    const { endpoint, deliveries } = await claimDeliveries(db, lane, { most, ...LIMITS })
    if (!endpoint) {
      await deleteOrphans(db, lane)
      return
    }
    lane.isFailing = endpoint.failing_since !== null
    for (const delivery of deliveries) {
      lane.sending++
      this.#sending++
      this.#track(this.#deliver(lane, endpoint, delivery))
    }
    if (!endpoint.enabled) await parkDeliveries(db, lane)
  }

  /** An idle lane may always send one, however busy the others are; a failing one gets little at a time. */
  #roomIn(lane: Lane): number {
    const most = Math.min(this.#settings.WEBHOOK_CONCURRENCY, lane.isFailing ? LIMITS.mostWhenFailing : Infinity)
    const room = Math.min(most - lane.sending, AT_ONCE_IN_ALL - this.#sending)
    return lane.sending === 0 ? Math.max(1, room) : room
  }

  async #deliver(lane: Lane, endpoint: SendingEndpoint, delivery: ClaimedDelivery): Promise<void> {
    try {
      const settlement = await attempt(this.#tools, lane.accountId, endpoint, delivery)
      if (settlement.status === 410) await this.#stopGone(lane, settlement)
      else await this.#settler.settle(lane.accountId, settlement)
      if (settlement.wait_seconds !== null) this.#lookIn(settlement.wait_seconds)
    } finally {
      lane.sending--
      this.#sending--
      this.#wake(lane)
    }
  }

  async #stopGone(lane: Lane, settlement: Settlement): Promise<void> {
    try {
      await stopWebhook({ core: this.#core, logger: this.#logger }, lane, 'gone', settlement)
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error // already stopped by another answer of the same kind
      await this.#settler.settle(lane.accountId, settlement)
    }
  }
}
