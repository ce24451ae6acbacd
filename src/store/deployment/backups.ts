import type { Db } from '../database/db.ts'

export type LastBackup = { finishedAt: Date; verifiedAt: Date | null }

/** The last backup that was completed; null when none is recorded. Nothing records one yet. */
export const findLastBackup = async (_db: Db): Promise<LastBackup | null> => null
