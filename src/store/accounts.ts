import { type Db, type Statement, sql } from './database/db.ts'

export type AccountRow = {
  id: string
  name: string
  active: boolean
  time_zone: string
  sealed_key: Buffer
  monitored_hours: unknown
  cap: unknown
  created_at: Date
}

/** The zeros that stand for the whole deployment where a table or an audit chain leads with the account. No account has them. */
export const DEPLOYMENT = '00000000-0000-0000-0000-000000000000'

const FIND = sql(
  'account_find',
  'select id, name, active, time_zone, sealed_key, monitored_hours, cap, created_at from accounts where id = $1',
)
const LIST = sql(
  'account_list',
  'select id, name, active, time_zone, sealed_key, monitored_hours, cap, created_at from accounts order by created_at, id',
)

/** Effect on the deployment: a new account, and with it the start of its audit chain. Row: {id, name, time_zone, sealed_key (hex), genesis (hex)}. */
export const INSERT_ACCOUNT: Statement = sql(
  'account_insert',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid, name text, time_zone text, sealed_key text, genesis text)),
   begun as (insert into audit_heads (account_id, seq, hash) select id, 0, decode(genesis, 'hex') from given where $1::uuid is not null),
   done as (insert into accounts (id, name, time_zone, sealed_key) select id, name, time_zone, decode(sealed_key, 'hex') from given returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

export async function findAccount(db: Db, id: string): Promise<AccountRow | null> {
  return (await db.query<AccountRow>(FIND, [id]))[0] ?? null
}

export const listAccounts = (db: Db): Promise<AccountRow[]> => db.query<AccountRow>(LIST)

/** Effect: name, time zone or being active changes. Row: {id, name?, time_zone?, active?, monitored_hours?, no_hours?, cap?, no_cap?}. */
export const UPDATE_ACCOUNT: Statement = sql(
  'account_update',
  `with given as (select * from jsonb_to_recordset($2::jsonb) 
     as g(id uuid, name text, time_zone text, active boolean, monitored_hours jsonb, cap jsonb, no_hours boolean, no_cap boolean)),
   done as (
     update accounts a set name = coalesce(g.name, a.name), time_zone = coalesce(g.time_zone, a.time_zone), active = coalesce(g.active, a.active),
       monitored_hours = case when g.no_hours then null else coalesce(g.monitored_hours, a.monitored_hours) end,
       cap = case when g.no_cap then null else coalesce(g.cap, a.cap) end
     from given g where a.id = $1 and g.id = a.id returning a.id)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_changed', $1::text)`,
)
