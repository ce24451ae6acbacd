import cluster, { type Worker } from 'node:cluster'
import { getCompileCacheDir } from 'node:module'
import type { Logger } from 'pino'
import { portOf, serveMetrics } from '../http/metrics.ts'
import { newLogger } from '../log.ts'
import { MAIN } from '../root.ts'
import type { Settings } from '../settings.ts'
import { lookAtDatabase } from '../store/database/look.ts'
import { type OpenStore, openForService } from '../store/database/open.ts'
import { AllFigures } from './figures.ts'
import { greet } from './greeting.ts'
import { LEAN, LEAN_ENVIRONMENT } from './lean.ts'
import type { FromMember, ToMember } from './messages.ts'
import { processesWithin } from './processes.ts'
import { nameOf, STOPPED_WITHIN_MS, type Stop, stopOnFaults, stopWhenTold } from './stopping.ts'

/** The wait before each start of a process that keeps ending. After the last one all end, unless others serve. */
const WAITS_MS = [0, 250, 500, 1_000, 2_000, 4_000, 8_000, 15_000]
/** A process that has served this long has recovered, and is started at once the next time. */
const RECOVERED_MS = 60_000
const PING_MS = 2_000
/** A process that leaves so many signs of life out is stuck: it holds connections and answers none. */
const MOST_MISSED = 15
/** Processes that have not stopped by then are killed, so that the database can still be closed in order. */
const KILLED_AFTER_MS = STOPPED_WITHIN_MS - 1_500

type Member = {
  number: number
  worker: Worker
  listeningSince: number | null
  /** Ends in a row. */
  ends: number
  missed: number
}

/** The service in several processes behind one port: opens the database, starts them, and starts again what ends. */
export async function supervise(settings: Settings, environment: NodeJS.ProcessEnv, most: number): Promise<void> {
  const logger = newLogger(settings)
  let lost = (): void => process.exit(1)
  cluster.setupPrimary({ exec: MAIN, args: [], execArgv: [...process.execArgv, ...LEAN], serialization: 'advanced' })
  const first = startProcess() // it loads while the database starts
  const store = await openForService(settings, logger, (why) => {
    console.error(why)
    lost()
  }).catch((error) => {
    first.process.kill('SIGKILL') // left behind, it would complain that nobody listens, below the sentence that says why
    throw error
  })
  const processes = await countWithin(settings, store, most, logger)
  const supervisor = new Supervisor(settings, store, logger, processes)
  lost = () => void supervisor.stop('database lost', { code: 1 })
  stopOnFaults(logger, supervisor.stop)
  stopWhenTold(settings, environment, supervisor.stop)
  const started = await supervisor.begin(first)
  if (store.embedded) greet(settings, started)
}

const startProcess = (): Worker => cluster.fork({ NODE_COMPILE_CACHE: getCompileCacheDir() ?? '', ...LEAN_ENVIRONMENT })

/** From here on the processes use the database, each with connections of its own. */
async function countWithin(settings: Settings, store: OpenStore, most: number, logger: Logger): Promise<number> {
  const { mostConnections } = await lookAtDatabase(store.db)
  await store.db.close()
  const processes = processesWithin(settings, most, mostConnections)
  if (processes < most)
    logger.warn(
      { processes, cores: most, mostConnections },
      'fewer processes than cores: the database takes too few connections',
    )
  return processes
}

type Listening = Extract<FromMember, { kind: 'listening' }>

class Supervisor {
  readonly #settings: Settings
  readonly #store: OpenStore
  readonly #logger: Logger
  readonly #processes: number
  readonly #members = new Map<number, Member>()
  readonly #figures: AllFigures
  readonly #begun = Promise.withResolvers<Listening>()
  #isStopping = false
  #code = 0
  #ended = (): void => {}

  constructor(settings: Settings, store: OpenStore, logger: Logger, processes: number) {
    this.#settings = settings
    this.#store = store
    this.#logger = logger
    this.#processes = processes
    this.#figures = new AllFigures(processes, () => this.#listening().length)
  }

