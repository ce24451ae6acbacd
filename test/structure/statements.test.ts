import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newWorld, type World } from '../world/world.ts'
import { sourcesBelow, withoutComments } from './sources.ts'

/** Statements that find the account, and may therefore look across all of them. */
const DOORS = new Map([
  ['key_door', 'finds the account behind a key'],
  ['configuration_by_slug', 'finds the account behind an address'],
  ['configuration_emergency_numbers', 'tells the number to call where no account is known'],
  ['user_by_proof', 'finds the account behind what a user proves themselves with'],
  ['user_by_secret', 'finds the account behind a session’s secret'],
  ['user_known', 'tells an ended cookie from a guess'],
  ['link_door', 'finds the account behind a link token'],
  ['visit_sign_of_life', 'finds the account behind a visit'],
  ['visit_known', 'tells an ended visit from a guess'],
  ['audit_heads', 'checkpoints are taken of every chain'],
  ['sessions_left_alarmed', 'finds sessions that the service ends by itself'],
  ['sessions_left_overdue', 'what monitoring sees of emergencies that were left'],
  ['access_automated', 'finds the accounts that hours or a cap open and close'],
  ['webhook_due', 'finds the accounts that have something to send'],
  ['webhook_troubled', 'finds the accounts whose receivers have failed for long'],
  ['account_keys_changing', 'finds the accounts whose keys are being replaced'],
  ['account_key_progress', 'what operators see of keys being replaced'],
  ['role_confined', 'tells whether the database role sees only some accounts'],
  ['audit_any', 'tells a new database from one in use'],
  ['webhook_measure', 'what monitoring sees of all accounts together'],
  ['webhook_troubles', 'whose webhooks somebody on call should look at, by configuration'],
])

/** Tables whose key does not lead with the account, and why. */
const KEYED_OTHERWISE = new Map([['slugs', 'addresses are unique in the whole deployment']])
/** Tables that belong to no account. */
const OF_NO_ACCOUNT = [
  'accounts',
  'content_releases',
  'content_texts',
  'last_backups',
  'master_key_checks',
  'master_key_holders',
  'master_keys_replaced',
  'migrations',
  'nodes',
]

type Found = { file: string; name: string; text: string }

/** Reads every statement out of the sources, template parts left as they stand. */
function statements(): Found[] {
  return sourcesBelow('src/store').flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(/\bsql\(\s*'(\w+)',\s*(`[^`]*`|'(?:[^'\\]|\\.)*'|"[^"]*")/g)].map(
      ([, name = '', literal = '']) => ({ file: path, name, text: literal.slice(1, -1).replace(/\s+/g, ' ') }),
    ),
  )
}

let world: World
let accountTables: string[] = []

beforeAll(async () => {
  world = await newWorld()
  const rows = await world.sql(
    `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'account_id' order by 1`,
  )
  accountTables = rows.map((row) => String(row.table_name))
})
afterAll(() => world.close())

/** What is wrong with how a statement names the account, for each place where it uses a table of accounts. */
function faultsOf({ name, text }: Found, tables: readonly string[]): string[] {
  if (DOORS.has(name)) return []
  const uses = [...text.matchAll(/\b(from|join|into|update|using)\s+(\w+)/gi)]
  return uses.flatMap((use) => {
    const [, verb = '', table = ''] = use
    if (!tables.includes(table) || KEYED_OTHERWISE.has(table)) return []
    const rest = text.slice(use.index + use[0].length)
    return namesAccountFirst(verb.toLowerCase(), rest) ? [] : [`${name}: ${verb} ${table}`]
  })
}

function namesAccountFirst(verb: string, rest: string): boolean {
  if (verb === 'into') return /^\s*(\w+\s+)?\(\s*account_id\b/.test(rest)
  const clause = verb === 'join' ? /\bon\b\s*(.*)$/i.exec(rest) : /\bwhere\b\s*(.*)$/i.exec(rest)
  return /^\(?\s*(\w+\.)?account_id = /.test(clause?.[1] ?? '')
}

describe('A04', () => {
  test('every statement of the store is found by this test', () => {
    for (const { path, text } of sourcesBelow('src/store')) {
      const calls = [...withoutComments(text).matchAll(/\bsql\(/g)].length
      const found = statements().filter(({ file }) => file === path).length
      expect({ path, found }).toEqual({ path, found: calls })
    }
    const names = statements().map(({ name }) => name)
    expect(names.length).toBeGreaterThan(30)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  test('every statement on a table of accounts names the account first; the doors are listed', () => {
    expect(statements().flatMap((statement) => faultsOf(statement, accountTables))).toEqual([])
  })

  test('the listed doors exist', () => {
    const names = new Set(statements().map(({ name }) => name))
    expect([...DOORS.keys()].filter((name) => !names.has(name))).toEqual([])
  })

  test('this test sees a statement that forgets the account', () => {
    const made = (text: string) => faultsOf({ file: '', name: 'x', text }, accountTables)
    expect(made('select * from sessions where id = $1')).toHaveLength(1)
    expect(made('select * from sessions where id = $1 and account_id = $2')).toHaveLength(1)
    expect(made('insert into sessions (id, account_id) values ($1, $2)')).toHaveLength(1)
    expect(made('delete from answers')).toHaveLength(1)
    expect(made('update sessions s set status = $2 where s.account_id = $1')).toEqual([])
  })

  test('every table of accounts leads each unique key with the account', async () => {
    const rows = await world.sql(
      `select t.relname as table, i.relname as index, a.attname as first
       from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
       join pg_namespace n on n.oid = t.relnamespace and n.nspname = 'public'
       join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0] where x.indisunique`,
    )
    const wrong = rows.filter(({ table, first }) => {
      return accountTables.includes(String(table)) && !KEYED_OTHERWISE.has(String(table)) && first !== 'account_id'
    })
    expect(wrong).toEqual([])
    const keyed = new Set(rows.map(({ table }) => table))
    expect(accountTables.filter((table) => !keyed.has(table))).toEqual([])
  })

  test('every other table is listed as belonging to no account', async () => {
    const rows = await world.sql(`select tablename from pg_tables where schemaname = 'public' order by 1`)
    const others = rows.map(({ tablename }) => String(tablename)).filter((table) => !accountTables.includes(table))
    expect(others).toEqual(OF_NO_ACCOUNT)
  })
})
