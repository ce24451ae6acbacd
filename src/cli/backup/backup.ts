import { Command } from 'commander'
import { makeBackup } from '../../session/backups/make.ts'
import { rehearse } from '../../session/backups/restore.ts'
import { backupFolderOf, readSettings, type Settings } from '../../settings.ts'
import { listAccounts } from '../../store/accounts.ts'
import { listBackupFiles, readBackupFile, refuseMissingFolder } from '../../store/backup/files.ts'
import type { Header } from '../../store/backup/format.ts'
import { backupKeyOf, backupKeyToMakeWith } from '../../store/backup/key.ts'
import { headerOf } from '../../store/backup/load.ts'
import { backupAt, destinationAt } from '../../store/backup/places.ts'
import type { Database } from '../../store/database/db.ts'
import { objectsOf } from '../../store/objects.ts'
import { listStoredObjects } from '../../store/uploads.ts'
import { type Checked, verdictText, verifyAll } from '../audit.ts'
import { fields, momentText, REFUSED, Refusal, remark, show, table } from '../print.ts'
import { onStore } from '../store.ts'

/** `fyr backup …`: make backups while the service runs, and prove that they can be restored. */
export function backupCommand(): Command {
  const backup = new Command('backup').description(
    'make a backup while the service runs, and prove that one can be restored',
  )

  backup
    .command('create')
    .description('write everything as it is at one moment into one encrypted file, or into objects below an S3 prefix')
    .option(
      '--to <place>',
      'a new file in a folder that exists, that folder, or s3://bucket/prefix; else a new file in BACKUP_DIR',
    )
    .addHelpText('after', NOT_IN_IT)
    .action(async (options: { to?: string }, command: Command) => {
      const made = await onStore(async (core, settings) => {
        const { key, madeIn } = backupKeyToMakeWith(settings)
        if (madeIn) remark(`The backup key was made: ${madeIn}. Keep a copy of it apart from the backups.`)
        const to = options.to ?? inFolder(backupFolderOf(settings))
        const destination = () => destinationAt(settings, to, new Date())
        return makeBackup(core, { backupKey: key, destination, actor: core.operator })
      })
      const rows = made.tables.reduce((sum, { rows }) => sum + rows, 0)
      show(command, { ...made, rows }, () =>
        fields([
          ['backup', made.place],
          ['holds', `everything up to ${momentText(made.takenAt)}: ${rows} rows in ${made.tables.length} tables`],
          ['size', `${megabytes(made.bytes)}, in ${made.seconds.toFixed(1)} s`],
        ]),
      )
      if (!made.isNoted) remark('The database could not be written to: the backup is good, and not on record.')
      remark('The master key is not in it: keep a copy apart. Prove it: fyr backup verify <backup>')
      if (objectsOf(readSettings(process.env)))
        remark('Files in the object store are not in it either: look after that store.')
    })

  backup
    .command('list')
    .description('list the backups in a folder')
    .option('--in <folder>', 'another folder than BACKUP_DIR')
    .action(async (options: { in?: string }, command: Command) => {
      const settings = readSettings(process.env)
      const folder = options.in ?? inFolder(backupFolderOf(settings))
      if (options.in || settings.BACKUP_DIR) await refuseMissingFolder(folder) // the own one is made with the first backup
      const files = await listBackupFiles(folder)
      const rows = await Promise.all(files.map(async (file) => ({ ...file, ...(await toldBy(file.path)) })))
      show(command, rows, () =>
        table(
          rows,
          [
            ['backup', ({ path }) => path],
            ['holds until', ({ takenAt }) => takenAt ?? 'damaged at its beginning'],
            ['size', ({ bytes }) => megabytes(bytes)],
            ['by version', ({ version }) => version ?? '–'],
          ],
          `There is no backup in ${folder}.`,
        ),
      )
    })

  backup
    .command('verify')
    .description(
      'restore a backup into a database made for this, compare every value, verify the audit chains, delete it again',
    )
    .argument('<backup>', 'a file, or s3://bucket/prefix/name.backup')
    .option(
      '--scratch <folder>',
      'where that database is made; it needs about the size of the original (default: the folder for temporary files)',
    )
    .action(async (place: string, { scratch }: { scratch?: string }, command: Command) => {
      const settings = readSettings(process.env)
      const restoring = { parts: backupAt(settings, place), backupKey: backupKeyOf(settings) }
      let checked: Checked[] = []
      let files = { there: 0, missing: [] as string[] }
      const { header, tables } = await rehearse(
        settings,
        restoring,
        async (core) => {
          checked = await verifyAll(core, [], null)
          files = await filesOf(core.db, settings)
        },
        scratch,
      )
      const isWhole = checked.every(({ ok }) => ok) && files.missing.length === 0
      const { takenAt, version } = header
      show(command, { ok: isWhole, takenAt, version, tables, chains: checked, objects: files }, () =>
        [
          `${tables.length} tables with ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows were restored and are the same, value by value, as at ${takenAt}.`,
          ...checked.map(verdictText),
          ...filesText(files),
          isWhole ? 'The backup is good.' : 'The backup can be restored; what it holds is not as recorded (above).',
        ].join('\n'),
      )
      if (!isWhole) process.exitCode = REFUSED
    })

  return backup
}

const NOT_IN_IT = `
The master key is not in the backup, and neither is the backup key: keep copies of both apart from it. Files that are kept in an S3 store are
not in it either, only their names; \`fyr backup verify\` says whether they are there.`

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

function inFolder(folder: string | null): string {
  if (folder) return `${folder}/`
  throw new Refusal('Say where: --to FILE or s3://bucket/prefix, or set BACKUP_DIR.')
}

async function toldBy(path: string): Promise<Partial<Pick<Header, 'takenAt' | 'version'>>> {
  const header = await headerOf(readBackupFile(path)).catch(() => null)
  return header ? { takenAt: header.takenAt, version: header.version } : {}
}

type Files = { there: number; missing: string[] }

/** Files of sessions that are kept in an object store, and those of them that it does not have. */
async function filesOf(db: Database, settings: Settings): Promise<Files & { unknown?: number }> {
  const objects = objectsOf(settings)
  const files: Files = { there: 0, missing: [] }
  let unknown = 0
  for (const { id: accountId } of await listAccounts(db)) {
    for (const { session_id: sessionId, id, ready } of await listStoredObjects(db, accountId)) {
      if (!ready) continue // one that is being removed, or never came to be
      const key = `${accountId}/${sessionId}/${id}`
      if (!objects) unknown++
      else if (await objects.has(key)) files.there++
      else files.missing.push(key)
    }
  }
  return unknown > 0 ? { ...files, unknown } : files
}

function filesText({ there, missing, unknown = 0 }: Files & { unknown?: number }): string[] {
  const lines: string[] = []
  if (unknown > 0)
    lines.push(`${unknown} files are kept in an object store; S3_URL is not set, so it was not looked for them.`)
  if (there + missing.length > 0)
    lines.push(`Files in the object store (not part of the backup): ${there} are there, ${missing.length} are missing.`)
  return [...lines, ...missing.map((key) => `missing  ${key}`)]
}
