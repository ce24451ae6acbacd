import type { Logger } from 'pino'
import { noteAccessChanges } from '../../account/access-changes.ts'
import { Checkpoints } from '../../events/checkpoint.ts'
import type { Core } from '../../events/core.ts'
import type { Objects } from '../../store/objects.ts'
import { keepHouse } from './housekeeping.ts'
import { carryOnResealing } from './reseal.ts'
import { trimAudit } from './trim-audit.ts'

const EVERY_MS = 60_000
const RESEAL_EVERY_MS = 5_000
const TRIM_EVERY_MS = 3_600_000

/**
 * What a running node does once a minute: end sessions left with an alarm, drop old cached sessions, write audit
 * checkpoints, record what hours and caps opened or closed, housekeeping, and a backup when one is due. Emergencies have a
 * timer of their own, so that they never wait for the rest; so have backups, the replacing of account keys and the trimming
 * of audit chains (once an hour), which may take long.
 */
export function startUpkeep(
  core: Core,
  logger: Logger,
  {
    checkpointFile,
    objects,
    endLeft,
    forgetOld,
    backUp,
    auditRetentionDays = null,
    everyMs = EVERY_MS,
    trimEveryMs = TRIM_EVERY_MS,
  }: {
    checkpointFile: string | null
    objects: Objects | null
    endLeft: () => Promise<unknown>
    forgetOld: () => void
    /** Gives up when the node stops. */
    backUp: (stopping: AbortSignal) => Promise<unknown>
    /** Null: for ever. */
    auditRetentionDays?: number | null
    everyMs?: number
    trimEveryMs?: number
  },
): { stop: () => Promise<void> } {
  const checkpoints = new Checkpoints(core, checkpointFile, (checkpoint) =>
    logger.info({ checkpoint }, 'audit checkpoint'),
  )
  const writeCheckpoints = () => attempt('audit checkpoint', () => checkpoints.write(new Date()))

  /** The database may be away for a while; the next round tries again. */
  async function attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      logger.warn({ what, name: error instanceof Error ? error.name : typeof error }, 'upkeep failed')
    }
  }

  async function trim(retentionDays: number): Promise<void> {
    const trimmed = await trimAudit(core, retentionDays)
    for (const { accountId, seq, fault } of trimmed?.notWhole ?? [])
      logger.error({ accountId, seq, fault }, 'an audit chain is not whole and is not trimmed')
    if (trimmed && trimmed.entries > 0) logger.info({ entries: trimmed.entries }, 'audit entries removed by retention')
  }

  const stopping = new AbortController()
  const clocks = [
    repeated(everyMs, () => attempt('backup', () => backUp(stopping.signal))),
    repeated(RESEAL_EVERY_MS, () => attempt('replacing account keys', () => carryOnResealing(core, stopping.signal))),
    repeated(trimEveryMs, async () => {
      if (auditRetentionDays !== null) await attempt('audit retention', () => trim(auditRetentionDays))
    }),
    repeated(everyMs, () => attempt('sessions left with an alarm', endLeft)),
    repeated(everyMs, async () => forgetOld()),
    repeated(everyMs, async () => {
      await writeCheckpoints()
      await attempt('openings and closings', () => noteAccessChanges(core))
      await attempt('housekeeping', async () => {
        const tidied = await keepHouse(core, objects)
        if (tidied && Object.values(tidied).some((count) => count > 0)) logger.info(tidied, 'housekeeping')
      })
    }),
  ]

  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(clocks.map((clock) => clock.stop()))
      await writeCheckpoints()
    },
  }
}

/** Runs a round at every tick, unless the one before is still running. */
function repeated(everyMs: number, round: () => Promise<void>): { stop: () => Promise<void> } {
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= round().finally(() => {
      running = null
    })
  }, everyMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
