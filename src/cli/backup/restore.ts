import { Command } from 'commander'
import { restoreBackup } from '../../session/backups/restore.ts'
import { readSettings } from '../../settings.ts'
import { backupKeyOf } from '../../store/backup/key.ts'
import { backupAt } from '../../store/backup/places.ts'
import { operatorOf } from '../operator.ts'
import { fields, momentText, remark, show } from '../print.ts'

/** `fyr restore`: from a backup to a database that the service can start on. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description('restore a backup into an empty database; no service may run on it')
    .argument('<backup>', 'a file, or s3://bucket/prefix/name.backup')
    .addHelpText(
      'after',
      `
Put the master key and the backup key in place first: MASTER_KEY and BACKUP_KEY, or master.key and backup.key in DATA_DIR. A restore that
fails, or is killed, leaves the database empty.`,
    )
    .action(async (place: string, _options: unknown, command: Command) => {
      const settings = readSettings(process.env)
      const restoring = { parts: backupAt(settings, place), backupKey: backupKeyOf(settings) }
      const { header, tables } = await restoreBackup(settings, restoring, operatorOf(settings))
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      show(command, { takenAt: header.takenAt, version: header.version, rows, tables }, () =>
        fields([
          ['restored', `${rows} rows in ${tables.length} tables`],
          ['as of', momentText(new Date(header.takenAt))],
          ['made by', `Fyr ${header.version}`],
        ]),
      )
      remark('Now: fyr audit verify, then start the service.')
    })
}
