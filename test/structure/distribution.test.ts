import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newWorld, type World } from '../world/world.ts'

/** In the terms of Citus, for whoever spreads accounts over several servers (docs/scaling.md). */
const REFERENCE = ['content_releases', 'content_texts', 'slugs']
/** Kept where the nodes connect: they belong to the deployment, and nothing joins them. */
const LOCAL = ['last_backups', 'master_key_checks', 'master_key_holders', 'master_keys_replaced', 'migrations', 'nodes']
/** The account itself is distributed by its own id, beside all that is its. */
const columnOf = (table: string) => (table === 'accounts' ? 'id' : 'account_id')

type Key = { table: string; name: string; columns: string[] }
type Reference = { name: string; from: string; to: string; columns: string[]; others: string[] }

let world: World
let tables: string[]
let keys: Key[]
let references: Reference[]
beforeAll(async () => {
  world = await newWorld()
  const named = (name: string) => `select ${name} from pg_attribute a where a.attnum`
  tables = (await world.sql(`select tablename from pg_tables where schemaname = 'public' order by 1`)).map((row) =>
    String(row.tablename),
  )
  keys = (await world.sql(
    `select x.indrelid::regclass::text as table, x.indexrelid::regclass::text as name,
       array(${named('a.attname::text')} = any(x.indkey::int2[]) and a.attrelid = x.indrelid) as columns
     from pg_index x join pg_class c on c.oid = x.indrelid and c.relnamespace = 'public'::regnamespace where x.indisunique`,
  )) as Key[]
  references = (await world.sql(
    `select c.conname as name, c.conrelid::regclass::text as from, c.confrelid::regclass::text as to,
       array(${named('a.attname::text')} = any(c.conkey) and a.attrelid = c.conrelid) as columns,
       array(${named('a.attname::text')} = any(c.confkey) and a.attrelid = c.confrelid) as others
     from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace`,
  )) as Reference[]
})
afterAll(() => world.close())

const isDistributed = (table: string) => !REFERENCE.includes(table) && !LOCAL.includes(table)

describe('accounts can be spread over several servers', () => {
  test('every table is distributed by its account, or listed as a reference or local table', async () => {
    const rows = await world.sql(
      `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'account_id' and is_nullable = 'NO'`,
    )
    const ofAccounts = ['accounts', ...rows.map((row) => String(row.table_name))]
    expect(tables.filter((table) => isDistributed(table) && !ofAccounts.includes(table))).toEqual([])
    expect([...REFERENCE, ...LOCAL].filter((table) => !tables.includes(table))).toEqual([])
  })

  test('every unique key of a distributed table holds the account', () => {
    expect(keys.length).toBeGreaterThan(20)
    const without = keys.filter(({ table, columns }) => isDistributed(table) && !columns.includes(columnOf(table)))
    expect(without).toEqual([])
  })

  test('a foreign key stays within an account, or leads to a reference table', () => {
    const leaving = references.filter(({ from, to, columns, others }) => {
      if (LOCAL.includes(from) || LOCAL.includes(to)) return true
      if (REFERENCE.includes(to)) return false
      return !isDistributed(from) || !columns.includes(columnOf(from)) || !others.includes(columnOf(to))
    })
    expect(references.length).toBeGreaterThanOrEqual(3)
    expect(leaving).toEqual([])
  })
})
