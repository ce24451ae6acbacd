import { type Db, type Statement, sql } from '../database/db.ts'
import { keyNumberOf } from './account-key.ts'

/** One node at a time seals anew, and none waits for another. */
export const RESEALING_TURN = 0x46_59_52_06

/** How far a look through an account's sessions has come. */
export type Walk = { after: string | null; met: boolean }

const WALK = sql(
  'reseal_walk',
  `select reseal_after as after, reseal_met as met from account_keys where account_id = $1 and number = $2 for no key update`,
)
const WALKED = sql(
  'reseal_walked',
  `update account_keys set reseal_after = $3, reseal_met = $4, resealed = resealed + $5 where account_id = $1 and number = $2`,
)
const COUNT = sql(
  'reseal_count',
  `select ((select count(*) from sessions where account_id = $1 and sealed_key is not null and account_key_number(sealed_key) <> $2)
     + (select count(*) from idempotency_keys where account_id = $1 and account_key_number(sealed_response) <> $2)
     + (select count(*) from webhook_endpoints where account_id = $1 and account_key_number(sealed_url) <> $2)
     + (select count(*) from webhook_secrets where account_id = $1 and account_key_number(sealed_secret) <> $2))::int as total`,
)
const SESSIONS = sql(
  'reseal_sessions',
  `select id, sealed_key as sealed from sessions where account_id = $1 and id > $2 order by id limit $3`,
)
const RESEAL_SESSIONS = sql(
  'reseal_sessions_write',
  `with given as (select * from unnest($2::uuid[], $3::bytea[], $4::bytea[]) as g(id, before, after)),
   free as (select s.id from sessions s where s.account_id = $1 and s.id = any($2) for no key update skip locked)
   update sessions s set sealed_key = g.after from given g
   where s.account_id = $1 and s.id = g.id and s.sealed_key = g.before and s.id in (select id from free) returning 1 as done`,
)
const RESPONSES = sql(
  'reseal_responses',
  `select configuration_id, key_hash, sealed_response as sealed from idempotency_keys
   where account_id = $1 and account_key_number(sealed_response) <> $2 limit $3`,
)
const RESEAL_RESPONSE = sql(
  'reseal_response_write',
  `update idempotency_keys set sealed_response = $5 where account_id = $1 and configuration_id = $2 and key_hash = $3 and sealed_response = $4`,
)
const ENDPOINTS = sql(
  'reseal_endpoints',
  `select configuration_id, endpoint, sealed_url, sealed_token from webhook_endpoints
   where account_id = $1 and (account_key_number(sealed_url) <> $2 or account_key_number(sealed_token) <> $2) limit $3`,
)
const RESEAL_URL = sql(
  'reseal_url_write',
  `update webhook_endpoints set sealed_url = $5 where account_id = $1 and configuration_id = $2 and endpoint = $3 and sealed_url = $4`,
)
const RESEAL_TOKEN = sql(
  'reseal_token_write',
  `update webhook_endpoints set sealed_token = $5 where account_id = $1 and configuration_id = $2 and endpoint = $3 and sealed_token = $4`,
)
const SECRETS = sql(
  'reseal_secrets',
  `select configuration_id, id, sealed_secret as sealed from webhook_secrets
   where account_id = $1 and account_key_number(sealed_secret) <> $2 limit $3`,
)
const RESEAL_SECRET = sql(
  'reseal_secret_write',
  `update webhook_secrets set sealed_secret = $5 where account_id = $1 and configuration_id = $2 and id = $3 and sealed_secret = $4`,
)
/** Answers to events about no session are sealed with the account's key, all others with their session's. */
const ANSWERS = sql(
  'reseal_answers',
  `select a.delivery_id, a.number, a.sealed_answer as sealed from webhook_deliveries d
   join webhook_attempts a on a.account_id = d.account_id and a.delivery_id = d.id
   where d.account_id = $1 and d.session_id is null and a.sealed_answer is not null and account_key_number(a.sealed_answer) <> $2 limit $3`,
)
const RESEAL_ANSWER = sql(
  'reseal_answer_write',
  `update webhook_attempts set sealed_answer = $5 where account_id = $1 and delivery_id = $2 and number = $3 and sealed_answer = $4`,
)

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** Where the look through the sessions has come to; nobody else goes on from there until this transaction ends. */
export async function holdWalk(tx: Db, accountId: string, number: number): Promise<Walk | null> {
  return (await tx.query<Walk>(WALK, [accountId, number]))[0] ?? null
}

