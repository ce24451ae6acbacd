import { createHash } from 'node:crypto'
import type pg from 'pg'
import { endClient, liftTimeouts } from '../connections/connection.ts'
import { connectedTo } from '../connections/servers.ts'
import { StoreUnavailable } from '../database/db.ts'
import {
  applyMigration,
  type Migration,
  makeMigrationsTable,
  migrationsOf,
  takeMigrationTurn,
} from '../database/migrate.ts'
import { ByteReader } from './byte-reader.ts'
import { copyIn, quoted } from './copy.ts'
import { AS_WRITTEN, type TableTotal, TRAILER, type Trailer, totalOf } from './dump.ts'
import { BadBackup, backupKeyCheck, type Header, openPieces, readHeader, Sealing } from './format.ts'

const TABLES_THERE = `select count(*)::int as count from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`
const MARK_BYTES = 2

export type Backup = { header: Header; reader: ByteReader; sealing: Sealing; close: () => Promise<void> }

/** Opens a backup with its key, and refuses one that this version of Fyr does not know how to restore. */
export async function openBackup(parts: AsyncIterable<Buffer>, backupKey: Buffer): Promise<Backup> {
  const reader = new ByteReader(parts)
  const { header, bytes } = await readHeader(reader)
  if (header.backupKeyCheck !== backupKeyCheck(backupKey))
    throw new BadBackup(
      'The backup was made with another backup key. Set BACKUP_KEY (or BACKUP_KEY_FILE) to the one that was in use when it was made.',
    )
  migrationsOfBackup(header)
  return { header, reader, sealing: new Sealing(backupKey, header.salt, bytes), close: () => reader.close() }
}

/** Says what a backup says of itself, without its key. */
export async function headerOf(parts: AsyncIterable<Buffer>): Promise<Header> {
  const reader = new ByteReader(parts)
  try {
    return (await readHeader(reader)).header
  } finally {
    await reader.close()
  }
}

/** The migrations of this Fyr that bring an empty database to where the backup was made. */
function migrationsOfBackup({ migrations, version }: Header): Migration[] {
  const known = new Map(migrationsOf().map((migration) => [migration.name, migration]))
  return migrations.map(({ name, hash }) => {
    const migration = known.get(name)
    if (migration?.hash === hash) return migration
    throw new BadBackup(
      `The backup was made by Fyr ${version}, whose migration ${name} this version does not have. Restore it with that version or a newer one.`,
    )
  })
}

/** Called with everything restored and nothing committed: throwing undoes it all. */
export type Check = (client: pg.Client, restored: Trailer) => Promise<void>

/**
 * Restores a backup into an empty database, to the state and the migrations of the version that made it. All of it is one
 * transaction: a restore that fails or is killed leaves the database as empty as it was.
 */
export async function load(url: string, backup: Backup, check: Check = async () => {}): Promise<Trailer> {
  const client = await connectedTo(url, { application_name: 'fyr restore' })
  try {
    await liftTimeouts(client)
    await takeMigrationTurn(client) // a node that starts meanwhile waits for the end
    const { rows } = await client.query<{ count: number }>(TABLES_THERE)
    if (rows[0]?.count !== 0)
      throw new StoreUnavailable(
        'The database is not empty: a backup is restored only into a new, empty one. Nothing was changed.',
      )
    await client.query('begin')
    await makeMigrationsTable(client)
    for (const migration of migrationsOfBackup(backup.header)) await applyMigration(client, migration)
    await client.query(AS_WRITTEN)
    const trailer = await fill(client, backup)
    await check(client, trailer)
    await client.query('commit')
    await client.query('analyze')
    return trailer
  } finally {
    await endClient(client)
  }
}

/** Compares every table with what was written into the backup, value by value; throws at the first that differs. */
export const sameAsWritten =
  ({ header }: Backup): Check =>
  async (client, { tables }) => {
    for (const table of header.tables) {
      const total = await totalOf(client, table)
      const written = tables.find(({ name }) => name === table.name)
      if (!isSame(total, written)) throw new BadBackup(`The table ${table.name} was not restored as it was.`)
    }
  }

const isSame = (one: TableTotal, other: TableTotal | undefined): boolean =>
  one.rows === other?.rows && one.sha256 === other.sha256

/** Triggers stay out of it: what they would write is in the backup already. */
async function fill(client: pg.Client, backup: Backup): Promise<Trailer> {
  const { tables } = backup.header
  const names = tables.map(({ name }) => quoted(name))
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  await client.query(`truncate ${names.join(', ')}`)
  const pieces = new TablePieces(backup)
  const totals: TableTotal[] = []
  for (const [at, { name, columns }] of tables.entries()) {
    const text = `copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`
    const sha256 = createHash('sha256')
    const rows = await copyIn(client, text, hashed(pieces.of(at), sha256))
    totals.push({ name, rows, sha256: sha256.digest('hex') })
  }
  const trailer = await pieces.trailer()
  const wrong = totals.find((total, at) => !isSame(total, trailer.tables[at]))
  if (wrong) throw new BadBackup(`The backup is not whole: the table ${wrong.name} is not what was written into it.`)
  for (const { name, lastValue } of trailer.sequences)
    await client.query('select setval($1::regclass, $2::bigint)', [quoted(name), lastValue])
  for (const name of names) await client.query(`alter table ${name} enable trigger user`)
  return trailer
}

async function* hashed(pieces: AsyncIterable<Buffer>, sha256: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    sha256.update(piece)
    yield piece
  }
}

/** The pieces of a backup, table by table. */
class TablePieces {
  readonly #pieces: AsyncGenerator<{ piece: Buffer; isLast: boolean }>
  #next: { table: number; bytes: Buffer; isLast: boolean } | null = null

  constructor({ reader, sealing }: Backup) {
    this.#pieces = openPieces(reader, sealing)
  }

  async *of(table: number): AsyncGenerator<Buffer> {
    for (;;) {
      const next = await this.#peek()
      if (next.table !== table) return
      this.#next = null
      yield next.bytes
    }
  }

  async trailer(): Promise<Trailer> {
    const { table, bytes, isLast } = await this.#peek()
    if (table !== TRAILER || !isLast) throw new BadBackup('The backup is not whole: its parts are not in order.')
    await this.#pieces.next() // nothing may follow
    return JSON.parse(bytes.toString())
  }

  async #peek(): Promise<{ table: number; bytes: Buffer; isLast: boolean }> {
    if (this.#next) return this.#next
    const { value, done } = await this.#pieces.next()
    if (done) throw new BadBackup('The backup is not whole: its parts are not in order.')
    const { piece, isLast } = value
    this.#next = { table: piece.readUInt16BE(), bytes: piece.subarray(MARK_BYTES), isLast }
    return this.#next
  }
}
