import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { coreOf } from '../src/events/core.ts'
import { makeBackup } from '../src/session/backups/make.ts'
import { rehearse } from '../src/session/backups/restore.ts'
import { readSettings } from '../src/settings.ts'
import { backupFile, readBackupFile } from '../src/store/backup/files.ts'
import { openForCommand } from '../src/store/database/open.ts'
import { fillSessions } from '../test/world/many-sessions.ts'
import type { Row } from './rows.ts'

/** FYR_SESSIONS=1000000 takes the better part of an hour, and some 20 GB of disk. */
const SESSIONS = Number(process.env.FYR_SESSIONS ?? 20_000)
const ANSWERS_PER_SESSION = 12
const ENTRIES_PER_SESSION = 3
const AT_ONCE = 20_000

/** As large as what a screen's answers are sealed into, and as random. */
const FILL_ANSWERS = `insert into answers (account_id, session_id, seq, id, sealed)
  select s.account_id, s.id, n, gen_random_uuid(), sha512(random()::text::bytea) || sha512(random()::text::bytea)
  from (select account_id, id from sessions order by id offset $1 limit $2) s, generate_series(1, ${ANSWERS_PER_SESSION}) n`
const FILL_ENTRIES = `insert into audit_entries (account_id, seq, at, actor, action, subject, detail, hash)
  select s.account_id, $1::bigint * ${ENTRIES_PER_SESSION} + row_number() over (), now(), 'user', 'session.started', s.id::text,
    '{"configuration": "bench", "contentVersion": "2026.11.1"}', sha256(random()::text::bytea)
  from (select account_id, id from sessions order by id offset $1 limit $2) s, generate_series(1, ${ENTRIES_PER_SESSION}) n`
const SIZE = 'select pg_database_size(current_database())::float8 as bytes'

/** F33: what it costs to make a backup, and to prove it by restoring and comparing every value. */
export async function rows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-bench-backup-'))
  const settings = readSettings({ DATA_DIR: join(folder, 'data') })
  const store = await openForCommand(settings)
  try {
    const databaseBytes = await filled(store.url)
    const file = join(folder, 'one.backup')
    const backupKey = Buffer.alloc(32, 7)
    const core = coreOf(store.db, store.keyring)
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
      `a million would take ${((seconds / SESSIONS) * 1e6).toFixed(0)} s at this rate: computed, not measured`
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

async function filled(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const place = {
    accountId: '10000000-0000-4000-8000-000000000000',
    configurationId: '20000000-0000-4000-8000-000000000000',
  }
  await fillSessions((text, values) => client.query(text, values), place, SESSIONS)
  for (let from = 0; from < SESSIONS; from += AT_ONCE) {
    await client.query(FILL_ANSWERS, [from, AT_ONCE])
    await client.query(FILL_ENTRIES, [from, AT_ONCE])
  }
  await client.query('vacuum analyze')
  const { rows } = await client.query<{ bytes: number }>(SIZE)
  await client.end()
  return rows[0]?.bytes ?? 0
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
