import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccount, createConfiguration } from '../src/account/provision.ts'
import { type Core, coreOf } from '../src/events/core.ts'
import { makeBackup } from '../src/session/backups/make.ts'
import { rehearse } from '../src/session/backups/restore.ts'
import { readSettings } from '../src/settings.ts'
import { backupFile, readBackupFile } from '../src/store/backup/files.ts'
import { openForCommand } from '../src/store/database/open.ts'
import { ANSWERS_PER_SESSION, ENTRIES_PER_SESSION } from '../test/world/many-sessions.ts'
import { filled } from './filled.ts'
import type { Row } from './rows.ts'

/** FYR_SESSIONS=1000000 takes the better part of an hour, and some 20 GB of disk. */
const SESSIONS = Number(process.env.FYR_SESSIONS ?? 20_000)

/** F33: what it costs to make a backup, and to prove it by restoring and comparing every value. */
export async function rows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-bench-backup-'))
  const settings = readSettings({ DATA_DIR: join(folder, 'data') })
  const store = await openForCommand(settings)
  try {
    const core = coreOf(store.db, store.keyring)
    const { bytes: databaseBytes } = await filled(store.url, await newPlace(core), SESSIONS)
    const file = join(folder, 'one.backup')
    const backupKey = Buffer.alloc(32, 7)
    const [peak, cpuBefore] = [watchMemory(), process.cpuUsage()]
    const made = await makeBackup(core, { backupKey, destination: () => backupFile(file), actor: 'bench' })
    const [memory, cpu] = [peak(), process.cpuUsage(cpuBefore)]
    const [scratch, begunMs] = [join(folder, 'scratch'), performance.now()]
    mkdirSync(scratch)
    await rehearse(settings, { parts: readBackupFile(file), backupKey }, async () => {}, scratch)
    const restoreSeconds = (performance.now() - begunMs) / 1_000
    const { size } = statSync(file)
    const each = `${SESSIONS.toLocaleString('en')} sessions with ${ANSWERS_PER_SESSION} answers and ${ENTRIES_PER_SESSION} entries each`
    const million = (seconds: number) =>
      SESSIONS === 1e6
        ? ''
        : `a million would take ${((seconds / SESSIONS) * 1e6).toFixed(0)} s at this rate: computed, not measured`
    return [
      { name: `making a backup of ${each}`, value: made.seconds, unit: 's', note: million(made.seconds) },
      {
        name: 'restoring it into a new database and comparing every value',
        value: restoreSeconds,
        unit: 's',
        note: million(restoreSeconds),
      },
      {
        name: 'processor time for it in the process that makes it, for a thousand sessions',
        value: (cpu.user + cpu.system) / SESSIONS,
        unit: 'ms',
        note: 'without that of the database',
      },
      {
        name: 'bytes of the backup for a session',
        value: size / SESSIONS,
        unit: 'B',
        note: `on disk the database has ${(databaseBytes / SESSIONS).toFixed(0)}`,
      },
      { name: 'memory that making it added at most', value: memory / 1e6, unit: 'MB', bar: 150, atMost: true },
    ]
  } finally {
    await store.db.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function newPlace(core: Core): Promise<{ accountId: string; configurationId: string }> {
  const { id: accountId } = await createAccount(core, 'Bench', 'UTC')
  const document = { name: 'Bench', type: 'OPEN', emergencyNumber: '112' } as const
  const { id: configurationId } = await createConfiguration(core, accountId, 'bench', document)
  return { accountId, configurationId }
}

/** The most memory that this process had beyond what it has now. */
function watchMemory(): () => number {
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 50)
  return () => {
    clearInterval(timer)
    return most - before
  }
}