export async function moveWalk(tx: Db, accountId: string, number: number, walk: Walk, done: number): Promise<void> {
  await tx.query(WALKED, [accountId, number, walk.after, walk.met, done])
}

/** How many values of an account other keys than this one sealed. */
export async function countToReseal(db: Db, accountId: string, number: number): Promise<number> {
  return (await db.query<{ total: number }>(COUNT, [accountId, number]))[0]?.total ?? 0
}

export type SealedKeyRow = { id: string; sealed: Buffer | null }

export const listSealedKeys = (tx: Db, accountId: string, { after }: Walk, most: number): Promise<SealedKeyRow[]> =>
  tx.query<SealedKeyRow>(SESSIONS, [accountId, after ?? BEFORE_ALL, most])

export type Resealed = { id: string; before: Buffer; after: Buffer }

/** Leaves out sessions that someone is writing: it waits for nobody, and the next look finds them. Returns how many were done. */
export async function resealSessions(tx: Db, accountId: string, rows: readonly Resealed[]): Promise<number> {
  if (rows.length === 0) return 0
  const columns = [rows.map(({ id }) => id), rows.map(({ before }) => before), rows.map(({ after }) => after)]
  return (await tx.query(RESEAL_SESSIONS, [accountId, ...columns])).length
}

/** Seals a value of a row anew; null when it cannot be opened. */
type Reseal = (sealed: Buffer) => Buffer | null
export type Opener = {
  response: (keyHash: Buffer) => Reseal
  url: (configurationId: string, endpoint: string) => Reseal
  token: (configurationId: string, endpoint: string) => Reseal
  secret: (id: string) => Reseal
  answer: (deliveryId: string) => Reseal
}

type Response = { configuration_id: string; key_hash: Buffer; sealed: Buffer }
type Endpoint = { configuration_id: string; endpoint: string; sealed_url: Buffer; sealed_token: Buffer | null }
type Secret = { configuration_id: string; id: string; sealed: Buffer }
type Answer = { delivery_id: string; number: number; sealed: Buffer }

/** Seals anew what belongs to the account and not to a session; there is little of it. Returns how many rows were done. */
export async function resealOthers(
  tx: Db,
  accountId: string,
  number: number,
  reseal: Opener,
  most: number,
): Promise<number> {
  const wanted = [accountId, number, most]
  let done = 0
  const write = async (statement: Statement, row: readonly unknown[], sealed: Buffer, after: Buffer | null) => {
    if (after === null) return
    await tx.query(statement, [accountId, ...row, sealed, after])
    done++
  }
  for (const { configuration_id: id, key_hash: hash, sealed } of await tx.query<Response>(RESPONSES, wanted))
    await write(RESEAL_RESPONSE, [id, hash], sealed, reseal.response(hash)(sealed))
  for (const row of await tx.query<Endpoint>(ENDPOINTS, wanted)) {
    const { configuration_id: id, endpoint, sealed_url: url, sealed_token: token } = row
    if (keyNumberOf(url) !== number) await write(RESEAL_URL, [id, endpoint], url, reseal.url(id, endpoint)(url))
    if (token && keyNumberOf(token) !== number)
      await write(RESEAL_TOKEN, [id, endpoint], token, reseal.token(id, endpoint)(token))
  }
  for (const { configuration_id: configurationId, id, sealed } of await tx.query<Secret>(SECRETS, wanted))
    await write(RESEAL_SECRET, [configurationId, id], sealed, reseal.secret(id)(sealed))
  for (const { delivery_id: id, number: attempt, sealed } of await tx.query<Answer>(ANSWERS, wanted))
    await write(RESEAL_ANSWER, [id, attempt], sealed, reseal.answer(id)(sealed))
  return done
}
