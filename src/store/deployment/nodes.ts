import { type Db, sql } from '../database/db.ts'

/** A running node, as it says of itself. */
export type NodeName = { id: string; host: string; pid: number; version: string }
export type NodeRow = NodeName & { started_at: Date; seen_at: Date; silent_seconds: number }

const BEAT = sql(
  'node_beat',
  `with gone as (delete from nodes where seen_at < clock_timestamp() - interval '5 minutes' and id <> $1)
   insert into nodes (id, host, pid, version) values ($1, $2, $3, $4) on conflict (id) do update set seen_at = clock_timestamp()`,
)
const LEAVE = sql('node_leave', 'delete from nodes where id = $1')
const LIST = sql(
  'node_list',
  `select id, host, pid, version, started_at, seen_at, extract(epoch from clock_timestamp() - seen_at)::float8 as silent_seconds
   from nodes order by started_at, host, pid`,
)

/** A node's sign of life. Rows of nodes that have been silent for long are removed along with it. */
export const beat = (db: Db, { id, host, pid, version }: NodeName): Promise<unknown> =>
  db.query(BEAT, [id, host, pid, version])

/** A node that stops takes its row with it. */
export const leave = (db: Db, id: string): Promise<unknown> => db.query(LEAVE, [id])

export const listNodes = (db: Db): Promise<NodeRow[]> => db.query<NodeRow>(LIST)
