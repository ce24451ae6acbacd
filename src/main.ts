import { resolve } from 'node:path'
import { inspect } from 'node:util'
import { createDemo } from './account/demo.ts'
import { buildApp } from './app.ts'
import { newLogger, standardOutput } from './log.ts'
import { BadSettings, readSettings, withoutSecrets } from './settings.ts'
import { EmbeddedUnavailable } from './store/database/embedded.ts'
import { MigrationFault } from './store/database/migrate.ts'
import { openForService } from './store/database/open.ts'

const ORPHAN_CHECK_MS = 250
/** How long closing may take beyond the time that running requests are given. */
const LAST_WORDS_SECONDS = 8

/** Runs the service until it is told to stop. */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(environment)
  const output = standardOutput()
  const logger = newLogger(settings, output)
  const store = await openForService(settings)
  const app = await buildApp(settings, store.db, store.masterKey, logger, output.dropped)
  const demo = store.embedded ? await createDemo(app.core) : null
  const { url, metricsPort } = await app.listen()
  logger.info({ url, metricsPort }, 'listening')
  if (demo) greet(settings.PUBLIC_URL ?? url.replace('127.0.0.1', 'localhost'), demo.key)
  else if (store.embedded) console.log(`Fyr answers at ${url} (data in ${resolve(settings.DATA_DIR)}).`)

  let stopping = false
  const stop = async (reason: string, code = 0) => {
    if (stopping) return
    stopping = true
    logger.info({ reason }, 'stopping')
    setTimeout(() => process.exit(1), (settings.DRAIN_SECONDS + LAST_WORDS_SECONDS) * 1_000).unref()
    await app.close()
    await store.close()
    process.exit(code)
  }
  // After an error that nobody caught nothing is certain any more: it stops in order, and its supervisor starts it anew.
  const giveUp = (kind: string, error: unknown) => {
    logger.error({ kind, name: error instanceof Error ? error.name : typeof error }, 'internal error')
    stop(kind, 1).catch(() => process.exit(1))
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
  process.on('uncaughtException', (error) => giveUp('uncaught exception', error))
  process.on('unhandledRejection', (error) => giveUp('unhandled rejection', error))
  endWithNpm(environment, () => void stop('parent gone'))
}

/** `npm start` that is killed can't tell us; a service left behind would hold the port and the data. */
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
  if (error instanceof BadSettings || error instanceof EmbeddedUnavailable || error instanceof MigrationFault) {
    console.error(withoutSecrets(error.message, process.env))
  } else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    console.error(`Port ${process.env.PORT || 8080} is taken. Set PORT to another one, or stop what uses it.`)
  } else {
    console.error(withoutSecrets(inspect(error), process.env))
  }
  process.exit(1)
}
