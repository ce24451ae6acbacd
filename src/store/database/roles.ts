import { withBriefLocks } from './brief-locks.ts'
import type { Database } from './db.ts'

/** Who works with the database of a server, each with rights of their own. The operator owns it. */
const GRANTED = ['service', 'clinic_admin', 'auditor'] as const
type Granted = (typeof GRANTED)[number]
export type RoleKind = Granted | 'operator'

/** What each may do with a table, as GRANT says it; null: nothing. */
type Rights = Record<Granted, string | null>

const ALL = 'select, insert, update, delete'
/** Of a session what lists, counts and access logs need, and nothing that a patient said. */
const SESSION =
  'select (account_id, id, configuration_id, status, created_at, started_at, completed_at, enter_until, active_until, abandoned_at, erased_at, last_active_at, is_test, version, alarm_level)'
const KEY = 'select (account_id, id, configuration_id, hint, note, is_sandbox, issued_at, expires_at, revoked_at)'
const ENDPOINT =
  'select (account_id, configuration_id, endpoint, enabled, events, disabled_reason, disabled_at, failing_since, failed_at, warned_at, created_at)'
const ATTEMPT = 'select (account_id, delivery_id, number, at, duration_ms, status, error)'

const rights = (service: string | null, clinicAdmin: string | null, auditor: string | null): Rights => ({
  service,
  clinic_admin: clinicAdmin,
  auditor,
})

/**
 * Every table. Whoever locks a row needs the right to update one of its columns: where nothing else is to be changed, that
 * is one that decides nothing.
 */
const RIGHTS: Readonly<Record<string, Rights>> = {
  access_events: rights('select, insert, update', 'select, insert', 'select'),
  account_keys: rights('select, update, delete', 'select, update (resealed)', 'select'),
  accounts: rights(
    'select, update (sealed_key)',
    'select, update (name, time_zone, active, monitored_hours, cap)',
    'select',
  ),
  answers: rights(ALL, null, null),
  api_keys: rights('select', KEY, KEY),
  audit_entries: rights('select, insert, delete', 'select, insert', 'select'),
  audit_heads: rights('select, insert, update', 'select, update (seq, hash)', 'select'),
  clinicians: rights('select', 'select', 'select'),
  completed_hours: rights(ALL, 'select', 'select'),
  configurations: rights('select', 'select, insert, update', 'select'),
  content_activations: rights('select, insert', 'select', 'select'),
  content_releases: rights('select, insert', 'select', 'select'),
  content_texts: rights('select, insert', 'select', 'select'),
  idempotency_keys: rights(ALL, null, null),
  judgements: rights(ALL, null, null),
  last_backups: rights('select, insert, update', 'select', 'select'),
  link_tokens: rights(ALL, null, null),
  master_key_checks: rights('select, update (is_only)', 'select', 'select'),
  master_key_holders: rights(ALL, null, 'select'),
  master_keys_replaced: rights('select', 'select', 'select'),
  migrations: rights('select', 'select', 'select'),
  nodes: rights(ALL, 'select', 'select'),
  release_signatures: rights('select', 'select', 'select'),
  role_accounts: rights('select', 'select', 'select'),
  session_marks: rights(ALL, null, null),
  sessions: rights('select, insert, update', SESSION, SESSION),
  slugs: rights('select', 'select, insert', 'select'),
  upload_parts: rights(ALL, null, null),
  uploads: rights(ALL, null, null),
  user_cookies: rights(ALL, null, null),
  visits: rights(ALL, null, null),
  webhook_attempts: rights(ALL, 'select, delete', ATTEMPT),
  webhook_deliveries: rights(ALL, ALL, 'select'),
  webhook_endpoints: rights('select, update', ALL, ENDPOINT),
  webhook_secrets: rights('select, update, delete', ALL, null),
}

const OWN = `(select r.account_id from role_accounts r where r.role_name = current_user)`
const OF_DEPLOYMENT = `'00000000-0000-0000-0000-000000000000'`
/** Tables of no account that clinic admins may read. */
const OF_ALL = [
  'content_releases',
  'content_texts',
  'last_backups',
  'master_key_checks',
  'master_keys_replaced',
  'migrations',
  'nodes',
]

