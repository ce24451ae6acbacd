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
import { keySourceOf, openRestored } from '../../store/database/open.ts'
import { masterKeyCheck, masterKeyGiven } from '../../store/master-key.ts'
import { Keyring } from '../../store/seal.ts'

export type Restored = { header: Header; tables: TableTotal[] }

export type Restoring = { parts: AsyncIterable<Buffer>; backupKey: Buffer }

/** Restores a backup into the empty database of these settings, and brings it to this version. */
export function restoreBackup(settings: Settings, restoring: Restoring, actor: string): Promise<Restored> {
  return restored(settings, restoring, {
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
    const apart = {
      ...settings,
      DATABASE_URL: null,
      DATA_DIR: folder,
      MASTER_KEY: masterKeyGiven(keySourceOf(settings)),
    }
    return await restored(apart, restoring, { check: sameAsWritten, afterwards: work })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Steps = { check: (backup: Backup) => Check; afterwards: (core: Core, header: Header) => Promise<void> }

async function restored(settings: Settings, { parts, backupKey }: Restoring, steps: Steps): Promise<Restored> {
  const backup = await openBackup(parts, backupKey)
  try {
    refuseOtherMasterKey(backup.header, masterKeyGiven(keySourceOf(settings)))
    let trailer: Trailer = { tables: [], sequences: [] }
    const store = await openRestored(settings, async (url) => {
      trailer = await load(url, backup, steps.check(backup))
    })
    try {
      await steps.afterwards(coreOf(store.db, store.masterKey), backup.header)
    } finally {
      await store.db.close()
      await store.close()
    }
    return { header: backup.header, tables: trailer.tables }
  } finally {
    await backup.close()
  }
}

function refuseOtherMasterKey(header: Header, masterKey: Buffer): void {
  if (header.masterKeyCheck === masterKeyCheck(new Keyring(masterKey)).toString('hex')) return
  throw new BadBackup(
    'The backup belongs to another master key than the one given here, and nothing in it could be read with this one. Nothing was changed. Put the master key in place that was in use when the backup was made.',
  )
}
