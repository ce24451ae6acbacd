import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type App, buildApp } from '../app.ts'
import type { LogSink } from '../log.ts'
import type { Settings } from '../settings.ts'
import type { OpenStore } from '../store/database/open.ts'
import { nameOf, STOPPED_WITHIN_MS, type Stop, stopOnFaults } from './stopping.ts'

type Node = { app: App; stop: Stop }

/** Joins the parts on an open store, ready to listen. Told to stop, it ends the process; told twice, without waiting. */
export async function newNode(
  settings: Settings,
  store: OpenStore,
  logger: Logger,
  dropped: LogSink['dropped'],
  isFirst = true,
): Promise<Node> {
  const app = await buildApp(settings, store.db, store.keyring, logger, dropped, isFirst)
  let stopping = false
  const hurry = new AbortController()
  const stop: Stop = async (reason, { code = 0, graceSeconds = 0 } = {}) => {
    if (stopping) return hurry.abort() // told twice: stop without waiting
    stopping = true
    logger.info({ reason }, 'stopping')
    setTimeout(() => process.exit(1), STOPPED_WITHIN_MS).unref()
    app.retire()
    await wait(graceSeconds * 1_000, null, { signal: hurry.signal }).catch(() => {})
    await attempt('service', app.close)
    await attempt('database', store.close)
    process.exit(code)
  }
  /** The database may be away while the node stops; everything acknowledged is still safe. */
  const attempt = async (what: string, close: () => Promise<void>) => {
    try {
      await close()
    } catch (error) {
      logger.warn({ what, name: nameOf(error) }, 'not closed in order')
    }
  }
  stopOnFaults(logger, stop)
  return { app, stop }
}
