import { completionEffect } from '../../src/events/completion.ts'
import type { Core } from '../../src/events/core.ts'
import { sql } from '../../src/store/database/db.ts'

export const END = sql(
  'test_session_end',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid)),
   done as (
     update sessions s set status = 'Ended', completed_at = now() from given g
     where s.account_id = $1 and s.id = g.id and s.completed_at is null returning s.id)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

type Place = { accountId: string; configurationId: string }

/** Ends a session as the interview does: the ending and its event in one transaction of the Recorder. */
export async function endSession(core: Core, { accountId, configurationId }: Place, sessionId: string): Promise<void> {
  const effects = [{ statement: END, row: { id: sessionId } }, completionEffect(configurationId, sessionId)]
  await core.recorder.record({ accountId, actor: 'test', action: 'session.finished', subject: sessionId, effects })
}
