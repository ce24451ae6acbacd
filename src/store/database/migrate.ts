import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { pathInRoot } from '../../root.ts'
import { liftTimeouts } from '../connections/connection.ts'
import { connectedTo, type Servers } from '../connections/servers.ts'
import { isHeld, LockHeld, lockHeld, PATIENCE_MS, withBriefLocks } from './brief-locks.ts'

const MIGRATION_LOCK = 0x46_59_52_01
const FOLDER = pathInRoot('migrations/')
const TURN_PAUSE_MS = 100
const CONCURRENT_INDEX = /^(create (?:unique )?index) concurrently if not exists (\w+)/m
const HALF_MADE = 'select from pg_index where indexrelid = to_regclass($1) and not indisvalid'

export class MigrationFault extends Error {}

export type Migration = { name: string; text: string; hash: string }

/** The migrations of this version of Fyr, in order. */
export function migrationsOf(folder = FOLDER): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    })
}

/**
 * Brings the database up to this version while the version before it serves. Nodes that start together wait for each
 * other; a migration that fails, or finds no moment to lock what it changes, leaves nothing behind.
 */
export async function migrate(
  database: string | Servers,
  migrations: readonly Migration[] = migrationsOf(),
  patienceMs = PATIENCE_MS,
): Promise<string[]> {
  const client = await connectedTo(database, { application_name: 'fyr migrate' })
  try {
    await liftTimeouts(client)
    await takeMigrationTurn(client)
    const missing = await missingOf(client, migrations)
    if (missing.length > 0) await becomeOwner(client, missing)
    for (const migration of missing) {
      try {
        await bring(client, migration, patienceMs)
      } catch (error) {
        throw new MigrationFault(`Migration ${migration.name} ${whyUndone(error)}`)
      }
    }
    return missing.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

function whyUndone(error: unknown): string {
  if (error instanceof LockHeld) return `was given up and undone. ${error.message}`
  return `failed and was undone: ${error instanceof Error ? error.message : error}`
}

const bring = (client: pg.Client, migration: Migration, patienceMs: number): Promise<void> => {
  const index = CONCURRENT_INDEX.exec(migration.text)?.[2]
  if (index !== undefined) return buildIndex(client, migration, index, patienceMs)
  return withBriefLocks(client, () => applyMigration(client, migration), patienceMs)
}

/**
 * Builds an index beside the writes to its table, which no transaction can: so one that was cut off is finished by the
 * next start. What is half made would cost every write and serve no read.
 */
async function buildIndex(client: pg.Client, migration: Migration, index: string, patienceMs: number): Promise<void> {
  const dropHalfMade = () =>
    withBriefLocks(
      client,
      async () => {
        const { rowCount } = await client.query(HALF_MADE, [index])
        if (rowCount) await client.query(`drop index ${pg.escapeIdentifier(index)}`)
      },
      patienceMs,
    )
  await dropHalfMade()
  try {
    await client.query(`set lock_timeout = ${patienceMs}`) // nobody queues behind it while it waits
    await client.query(migration.text)
  } catch (error) {
    const told = isHeld(error) ? await lockHeld(client, patienceMs) : error
    await dropHalfMade().catch(() => {})
    throw told
  }
  await note(client, migration)
}

/** The migrations that the database has not seen yet. */
async function missingOf(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ found: boolean }>(`select to_regclass('migrations') is not null as found`)
  if (!rows[0]?.found) await makeMigrationsTable(client)
  const known = new Map(
    (await client.query('select name, hash from migrations')).rows.map((row) => [row.name, row.hash]),
  )
  const changed = migrations.find(({ name, hash }) => known.has(name) && known.get(name) !== hash)
  if (changed) throw new MigrationFault(`Migration ${changed.name} was changed after it was applied to this database.`)
  return migrations.filter(({ name }) => !known.has(name))
}

/** New tables belong to whoever owns the others, whichever of the operators brings them. */
async function becomeOwner(client: pg.Client, missing: readonly Migration[]): Promise<void> {
  const { rows } = await client.query<{ owner: string; me: string; may: boolean }>(
    `select r.rolname as owner, current_user as me, pg_has_role(current_user, r.oid, 'member') as may
     from pg_class c join pg_roles r on r.oid = c.relowner where c.oid = 'migrations'::regclass`,
  )
  const [role] = rows
  if (!role || role.owner === role.me) return
  if (!role.may)
    throw new MigrationFault(
      `This version of Fyr brings changes to the database (${missing.map(({ name }) => name).join(', ')}) that the role ${role.me} may not make. Nothing was changed. Run \`fyr database roles --apply\` of this version as an operator first.`,
    )
  await client.query(`set role ${pg.escapeIdentifier(role.owner)}`)
}

/**
 * Held by the connection until it ends: whoever else wants to migrate or restore waits. It asks again and again, since an
 * index that the holder builds would wait for the end of a statement that waits.
 */
export async function takeMigrationTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [MIGRATION_LOCK])
    if (rows[0].taken) return
    await wait(TURN_PAUSE_MS)
  }
}

export const makeMigrationsTable = (client: pg.Client): Promise<unknown> =>
  client.query(
    'create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
  )

/**
 * Runs and notes one migration, within the transaction of the caller. An index that cannot be built beside writes there
 * is built without: a database that is being restored has none.
 */
export async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(migration.text.replace(CONCURRENT_INDEX, '$1 $2'))
  await note(client, migration)
}

const note = (client: pg.Client, { name, hash }: Migration): Promise<unknown> =>
  client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])
