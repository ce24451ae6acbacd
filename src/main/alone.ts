import { createDemo, issueDemoKey } from '../account/demo.ts'
import { newLogger, standardOutput } from '../log.ts'
import type { Settings } from '../settings.ts'
import { openForService } from '../store/database/open.ts'
import { greet, hasContent } from './greeting.ts'
import { becomeLean } from './lean.ts'
import { newNode } from './node.ts'
import { stopWhenTold } from './stopping.ts'

/** The whole service in this process. */
export async function serveAlone(settings: Settings, environment: NodeJS.ProcessEnv): Promise<void> {
  becomeLean()
  const output = standardOutput()
  const logger = newLogger(settings, output)
  let lost = (): void => process.exit(1)
  const store = await openForService(settings, logger, (why) => {
    console.error(why)
    lost()
  })
  const { app, stop } = await newNode(settings, store, logger, output.dropped)
  if (store.embedded) await createDemo(app.core)
  const isReady = await hasContent(store.db)
  lost = () => void stop('database lost', { code: 1 })
  stopWhenTold(settings, environment, stop)

  // Only now: a node that is seen as ready may already be told to stop, and may lose its database.
  const { url, metricsPort } = await app.listen()
  logger.info({ url, metricsPort }, 'listening')
  if (store.embedded) greet(settings, { url, demoKey: await issueDemoKey(app.core), hasContent: isReady })
}
