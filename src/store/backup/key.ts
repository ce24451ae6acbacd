import { join, resolve } from 'node:path'
import type { Settings } from '../../settings.ts'
import { StoreUnavailable } from '../database/db.ts'
import { makeKeyFile, readKeyFile } from '../sealing/key-file.ts'

type Wanted = Pick<Settings, 'BACKUP_KEY' | 'BACKUP_KEY_FILE' | 'DATABASE_URL' | 'DATA_DIR'>

/** The key that backups are opened with: the setting, or the file. */
export function backupKeyOf(settings: Wanted): Buffer {
  if (settings.BACKUP_KEY) return settings.BACKUP_KEY
  const file = fileOf(settings)
  const key = file ? readKeyFile(file, 'backup key') : null
  if (key) return key
  throw new StoreUnavailable(
    `The backup key is missing${file ? `: ${file}` : ''}. Put it back from your copy, or set BACKUP_KEY (or BACKUP_KEY_FILE); without it no backup can be read, by anyone.`,
  )
}

/** The key that backups are made with; where it is kept in a file, that is made with the first backup. */
export function backupKeyToMakeWith(settings: Wanted): { key: Buffer; madeIn: string | null } {
  const file = settings.BACKUP_KEY ? null : fileOf(settings)
  if (file && !readKeyFile(file, 'backup key')) return { key: makeKeyFile(file, 'backup key'), madeIn: file }
  return { key: backupKeyOf(settings), madeIn: null }
}

function fileOf({ BACKUP_KEY_FILE: named, DATABASE_URL: url, DATA_DIR: folder }: Wanted): string | null {
  if (named) return resolve(named)
  return url ? null : join(resolve(folder), 'backup.key')
}
