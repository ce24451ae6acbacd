import { createHash } from 'node:crypto'
import type pg from 'pg'
import { copyOut, quoted } from './copy.ts'
import { backupKeyCheck, type Header, headerBytes, newSalt, PIECE_BYTES, Sealing } from './format.ts'

/** What became of one table: how many rows, and a hash over all of them in the order in which they stand. */
export type TableTotal = { name: string; rows: number; sha256: string }

/** The last piece of a backup: what it holds in all. */
export type Trailer = { tables: TableTotal[]; sequences: { name: string; lastValue: string }[] }

/** Which table a piece belongs to is in its first two bytes; the last piece has this there. */
export const TRAILER = 0xff_ff

const TABLES = `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname <> 'migrations'
  group by c.relname order by c.relname`
const REFERENCES = `select c.conrelid::regclass::text as "from", c.confrelid::regclass::text as "to"
  from pg_constraint c where c.contype = 'f' and c.connamespace = current_schema()::regnamespace and c.conrelid <> c.confrelid`
const SEQUENCES = `select sequencename as name, last_value::text as "lastValue" from pg_sequences
  where schemaname = current_schema() and last_value is not null order by 1`
const MIGRATIONS = 'select name, hash from migrations order by name'
const NOW = 'select now() as at'
/** Of the master key that everything here is sealed with: it may be replaced while the service runs. */
const MASTER_KEY = `select encode(check_value, 'hex') as check from master_key_checks`

/** How values are written, whatever the server's own settings say; rows come in the order in which they stand. */
export const AS_WRITTEN = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local synchronize_seqscans = off; set local client_encoding = 'UTF8'`

export type Dumping = {
  version: string
  backupKey: Buffer
  /** Of the master key this process was started with, for a database that has kept none yet. */
  masterKeyCheck: string
  write: (bytes: Buffer) => Promise<void>
}

/**
 * Writes every table as it is at one moment, whatever is written to the database meanwhile. No more than a piece or two
 * is ever in memory.
 */
export async function dump(client: pg.Client, { version, backupKey, masterKeyCheck, write }: Dumping): Promise<Dumped> {
  await client.query('begin isolation level repeatable read, read only')
  await client.query(AS_WRITTEN)
  const { rows: moments } = await client.query<{ at: Date }>(NOW)
  const header: Header = {
    version,
    takenAt: (moments[0]?.at ?? new Date()).toISOString(),
    migrations: (await client.query(MIGRATIONS)).rows,
    tables: inOrder((await client.query(TABLES)).rows, (await client.query(REFERENCES)).rows),
    masterKeyCheck: (await client.query<{ check: string }>(MASTER_KEY)).rows[0]?.check ?? masterKeyCheck,
    backupKeyCheck: backupKeyCheck(backupKey),
    salt: newSalt(),
  }
  const begin = headerBytes(header)
  const sealing = new Sealing(backupKey, header.salt, begin)
  await write(begin)
  const tables: TableTotal[] = []
  for (const [at, table] of header.tables.entries()) {
    tables.push(await totalOf(client, table, async (piece) => write(await sealing.seal(marked(at, piece), false))))
  }
  // Only ever ahead of what the snapshot has seen, which is harmless: numbers may be left out.
  const trailer: Trailer = { tables, sequences: (await client.query(SEQUENCES)).rows }
  await write(await sealing.seal(marked(TRAILER, Buffer.from(JSON.stringify(trailer))), true))
  await client.query('commit')
  return { header, trailer }
}

export type Dumped = { header: Header; trailer: Trailer }

/** Copies a table out and counts what it holds. */
export async function totalOf(
  client: pg.Client,
  { name, columns }: Header['tables'][number],
  take: (piece: Buffer) => Promise<void> = async () => {},
): Promise<TableTotal> {
  const sha256 = createHash('sha256')
  const text = `copy ${quoted(name)} (${columns.map(quoted).join(', ')}) to stdout`
  const rows = await copyOut(client, text, PIECE_BYTES, (piece) => {
    sha256.update(piece)
    return take(piece)
  })
  return { name, rows, sha256: sha256.digest('hex') }
}

function marked(table: number, piece: Buffer): Buffer {
  const mark = Buffer.alloc(2)
  mark.writeUInt16BE(table)
  return Buffer.concat([mark, piece])
}

type Table = { name: string; columns: string[] }

/** A table comes after those it refers to. */
function inOrder(tables: readonly Table[], references: readonly { from: string; to: string }[]): Table[] {
  const placed: Table[] = []
  for (let left = [...tables]; left.length > 0; ) {
    const isFree = ({ name }: Table) =>
      !references.some(({ from, to }) => from === name && left.some((one) => one.name === to))
    const free = left.filter(isFree)
    if (free.length === 0) throw new Error('Tables refer to each other in a circle.')
    placed.push(...free)
    left = left.filter((table) => !free.includes(table))
  }
  return placed
}