/** The rows of a table that a clinic admin may work on; null where it has none of accounts. */
function ownRows(table: string): string | null {
  if (OF_ALL.includes(table) || RIGHTS[table]?.clinic_admin === null) return null
  if (table === 'role_accounts') return 'role_name = current_user'
  if (table === 'accounts') return `id in ${OWN}`
  return `account_id in ${OWN}${table === 'content_activations' ? ` or account_id = ${OF_DEPLOYMENT}` : ''}`
}

export const tablesWithRights = (): string[] => Object.keys(RIGHTS)

const PREFIX = /^[a-z][a-z0-9_]{0,30}$/

/** Whether names of roles can begin with this. */
export const isRolePrefix = (prefix: string): boolean => PREFIX.test(prefix)

export const roleName = (prefix: string, kind: RoleKind): string => `${prefix}_${kind}`

/**
 * The SQL that makes the roles and gives each its rights, to be run by a superuser or by the owner of the database who may
 * create roles. Run again, it takes back what is too much and gives what is missing. The roles are groups without a
 * password: logins become members. A list for each table, the first with what is of no table before it.
 */
export function rolesSql(prefix: string): string[][] {
  const name = (kind: RoleKind) => roleName(prefix, kind)
  const operator = name('operator')
  const everyone = [operator, ...GRANTED.map(name)].join(', ')
  const granted = GRANTED.map(name).join(', ')
  const ofNoTable = [
    ...[operator, ...GRANTED.map(name)].map(
      (role) =>
        `do $$ begin if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if; end $$`,
    ),
    `do $$ begin if not pg_has_role(current_user, '${operator}', 'usage') then grant ${operator} to current_user; end if; end $$`,
    `do $$ begin
  execute format('grant usage on schema %I to ${everyone}', current_schema());
  execute format('grant create on schema %I to ${operator}', current_schema());
  execute format('revoke create on schema %I from public, ${granted}', current_schema());
  execute format('grant connect, temporary on database %I to ${everyone}', current_database());
end $$`,
    `do $$ declare one text; begin
  for one in select p.oid::regprocedure::text from pg_proc p join pg_class c on c.oid = 'migrations'::regclass and c.relowner = p.proowner
    where p.pronamespace = current_schema()::regnamespace loop
    execute format('alter routine %s owner to ${operator}', one);
  end loop;
end $$`,
  ]
  return tablesWithRights().map((table, at) => [
    ...(at === 0 ? ofNoTable : []),
    `alter table ${table} owner to ${operator}`,
    `revoke all on ${table} from public, ${granted}`,
    ...GRANTED.flatMap((kind) => {
      const right = RIGHTS[table]?.[kind]
      return right ? [`grant ${right} on ${table} to ${name(kind)}`] : []
    }),
    ...policiesSql(table, name),
  ])
}

/**
 * Runs that SQL table by table, since a service may be running: locking all tables at once would stop it. Who may not do it
 * is refused at the first, before anything was changed.
 */
export const applyRoles = (db: Database, prefix: string): Promise<void> =>
  db.apart(async (client) => {
    for (const statements of rolesSql(prefix)) await withBriefLocks(client, () => client.query(statements.join(';\n')))
  })

/** Clinic admins see the rows of their accounts; the others all that they have a right to. The owner is not bound. */
function policiesSql(table: string, name: (kind: RoleKind) => string): string[] {
  const own = ownRows(table)
  if (own === null) return []
  const policy = (of: RoleKind, rows: string) => [
    `drop policy if exists ${name(of)} on ${table}`,
    `create policy ${name(of)} on ${table} to ${name(of)} using (${rows})${table === 'content_activations' ? '' : ` with check (${rows})`}`,
  ]
  return [
    `alter table ${table} enable row level security`,
    ...policy('service', 'true'),
    ...policy('auditor', 'true'),
    ...policy('clinic_admin', own),
  ]
}
