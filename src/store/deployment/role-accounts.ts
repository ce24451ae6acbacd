import { type Db, type Statement, sql } from '../database/db.ts'

/** A database role that may work on an account. */
export type RoleAccount = { account_id: string; role_name: string; since: Date }

/** Effect: a database role may work on the account. Row: {role}. */
export const ADD_ROLE_ACCOUNT: Statement = sql(
  'role_account_add',
  `insert into role_accounts (account_id, role_name) select $1, g.role from jsonb_to_recordset($2::jsonb) as g(role text) on conflict do nothing`,
)

/** Effect: it may no longer. Row: {role}. */
export const REMOVE_ROLE_ACCOUNT: Statement = sql(
  'role_account_remove',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(role text)),
   done as (delete from role_accounts r using given g where r.account_id = $1 and r.role_name = g.role returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

const OF_ACCOUNT = sql(
  'role_accounts_list',
  'select account_id, role_name, since from role_accounts where account_id = $1 order by role_name',
)
const CONFINED = sql(
  'role_confined',
  `select exists (select from role_accounts where account_id is not null and role_name = current_user) as confined`,
)
const MEMBER = sql(
  'role_member',
  `select r.rolname as name, exists (select from pg_roles g where g.rolname = $2 and pg_has_role(r.oid, g.oid, 'member')) as "isMember"
   from pg_roles r where r.rolname = $1`,
)
const OPENS = sql(
  'role_may_open',
  `select has_column_privilege('sessions', 'sealed_outcome', 'select') and has_column_privilege('answers', 'sealed', 'select') as may`,
)

export const listRolesOf = (db: Db, accountId: string): Promise<RoleAccount[]> =>
  db.query<RoleAccount>(OF_ACCOUNT, [accountId])

/** Whether the role of this connection sees only some accounts. */
export const isConfined = async (db: Db): Promise<boolean> =>
  (await db.query<{ confined: boolean }>(CONFINED))[0]?.confined === true

/** A role of the server, and whether it is a member of another; null when there is no such role. */
export const findRole = async (db: Db, name: string, group: string): Promise<{ isMember: boolean } | null> =>
  (await db.query<{ isMember: boolean }>(MEMBER, [name, group]))[0] ?? null

/** Whether the role of this connection may read what is sealed of sessions. */
export const mayOpenSessions = async (db: Db): Promise<boolean> =>
  (await db.query<{ may: boolean }>(OPENS))[0]?.may === true
