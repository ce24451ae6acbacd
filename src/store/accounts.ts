import { type Db, type Statement, sql } from './db.ts'

export type AccountRow = {
  id: string
  name: string
  active: boolean
  time_zone: string
  sealed_key: Buffer
  created_at: Date
}

const INSERT = sql('account_insert', 'insert into accounts (id, name, time_zone, sealed_key) values ($1, $2, $3, $4)')
const FIND = sql(
  'account_find',
  'select id, name, active, time_zone, sealed_key, created_at from accounts where id = $1',
)
const LIST = sql(
  'account_list',
  'select id, name, active, time_zone, sealed_key, created_at from accounts order by created_at, id',
)

export const insertAccount = (
  db: Db,
  id: string,
  name: string,
  timeZone: string,
  sealedKey: Buffer,
): Promise<unknown> => db.query(INSERT, [id, name, timeZone, sealedKey])

export async function findAccount(db: Db, id: string): Promise<AccountRow | null> {
  return (await db.query<AccountRow>(FIND, [id]))[0] ?? null
}

export const listAccounts = (db: Db): Promise<AccountRow[]> => db.query<AccountRow>(LIST)

/** Effect: name, time zone or being active changes. Row: {id, name?, time_zone?, active?}. */
export const UPDATE_ACCOUNT: Statement = sql(
  'account_update',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid, name text, time_zone text, active boolean)),
   done as (
     update accounts a set name = coalesce(g.name, a.name), time_zone = coalesce(g.time_zone, a.time_zone), active = coalesce(g.active, a.active)
     from given g where a.id = $1 and g.id = a.id returning a.id)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_changed', $1::text)`,
)

/** Effect: a manual open or close. Row: {ref, kind, closed_reason}. */
export const INSERT_ACCESS_EVENT: Statement = sql(
  'access_event_insert',
  `insert into access_events (account_id, kind, closed_reason)
   select $1, g.kind, g.closed_reason from jsonb_to_recordset($2::jsonb) as g(kind text, closed_reason text)`,
)

export type AccessRow = { active: boolean; kind: 'opened' | 'closed' | null; closed_reason: string | null }

const ACCESS = sql(
  'access_state',
  `select a.active, e.kind, e.closed_reason from accounts a
   left join lateral (select kind, closed_reason from access_events where account_id = a.id order by id desc limit 1) e on true
   where a.id = $1`,
)

/** The account's own switch and its last manual opening or closing, straight from the database. */
export async function findAccess(db: Db, accountId: string): Promise<AccessRow | null> {
  return (await db.query<AccessRow>(ACCESS, [accountId]))[0] ?? null
}