  /** The first process alone, so that whatever keeps it from serving is said once; then the others. */
  async begin(first: Worker): Promise<Listening> {
    this.#add(1, first, 0)
    const listening = await this.#begun.promise
    for (let number = 2; number <= this.#processes; number++) this.#add(number, startProcess(), 0)
    setInterval(() => this.#ping(), PING_MS).unref()
    const collect = () => this.#figures.collect(this.#listening().map(askable))
    const metrics = await serveMetrics(collect, this.#settings, this.#logger)
    this.#logger.info({ processes: this.#processes, metricsPort: portOf(metrics) }, 'supervising')
    return listening
  }

  /** Every process drains by itself, within the same times as one alone; then the database is closed. */
  readonly stop: Stop = async (reason, { code = 0, graceSeconds = 0 } = {}) => {
    const message: ToMember = { kind: 'stop', reason, code: 0, graceSeconds }
    for (const { worker } of this.#members.values()) say(worker, message)
    if (this.#isStopping) return
    this.#isStopping = true
    this.#code = code
    this.#logger.info({ reason }, 'stopping')
    setTimeout(() => process.exit(1), STOPPED_WITHIN_MS).unref()
    setTimeout(() => {
      for (const { worker } of this.#members.values()) worker.process.kill('SIGKILL')
    }, KILLED_AFTER_MS).unref()
    if (this.#members.size > 0) await new Promise<void>((done) => (this.#ended = done))
    await this.#store.close().catch((error) => {
      this.#logger.warn({ what: 'database', name: nameOf(error) }, 'not closed in order')
    })
    process.exit(this.#code)
  }

  #listening(): Member[] {
    return [...this.#members.values()].filter(({ listeningSince }) => listeningSince !== null)
  }

  #add(number: number, worker: Worker, ends: number): void {
    const member: Member = { number, worker, listeningSince: null, ends, missed: 0 }
    this.#members.set(number, member)
    worker.on('message', (message: FromMember) => this.#hear(member, message))
    worker.on('error', () => {}) // it is ending, and its end is heard
    worker.on('exit', (code, signal) => this.#end(member, signal ? `ended by ${signal}` : `ended with ${code}`))
    say(worker, { kind: 'begin', number, processes: this.#processes, makesDemo: number === 1 && ends === 0 })
    if (worker.isDead()) this.#end(member, 'ended at its start')
  }

  #hear(member: Member, message: FromMember): void {
    member.missed = 0
    if (message.kind === 'measured') this.#figures.hear(message)
    if (message.kind !== 'listening') return
    member.listeningSince = performance.now()
    this.#begun.resolve(message)
  }

  #end({ number, ends: before, listeningSince }: Member, how: string): void {
    this.#members.delete(number)
    if (this.#isStopping) {
      if (how !== 'ended with 0') this.#code = 1
      if (this.#members.size === 0) this.#ended()
      return
    }
    const hasRecovered = listeningSince !== null && performance.now() - listeningSince > RECOVERED_MS
    const ends = hasRecovered ? 1 : before + 1
    const waitMs = WAITS_MS[ends - 1] ?? WAITS_MS.at(-1) ?? 0
    const isFirstStart = number === 1 && listeningSince === null && before === 0
    if (isFirstStart || (ends > WAITS_MS.length && this.#members.size === 0)) {
      this.#logger.error({ number, how }, 'no process can serve')
      return void this.stop('no process can serve', { code: 1 })
    }
    this.#logger.error({ number, how, waitMs }, 'a process ended; it is started again')
    this.#figures.restarted()
    setTimeout(() => {
      if (!this.#isStopping) this.#add(number, startProcess(), ends)
    }, waitMs)
  }

  #ping(): void {
    for (const member of this.#listening()) {
      if (++member.missed > MOST_MISSED) {
        this.#logger.error({ number: member.number }, 'a process is stuck; it is ended')
        member.worker.process.kill('SIGKILL')
      } else say(member.worker, { kind: 'ping' })
    }
  }
}

const askable = ({ worker }: Member) => ({ send: (asked: number) => say(worker, { kind: 'measure', asked }) })

/** A process that is gone hears nothing, and its end is heard. */
const say = (worker: Worker, message: ToMember): unknown => worker.isConnected() && worker.send(message, () => {})
