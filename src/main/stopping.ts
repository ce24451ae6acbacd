import type { Logger } from 'pino'
import type { Settings } from '../settings.ts'

const ORPHAN_CHECK_MS = 250
/** A process that was told to stop has exited by then, whatever holds it up. */
export const STOPPED_WITHIN_MS = 30_000

/** Stops in order and ends the process; called again, it stops without waiting. */
export type Stop = (reason: string, how?: { code?: number; graceSeconds?: number }) => Promise<void>

/** Stops when the operator says so, or when the `npm start` that began it is gone. */
export function stopWhenTold(
  settings: Pick<Settings, 'GRACE_SECONDS'>,
  environment: NodeJS.ProcessEnv,
  stop: Stop,
): void {
  process.on('SIGTERM', () => void stop('SIGTERM', { graceSeconds: settings.GRACE_SECONDS }))
  process.on('SIGINT', () => void stop('SIGINT'))
  endWithNpm(environment, () => void stop('parent gone'))
}

/** A killed `npm start` cannot tell us; an orphaned service would hold the port and the data. */
function endWithNpm(environment: NodeJS.ProcessEnv, stop: () => void): void {
  if (environment.npm_lifecycle_event !== 'start') return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stop()
  }, ORPHAN_CHECK_MS).unref()
}

/** After an uncaught error nothing is certain any more: stop in order, and let the supervisor restart the process. */
export function stopOnFaults(logger: Logger, stop: Stop): void {
  const giveUp = (kind: string, error: unknown) => {
    logger.error({ kind, name: nameOf(error) }, 'internal error')
    void stop(kind, { code: 1 })
  }
  process.on('uncaughtException', (error) => giveUp('uncaught exception', error))
  process.on('unhandledRejection', (error) => giveUp('unhandled rejection', error))
}

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)
