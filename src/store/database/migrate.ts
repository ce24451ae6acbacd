import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { pathInRoot } from '../../root.ts'
import { connectedTo, type Servers } from '../connections/servers.ts'

const MIGRATION_LOCK = 0x46_59_52_01
const FOLDER = pathInRoot('migrations/')

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
 * Brings the database up to this version. Nodes that start together wait for each other; each migration is one
 * transaction, so a failing one leaves nothing behind; it gives up rather than queue behind a long query.
 */
export async function migrate(
  database: string | Servers,
  migrations: readonly Migration[] = migrationsOf(),
): Promise<string[]> {
  const client = await connectedTo(database, { application_name: 'fyr migrate' })
  try {
    await takeMigrationTurn(client)
    const missing = await missingOf(client, migrations)
    if (missing.length > 0) await becomeOwner(client, missing)
    const applied: string[] = []
    for (const migration of missing) {
      const { name } = migration
      await client.query('begin')
      try {
        await applyMigration(client, migration)
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new MigrationFault(
          `Migration ${name} failed and was undone: ${error instanceof Error ? error.message : error}`,
        )
      }
      applied.push(name)
    }
    return applied
  } finally {
    await client.end()
  }
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

/** Held by the connection until it ends: whoever else wants to migrate or restore waits. */
export const takeMigrationTurn = (client: pg.Client): Promise<unknown> =>
  client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])

export const makeMigrationsTable = (client: pg.Client): Promise<unknown> =>
  client.query(
    'create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
  )

/** Runs and notes one migration, within the transaction of the caller. */
export async function applyMigration(client: pg.Client, { name, text, hash }: Migration): Promise<void> {
  await client.query("set local lock_timeout = '3s'")
  await client.query(text)
  await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])
}
