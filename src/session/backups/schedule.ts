import type { Logger } from 'pino'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Core } from '../../events/core.ts'
import { backupFolderOf, type Settings } from '../../settings.ts'
import { refuseUnfitFolder, removeOldBackups } from '../../store/backup/files.ts'
import { backupKeyCheck } from '../../store/backup/format.ts'
import { backupKeyToMakeWith } from '../../store/backup/key.ts'
import { BACKUP_TURN, findLastBackups, isBackupDue, noteFailed } from '../../store/backup/last-backups.ts'
import { destinationAt } from '../../store/backup/places.ts'
import type { Database } from '../../store/database/db.ts'
import { type MadeBackup, makeInTurn, reasonOf } from './make.ts'

export type Scheduled = {
  core: Core
  settings: Settings
  logger: Logger
  measures: BackupMeasures
  stopping: AbortSignal
}

/**
 * Tells at the start, and not only when a backup is due, that the folder for them is missing: its name may be mistyped, or
 * its disk not mounted. Patients are served all the same.
 */
export async function lookAtFolder({
  core,
  settings: { BACKUP_DIR: folder, BACKUP_EVERY_HOURS: everyHours },
  logger,
  measures,
}: Omit<Scheduled, 'stopping'>): Promise<void> {
  if (folder === null || everyHours === 0) return
  try {
    await refuseUnfitFolder(folder)
  } catch (error) {
    measures.failed()
    const why = reasonOf(error)
    logger.error({ why }, 'no scheduled backup can be made as things are')
    await noteFailed(core.db, why).catch(() => {}) // the log has said it
  }
}

/**
 * Makes a backup when one is due, then deletes old ones. Any node may, by the database's clock, and only one does. Null
 * when none is due, none are wanted, or another node is at it.
 */
export async function makeDueBackup({
  core,
  settings,
  logger,
  measures,
  stopping,
}: Scheduled): Promise<MadeBackup | null> {
  const { BACKUP_EVERY_HOURS: everyHours, BACKUP_KEEP: keep } = settings
  const folder = backupFolderOf(settings)
  if (folder === null || everyHours === 0) return null
  return core.db.exclusively(BACKUP_TURN, async () => {
    if (!(await isBackupDue(core.db, everyHours))) return null
    try {
      const { key } = backupKeyToMakeWith(settings)
      const destination = () => destinationAt(settings, `${folder}/`, new Date())
      const made = await makeInTurn(core, { backupKey: key, destination, actor: 'fyr', beside: { stopping } })
      logger.info({ bytes: made.bytes, seconds: made.seconds }, 'backup made')
      await removeOldBackups(folder, keep, backupKeyCheck(key)).catch((error) =>
        logger.warn({ name: error instanceof Error ? error.name : 'error' }, 'old backups could not be removed'),
      )
      return made
    } catch (error) {
      if (stopping.aborted) return null
      measures.failed()
      logger.error({ why: reasonOf(error) }, 'the scheduled backup failed; it is tried again in a quarter of an hour')
      return null
    }
  })
}

/** Metrics of backups: when the last one was made, how large it is, and how many failed on this node. */
export class BackupMeasures {
  readonly #failures: Counter

  constructor(registry: Registry, db: Database) {
    new Gauge({
      name: 'fyr_backup_last_success_timestamp_seconds',
      help: 'The moment that the last backup holds; 0 when there was none. The same on every node',
      registers: [registry],
      async collect() {
        // With the database away it is unknown, not never.
        const [at] = await findLastBackups(db).then(
          ({ made }) => [made ? made.at.getTime() / 1_000 : 0],
          () => [Number.NaN],
        )
        this.set(at ?? 0)
      },
    })
    this.#failures = new Counter({
      name: 'fyr_backup_failures_total',
      help: 'Scheduled backups of this node that failed',
      registers: [registry],
    })
  }

  failed(): void {
    this.#failures.inc()
  }
}
