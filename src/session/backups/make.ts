import type { Core } from '../../events/core.ts'
import { startDeploymentChain } from '../../events/deployment.ts'
import { DEPLOYMENT } from '../../store/accounts.ts'
import { dump, type TableTotal } from '../../store/backup/dump.ts'
import type { Destination } from '../../store/backup/files.ts'
import { BACKUP_TURN, noteFailed, noteMade } from '../../store/backup/last-backups.ts'
import { DatabaseAway, StoreUnavailable } from '../../store/database/db.ts'
import { VERSION } from '../../version.ts'

export type Making = {
  backupKey: Buffer
  destination: () => Promise<Destination>
  /** Who asked for it, for the record. */
  actor: string
  /** In a node that serves patients: it works half of the time only, and gives up when the node stops. */
  beside?: { stopping: AbortSignal }
}

export type MadeBackup = {
  place: string
  takenAt: Date
  bytes: number
  seconds: number
  tables: TableTotal[]
  /** Whether the database could be told. */
  isNoted: boolean
}

/** Makes a backup, unless one is being made anywhere in the deployment. */
export async function makeBackup(core: Core, making: Making): Promise<MadeBackup> {
  const made = await core.db.exclusively(BACKUP_TURN, () => makeInTurn(core, making))
  if (!made) throw new StoreUnavailable('Another backup is being made at this moment. Wait for it to end.')
  return made
}

/**
 * Writes a backup and notes how it went; only for whoever has the turn. What was written of one that failed is removed
 * again.
 */
export async function makeInTurn(core: Core, making: Making): Promise<MadeBackup> {
  const begunMs = performance.now()
  try {
    const { place, bytes, takenAt, tables } = await written(core, making)
    const made = { place, takenAt, bytes, seconds: (performance.now() - begunMs) / 1_000, tables }
    return { ...made, isNoted: await note(core, made, making.actor) }
  } catch (error) {
    if (making.beside?.stopping.aborted) throw error
    await noteFailed(core.db, reasonOf(error)).catch(() => {}) // the database may be the reason
    throw error
  }
}

/** What is kept and logged of a failure: our own sentence, and of others the name alone. */
export function reasonOf(error: unknown): string {
  if (error instanceof StoreUnavailable) return error.message
  return error instanceof Error ? error.name : 'error'
}

/** A backup is as good when the database has no room to note it, or went away: then it is not on record, and that is told. */
async function note(
  core: Core,
  { place, takenAt, bytes }: Omit<MadeBackup, 'isNoted'>,
  actor: string,
): Promise<boolean> {
  try {
    await noteMade(core.db, takenAt, place, bytes)
    await startDeploymentChain(core)
    const detail = { takenAt: takenAt.toISOString(), bytes }
    await core.recorder.record({ accountId: DEPLOYMENT, actor, action: 'backup.made', subject: place, detail })
    return true
  } catch (error) {
    if (error instanceof DatabaseAway) return false
    throw error
  }
}

async function written(
  core: Core,
  { backupKey, destination, beside }: Making,
): Promise<Omit<MadeBackup, 'seconds' | 'isNoted'>> {
  const to = await destination()
  let bytes = 0
  let restedMs = performance.now()
  const write = async (piece: Buffer) => {
    await to.write(piece)
    bytes += piece.length
    beside?.stopping.throwIfAborted()
    if (beside) {
      await rest(performance.now() - restedMs)
      restedMs = performance.now()
    }
  }
  try {
    const { header, trailer } = await core.db.apart((client) =>
      dump(client, { version: VERSION, backupKey, masterKeyCheck: core.keyring.check.toString('hex'), write }),
    )
    await to.finish()
    return { place: to.name, takenAt: new Date(header.takenAt), bytes, tables: trailer.tables }
  } catch (error) {
    await to.abandon()
    throw error
  }
}

const rest = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms))
