import { type Db, type Statement, sql } from './database/db.ts'
import type { ListedSession } from './listing.ts'

/** Effect: stores or removes how the user of an ongoing session can be reached. Row: {id, sealed_contact (hex) | null}. */
export const PUT_CONTACT: Statement = sql(
  'session_contact_put',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id uuid, sealed_contact text)),
   done as (
     update sessions s set sealed_contact = decode(g.sealed_contact, 'hex'), last_active_at = now() from given g
     where s.account_id = $1 and s.id = g.id and s.status in ('Created', 'StartedChat') and s.active_until > now() and s.erased_at is null
     returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

const BY_REFERENCE = sql(
  'session_by_reference',
  `select id, configuration_id, status, created_at, started_at, completed_at, is_test from sessions
   where account_id = $1 and id between $2 and $3 and erased_at is null order by created_at desc, id desc limit 200`,
)

const SHORT_REFERENCE = /^[0-9a-f]{8}$/

/** The short reference that a patient reads from the page, as the beginning of an id; null when it is none. */
export function readReference(text: string): string | null {
  const plain = text.replace(/[\s-]/g, '').toLowerCase()
  return SHORT_REFERENCE.test(plain) ? plain : null
}

/** The sessions whose id begins with it: one, unless chance made two. */
export const findByReference = (
  db: Pick<Db, 'query'>,
  accountId: string,
  reference: string,
): Promise<(ListedSession & { configuration_id: string })[]> =>
  db.query(BY_REFERENCE, [
    accountId,
    `${reference}-0000-0000-0000-000000000000`,
    `${reference}-ffff-ffff-ffff-ffffffffffff`,
  ])
