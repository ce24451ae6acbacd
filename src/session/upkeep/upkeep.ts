import type { Logger } from 'pino'
import { Checkpoints } from '../../events/checkpoint.ts'
import type { Core } from '../../events/core.ts'
import { keepHouse } from './housekeeping.ts'

const EVERY_MS = 60_000

/** What a running node does by itself, once a minute: audit checkpoints, housekeeping, and ending sessions left with an alarm. */
export function startUpkeep(
  core: Core,
  logger: Logger,
  checkpointFile: string | null,
  endLeft: () => Promise<number>,
): { stop: () => Promise<void> } {
  const checkpoints = new Checkpoints(core, checkpointFile, (checkpoint) =>
    logger.info({ checkpoint }, 'audit checkpoint'),
  )
  let running: Promise<void> = Promise.resolve()

  async function round(): Promise<void> {
    await attempt('sessions left with an alarm', endLeft)
    await attempt('audit checkpoint', () => checkpoints.write(new Date()))
    await attempt('housekeeping', async () => {
      const tidied = await keepHouse(core)
      if (tidied && Object.values(tidied).some((count) => count > 0)) logger.info(tidied, 'housekeeping')
    })
  }

  /** The database may be away for a while; the next round tries again. */
  async function attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      logger.warn({ what, name: error instanceof Error ? error.name : typeof error }, 'upkeep failed')
    }
  }

  const timer = setInterval(() => {
    running = running.then(round)
  }, EVERY_MS)
  timer.unref()

  return {
    stop: async () => {
      clearInterval(timer)
      await running
      await attempt('audit checkpoint', () => checkpoints.write(new Date()))
    },
  }
}
