import { sql } from '../../src/store/database/db.ts'

/** Ends a session that never had an interview: these tests are about sending many. */
export const END = sql(
  'test_session_end',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid)),
   done as (
     update sessions s set status = 'Ended', completed_at = now() from given g
     where s.account_id = $1 and s.id = g.id and s.completed_at is null returning s.id)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)
