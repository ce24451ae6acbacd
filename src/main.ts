import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createDemo } from './account/demo.ts'
import { buildApp } from './app.ts'
import { tellFault } from './cli/print.ts'
import { newLogger, standardOutput } from './log.ts'
import { readSettings } from './settings.ts'
import { openForService } from './store/database/open.ts'

const ORPHAN_CHECK_MS = 250
/** A node that was told to stop has exited by then, whatever holds it up. */
const STOPPED_WITHIN_MS = 30_000

/** Runs the service until it is told to stop. */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(environment)
  const output = standardOutput()
  const logger = newLogger(settings, output)
  let lost = (): void => process.exit(1)
  const store = await openForService(settings, logger, (why) => {
    console.error(why)
    lost()
  })
  const app = await buildApp(settings, store.db, store.keyring, logger, output.dropped)
  const demo = store.embedded ? await createDemo(app.core) : null

  let stopping = false
  const hurry = new AbortController()
  const stop = async (reason: string, { code = 0, graceSeconds = 0 } = {}) => {
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
  // After an uncaught error nothing is certain any more: stop in order, and let the supervisor restart the node.
  const giveUp = (kind: string, error: unknown) => {
    logger.error({ kind, name: nameOf(error) }, 'internal error')
    void stop(kind, { code: 1 })
  }
  lost = () => void stop('database lost', { code: 1 })
  process.on('SIGTERM', () => void stop('SIGTERM', { graceSeconds: settings.GRACE_SECONDS }))
  process.on('SIGINT', () => void stop('SIGINT'))
  process.on('uncaughtException', (error) => giveUp('uncaught exception', error))
  process.on('unhandledRejection', (error) => giveUp('unhandled rejection', error))
  endWithNpm(environment, () => void stop('parent gone'))

  // Only now: a node that is seen as ready may already be told to stop.
  const { url, metricsPort } = await app.listen()
  logger.info({ url, metricsPort }, 'listening')
  if (demo) greet(settings.PUBLIC_URL ?? url.replace('127.0.0.1', 'localhost'), demo.key)
  else if (store.embedded) console.log(`Fyr answers at ${url} (data in ${resolve(settings.DATA_DIR)}).`)
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)

/** A killed `npm start` cannot tell us; an orphaned service would hold the port and the data. */
function endWithNpm(environment: NodeJS.ProcessEnv, stop: () => void): void {
  if (environment.npm_lifecycle_event !== 'start') return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stop()
  }, ORPHAN_CHECK_MS).unref()
}

function greet(url: string, key: string): void {
  console.log(`
Fyr is ready, with a demo clinic to try.

  Answer as a patient   ${url}/t/demo
  The API               ${url}/api/docs
  A key for it          ${key}
                        (shown this once; another: npx fyr key issue --configuration demo)

Create a session:

  curl -X POST ${url}/api/v1/session -H 'X-Service-API-Key: ${key}'
`)
}

try {
  await serve(process.env)
} catch (error) {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    console.error(`Port ${process.env.PORT || 8080} is taken. Set PORT to another one, or stop what uses it.`)
    process.exit(1)
  }
  process.exit(tellFault(error, false))
}
