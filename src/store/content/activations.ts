import { type Db, type Statement, sql } from '../database/db.ts'

/**
 * The release that new sessions of a configuration, or of the deployment, begin with since a moment. No version: it
 * follows the deployment.
 */
export type Activation = {
  configuration_id: string
  version: string | null
  before: string | null
  activated_by: string
  activated_at: Date
}

const COLUMNS = 'configuration_id, version, before, activated_by, activated_at'

/**
 * Effect: from now on new sessions begin with another release. Row: {configuration_id, slug | null, version | null,
 * before | null, activated_by}. If the active one was not `before`, somebody else was first and the batch is undone.
 */
export const INSERT_ACTIVATION: Statement = sql(
  'activation_insert',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(configuration_id uuid, slug text, version text, before text, activated_by text)),
   done as (
     insert into content_activations (account_id, configuration_id, version, before, activated_by)
     select $1, g.configuration_id, g.version, g.before, g.activated_by from given g
     where (select a.version from content_activations a where a.account_id = $1 and a.configuration_id = g.configuration_id order by a.id desc limit 1)
       is not distinct from g.before
     returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given)),
     pg_notify('fyr_content', json_build_object('configuration', slug, 'version', version, 'before', before, 'by', activated_by)::text)
   from given`,
)

/** Effect: the configuration's document names the release. Row: {id, version | null}. */
export const UPDATE_CONTENT_VERSION: Statement = sql(
  'configuration_content_version',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid, version text)),
   done as (
     update configurations c set document = jsonb_set(c.document, '{contentVersion}', coalesce(to_jsonb(g.version), 'null')), revision = c.revision + 1
     from given g where c.account_id = $1 and c.id = g.id returning c.id)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_changed', $1::text)`,
)

const LAST = sql(
  'activation_last',
  `select ${COLUMNS} from content_activations where account_id = $1 and configuration_id = $2 order by id desc limit 1`,
)
const CURRENT = sql(
  'activation_current',
  `select distinct on (configuration_id) ${COLUMNS} from content_activations where account_id = $1 order by configuration_id, id desc`,
)

/** The current activation of one configuration or of the deployment; null when there never was one. */
export async function findActivation(db: Db, accountId: string, configurationId: string): Promise<Activation | null> {
  return (await db.query<Activation>(LAST, [accountId, configurationId]))[0] ?? null
}

/** The current activation of each configuration of an account that has one of its own. */
export const listActivations = (db: Db, accountId: string): Promise<Activation[]> =>
  db.query<Activation>(CURRENT, [accountId])
