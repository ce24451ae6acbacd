import { type Db, type Statement, sql } from './database/db.ts'

export type ConfigurationRow = {
  account_id: string
  id: string
  slug: string
  enabled: boolean
  document: unknown
  created_at: Date
}

const COLUMNS = 'account_id, id, slug, enabled, document, created_at'

/** Effect: a configuration and its address. Row: {id, slug, document}. A taken slug undoes the batch. */
export const INSERT_CONFIGURATION: Statement = sql(
  'configuration_insert',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid, slug text, document jsonb)),
   address as (insert into slugs (slug, account_id, configuration_id) select slug, $1, id from given on conflict do nothing returning slug),
   done as (insert into configurations (account_id, id, slug, document) select $1, g.id, g.slug, g.document from given g join address using (slug) returning id)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_changed', $1::text)`,
)

/** Effect: changes the document or whether it is enabled. Row: {id, document?, enabled?}. */
export const UPDATE_CONFIGURATION: Statement = sql(
  'configuration_update',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid, document jsonb, enabled boolean)),
   done as (
     update configurations c set document = coalesce(g.document, c.document), enabled = coalesce(g.enabled, c.enabled), revision = c.revision + 1
     from given g where c.account_id = $1 and c.id = g.id returning c.id)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_changed', $1::text)`,
)

const LIST = sql(
  'configuration_list',
  `select ${COLUMNS} from configurations where account_id = $1 order by created_at, id`,
)
const BY_SLUG = sql(
  'configuration_by_slug',
  `select c.${COLUMNS.replaceAll(', ', ', c.')} from slugs s
   join configurations c on c.account_id = s.account_id and c.id = s.configuration_id where s.slug = $1`,
)

const NUMBERS = sql(
  'configuration_emergency_numbers',
  `select distinct document ->> 'emergencyNumber' as number from configurations where enabled limit 2`,
)

/** The emergency numbers of the deployment's clinics, two at most: whether there is one, and whether it is the only one. */
export const listEmergencyNumbers = async (db: Db): Promise<string[]> =>
  (await db.query<{ number: string }>(NUMBERS)).map(({ number }) => number)

export const listConfigurations = (db: Db, accountId: string): Promise<ConfigurationRow[]> =>
  db.query<ConfigurationRow>(LIST, [accountId])

/** A door: finds the account behind an address. */
export async function findConfigurationBySlug(db: Db, slug: string): Promise<ConfigurationRow | null> {
  if (slug.includes('\0')) return null // the database would reject the query
  return (await db.query<ConfigurationRow>(BY_SLUG, [slug]))[0] ?? null
}
