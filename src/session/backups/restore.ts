import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Core, coreOf } from '../../events/core.ts'
import { startDeploymentChain } from '../../events/deployment.ts'
import type { Settings } from '../../settings.ts'
import { DEPLOYMENT } from '../../store/accounts.ts'
import type { TableTotal, Trailer } from '../../store/backup/dump.ts'
import { BadBackup, type Header } from '../../store/backup/format.ts'
import { type Backup, type Check, load, openBackup, sameAsWritten } from '../../store/backup/load.ts'
import { keyOf, openRestored } from '../../store/database/open.ts'
import { checkOf } from '../../store/sealing/keyring.ts'
import { keysGiven } from '../../store/sealing/master-key.ts'

export type Restored = { header: Header; tables: TableTotal[] }

export type Restoring = { parts: AsyncIterable<Buffer>; backupKey: Buffer }

/** Restores a backup into the empty database of these settings, and brings it to this version. */
export function restoreBackup(settings: Settings, restoring: Restoring, actor: string): Promise<Restored> {
  return restored(settings, restoring, {
    masters: null,
    check: () => async () => {},
    afterwards: async (core, { takenAt, version }) => {
      await startDeploymentChain(core)
      const detail = { takenAt, version }
      await core.recorder.record({ accountId: DEPLOYMENT, actor, action: 'backup.restored', subject: takenAt, detail })
    },
  })
}

/**
 * Restores a backup into a database of its own, made for this and deleted afterwards, and compares every value with what
 * was written; then does the given work there.
 */
export async function rehearse(
  settings: Settings,
  restoring: Restoring,
  work: (core: Core) => Promise<void>,
  scratch: string = tmpdir(),
): Promise<Restored> {
  const folder = mkdtempSync(join(scratch, 'fyr-verify-'))
  try {
    const masters = await keysGiven(keyOf(settings))
    const apart = { ...settings, DATABASE_URL: null, DATA_DIR: folder, ...NO_MASTER_KEY }
    return await restored(apart, restoring, { masters, check: sameAsWritten, afterwards: work })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const NO_MASTER_KEY = {
  MASTER_KEY: null,
  MASTER_KEY_FILE: null,
  MASTER_KEY_COMMAND: null,
  MASTER_KEY_PREVIOUS: null,
  MASTER_KEY_PREVIOUS_FILE: null,
  MASTER_KEY_PREVIOUS_COMMAND: null,
}

type Steps = {
  /** The master keys one of which the backup may belong to; null: those of the settings. */
  masters: Buffer[] | null
  check: (backup: Backup) => Check
  afterwards: (core: Core, header: Header) => Promise<void>
}

async function restored(settings: Settings, { parts, backupKey }: Restoring, steps: Steps): Promise<Restored> {
  const backup = await openBackup(parts, backupKey)
  try {
    const master = masterOf(backup.header, steps.masters ?? (await keysGiven(keyOf(settings))))
    let trailer: Trailer = { tables: [], sequences: [] }
    const store = await openRestored(settings, { kind: 'value', name: 'MASTER_KEY', key: master }, async (url) => {
      trailer = await load(url, backup, steps.check(backup))
    })
    try {
      await steps.afterwards(coreOf(store.db, store.keyring), backup.header)
    } finally {
      await store.db.close()
      await store.close()
    }
    return { header: backup.header, tables: trailer.tables }
  } finally {
    await backup.close()
  }
}

/** The master key that was in use when the backup was made: the one given, or the one that it replaces. */
function masterOf(header: Header, given: readonly Buffer[]): Buffer {
  const master = given.find((key) => checkOf(key).toString('hex') === header.masterKeyCheck)
  if (master) return master
  throw new BadBackup(
    'The backup belongs to another master key than the one given here, and nothing in it could be read with this one. Nothing was changed. Put the master key in place that was in use when the backup was made.',
  )
}
