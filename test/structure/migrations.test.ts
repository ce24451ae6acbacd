import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { applyMigration, migrationsOf } from '../../src/store/database/migrate.ts'
import { freshDatabase } from '../world/database.ts'

/** Nothing was released before this one: no version of before served while it was brought. */
const BEFORE_ANY_RELEASE = '0021'

let database: Awaited<ReturnType<typeof freshDatabase>>
let client: pg.Client
beforeAll(async () => {
  database = await freshDatabase(inject('serverUrl'), 'template0')
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('create table migrations (name text primary key, hash text not null)')
  for (const migration of migrationsOf().filter(({ name }) => name < `${BEFORE_ANY_RELEASE}_~`))
    await applyMigration(client, migration)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

type Table = { oid: number; name: string; file: number; checks: number; modes: string[] }
type Column = { table: number; name: string; type: string; isNeeded: boolean }

const TABLES = `select c.oid, c.oid::regclass::text as name, c.relfilenode as file,
    (select count(*)::int from pg_constraint k where k.conrelid = c.oid and k.contype in ('c', 'f') and k.convalidated) as checks,
    array(select l.mode from pg_locks l where l.pid = pg_backend_pid() and l.relation = c.oid) as modes
  from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname <> 'migrations'`
const COLUMNS = `select attrelid as table, attrelid::regclass::text || '.' || attname as name, atttypid::regtype::text as type,
    attnotnull and not atthasdef as "isNeeded"
  from pg_attribute where attrelid = any($1::oid[]) and attnum > 0 and not attisdropped`

const tablesNow = async (): Promise<Table[]> => (await client.query<Table>(TABLES)).rows
const columnsOf = async (tables: readonly Table[]): Promise<Column[]> =>
  (await client.query<Column>(COLUMNS, [tables.map(({ oid }) => oid)])).rows

/** What a migration does to the version before, which serves meanwhile and afterwards; it is undone. */
async function harmOf(text: string): Promise<string[]> {
  if (/^create (unique )?index concurrently if not exists/.test(text)) return [] // it runs alone, or is refused
  const tables = await tablesNow()
  const columns = await columnsOf(tables)
  await client.query('begin')
  try {
    await client.query(text)
    const now = await tablesNow()
    const left = now.filter(({ oid }) => tables.some((table) => table.oid === oid))
    return [...harmOfTables(tables, left), ...harmOfColumns(columns, await columnsOf(left), left)]
  } finally {
    await client.query('rollback')
  }
}

function harmOfTables(tables: readonly Table[], left: readonly Table[]): string[] {
  const shut: string[] = []
  const harm = tables.flatMap(({ oid, name, file, checks }) => {
    const now = left.find((table) => table.oid === oid)
    if (now?.name !== name) return [`${name} is taken away`]
    const isShut = now.modes.includes('AccessExclusiveLock')
    if (isShut) shut.push(name)
    if (now.file !== file) return [`${name} is written anew while it is locked`]
    if (isShut && now.checks > checks)
      return [`all of ${name} is read while it is locked: add the constraint not valid, then validate it in the next`]
    if (now.modes.includes('ShareLock'))
      return [`nobody writes ${name} while its index is built: build it concurrently`]
    return now.modes.includes('RowExclusiveLock') ? [`rows of ${name} are changed`] : []
  })
  return shut.length > 1 ? [...harm, `${shut.sort().join(' and ')} are locked together`] : harm
}

function harmOfColumns(before: readonly Column[], after: readonly Column[], left: readonly Table[]): string[] {
  const typeAfter = new Map(after.map(({ name, type }) => [name, type]))
  const needed = new Set(before.filter(({ isNeeded }) => isNeeded).map(({ name }) => name))
  return [
    ...before
      .filter(({ name, type, table }) => typeAfter.get(name) !== type && left.some(({ oid }) => oid === table))
      .map(({ name }) => `${name} is not what it was`),
    ...after
      .filter(({ name, isNeeded }) => isNeeded && !needed.has(name))
      .map(({ name }) => `the version before writes no ${name}`),
  ]
}

test('F31: no migration keeps the version before from serving', async () => {
  for (const migration of migrationsOf().filter(({ name }) => name > `${BEFORE_ANY_RELEASE}_~`)) {
    expect(await harmOf(migration.text), migration.name).toEqual([])
    await applyMigration(client, migration)
  }
})

test.each([
  ['create table more (account_id uuid not null references accounts (id))', []],
  ['alter table sessions add column channel text', []],
  ['alter table sessions add column priority smallint not null default 3', []],
  ['alter table sessions add check (version >= 0) not valid', []],
  ['create index concurrently if not exists more on sessions (account_id, language)', []],
  [
    'create index more on sessions (account_id, language)',
    ['nobody writes sessions while its index is built: build it concurrently'],
  ],
  [
    'alter table sessions add check (version >= 0)',
    ['all of sessions is read while it is locked: add the constraint not valid, then validate it in the next'],
  ],
  [
    'alter table sessions add column more uuid default gen_random_uuid()',
    ['sessions is written anew while it is locked'],
  ],
  [
    'alter table sessions alter column version type bigint',
    ['sessions is written anew while it is locked', 'sessions.version is not what it was'],
  ],
  ['alter table sessions drop column language', ['sessions.language is not what it was']],
  [
    'alter table sessions rename column language to tongue',
    ['sessions.language is not what it was', 'the version before writes no sessions.tongue'],
  ],
  ['alter table sessions alter column patient_age set not null', ['the version before writes no sessions.patient_age']],
  ['alter table visits add column more text not null', ['the version before writes no visits.more']],
  ['update sessions set version = version', ['rows of sessions are changed']],
  ['drop table visits', ['visits is taken away']],
  [
    'alter table visits add column a text; alter table uploads add column a text',
    ['uploads and visits are locked together'],
  ],
])('what would keep it from serving is found: %s', async (text, harm) => {
  expect(await harmOf(text)).toEqual(harm)
})
