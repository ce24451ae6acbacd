import { createDemo, issueDemoKey } from '../account/demo.ts'
import type { Metrics } from '../http/metrics.ts'
import { newLogger, standardOutput } from '../log.ts'
import type { Settings } from '../settings.ts'
import { openForProcess } from '../store/database/open.ts'
import { hasContent } from './greeting.ts'
import type { FromMember, ToMember } from './messages.ts'
import { newNode } from './node.ts'
import { shareOfConnections } from './processes.ts'
import type { Stop } from './stopping.ts'

/** One of several processes: it serves once its supervisor has opened the database, and stops when that says so. */
export async function serveAsMember(settings: Settings): Promise<void> {
  // A signal to the whole group (Ctrl-C, systemd) reaches the supervisor too; obeyed twice, it would cut the grace short.
  process.on('SIGTERM', () => {})
  process.on('SIGINT', () => {})
  let stop: Stop = async () => process.exit(0)
  process.on('message', (message: ToMember) => {
    if (message.kind === 'stop') void stop(message.reason, message)
    if (message.kind === 'ping') tell({ kind: 'alive' })
  })
  const { number, processes, makesDemo } = await begun()
  const share = shareOfConnections(settings.DATABASE_CONNECTIONS, processes)
  const own = { ...settings, PROCESSES: processes, DATABASE_CONNECTIONS: share }
  const output = standardOutput()
  const logger = newLogger(settings, output, { process: number })
  const store = await openForProcess(own, logger)
  const node = await newNode(own, store, logger, output.dropped, number === 1)
  const isFirst = store.embedded && makesDemo
  if (isFirst) await createDemo(node.app.core)
  const isReady = await hasContent(store.db) // before it is seen as ready: then it may lose its database
  giveFigures(node.app.metrics, number)
  stop = node.stop

  const { url } = await node.app.listen({ withMetrics: false })
  logger.info({ url }, 'listening')
  const demoKey = isFirst ? await issueDemoKey(node.app.core) : null
  tell({ kind: 'listening', url, demoKey, hasContent: isReady })
}

/** Resolves when the supervisor says that this process may begin. */
const begun = (): Promise<Extract<ToMember, { kind: 'begin' }>> =>
  new Promise((done) => {
    process.on('message', (message: ToMember) => {
      if (message.kind === 'begin') done(message)
    })
  })

/** Each process has its number in its figures: summed up here, a restart would look like counters that run backwards. */
function giveFigures({ registry }: Metrics, number: number): void {
  registry.setDefaultLabels({ process: String(number) })
  process.on('message', async (message: ToMember) => {
    if (message.kind === 'measure')
      tell({ kind: 'measured', asked: message.asked, figures: await registry.getMetricsAsJSON() })
  })
}

/** A supervisor that is gone hears nothing; this process ends with it. */
const tell = (message: FromMember): unknown => process.send?.(message, undefined, undefined, () => {})
