import { type Db, sql } from './db.ts'

/** A database as an operator looks at it. */
export type DatabaseLook = {
  version: string
  bytes: number
  connections: number
  mostConnections: number
  isStandby: boolean
  /** How far a standby that we are connected to is behind; null on a primary. */
  behindSeconds: number | null
  /** The standbys that follow this primary, and how far behind each is; empty where we may not see them. */
  standbys: { name: string; state: string; behindSeconds: number; behindBytes: number }[]
}

const LOOK = sql(
  'database_look',
  `select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
     (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
     current_setting('max_connections')::int as "mostConnections", pg_is_in_recovery() as "isStandby",
     case when pg_is_in_recovery() then coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8 end as "behindSeconds"`,
)
const STANDBYS = sql(
  'database_standbys',
  `select application_name as name, coalesce(state, 'unknown') as state, coalesce(extract(epoch from replay_lag), 0)::float8 as "behindSeconds",
     coalesce(pg_wal_lsn_diff(sent_lsn, replay_lsn), 0)::float8 as "behindBytes"
   from pg_stat_replication where not pg_is_in_recovery() and state is not null order by 1`,
)

/** Version, size, connections and replication of the database. */
export async function lookAtDatabase(db: Db): Promise<DatabaseLook> {
  const [look] = await db.query<Omit<DatabaseLook, 'standbys'>>(LOOK)
  if (!look) throw new Error('a statement without a table returned no row')
  return { ...look, standbys: await db.query<DatabaseLook['standbys'][number]>(STANDBYS) }
}
