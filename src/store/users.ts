import { batched } from './database/batched.ts'
import { type Db, type Statement, sql } from './database/db.ts'
import { type SessionRow, sessionColumns } from './sessions.ts'

/** A session at its door: still sealed, with what is needed to open it. */
export type SessionDoor = {
  account_id: string
  sealed_account_key: Buffer
  time_zone: string
  slug: string
  enabled: boolean
  document: unknown
  revision: number
  can_enter: boolean
  file_count: number
  session: SessionRow
}

type DoorRow = Omit<SessionDoor, 'session'> & SessionDoor['session']

/** How users carry the secret that was issued to them on entering: browsers in a cookie, headless clients as bearer. */
export type Credential = 'cookie' | 'bearer'

/** What identifies a user to the database. */
export type Proof = { kind: Credential; hash: Buffer }

const DOOR_BODY = `s.account_id, a.sealed_key as sealed_account_key, a.time_zone, c.slug, c.enabled, c.document, c.revision,
   s.enter_until > now() as can_enter,
   ${sessionColumns('s')},
   (select count(*)::int from uploads u where u.account_id = s.account_id and u.session_id = s.id and u.removed_at is null) as file_count`
const DOOR_JOINS = `join accounts a on a.id = s.account_id
   join configurations c on c.account_id = s.account_id and c.id = s.configuration_id`

const BY_PROOF = sql(
  'user_by_proof',
  `select u.hash as credential, u.kind as credential_kind, ${DOOR_BODY} from user_cookies u
   join sessions s on s.account_id = u.account_id and s.id = u.session_id ${DOOR_JOINS}
   where u.hash = any($1) and u.signed_out_at is null and u.expires_at > now() and s.erased_at is null`,
)
const BY_SECRET = sql(
  'user_by_secret',
  `select ${DOOR_BODY} from sessions s ${DOOR_JOINS} where s.secret_hash = $1 and s.erased_at is null`,
)
const DOOR = sql(
  'session_door',
  `select ${DOOR_BODY} from sessions s ${DOOR_JOINS} where s.account_id = $1 and s.id = $2 and s.erased_at is null`,
)

function doorOf(row: DoorRow | undefined): SessionDoor | null {
  if (!row) return null
  const {
    account_id,
    sealed_account_key,
    time_zone,
    slug,
    enabled,
    document,
    revision,
    can_enter,
    file_count,
    ...session
  } = row
  return {
    account_id,
    sealed_account_key,
    time_zone,
    slug,
    enabled,
    document,
    revision,
    can_enter,
    file_count,
    session,
  }
}

/** A door: finds the live session for a user's proof; concurrent look-ups share a statement. */
export function proofFinder(db: Db): (proof: Proof) => Promise<SessionDoor | null> {
  return batched(async (proofs) => {
    const rows = await db.query<DoorRow & { credential: Buffer; credential_kind: Credential }>(BY_PROOF, [
      proofs.map(({ hash }) => hash),
    ])
    const found = new Map(
      rows.map(({ credential: hash, credential_kind: kind, ...row }) => [proofName({ kind, hash }), row]),
    )
    return proofs.map((proof) => doorOf(found.get(proofName(proof))))
  })
}

/** One text for each proof: a cookie's secret sent as bearer is another one. */
export const proofName = ({ kind, hash }: Proof): string => kind + hash.toString('latin1')

/** A door: finds the session behind the secret of its link. */
export async function findUserBySecret(db: Db, hash: Buffer): Promise<SessionDoor | null> {
  return doorOf((await db.query<DoorRow>(BY_SECRET, [hash]))[0])
}

const WAS_USER = sql('user_known', `select 1 from user_cookies where hash = $1`)

/** A door: whether this cookie ever existed, so that an ended one does not count as a guess. */
export async function wasUser(db: Db, hash: Buffer): Promise<boolean> {
  return (await db.query(WAS_USER, [hash])).length > 0
}

/** The same by session: for a clinician's visit, or for the service, which ends sessions left with an alarm. */
export async function findSessionDoor(db: Db, accountId: string, sessionId: string): Promise<SessionDoor | null> {
  return doorOf((await db.query<DoorRow>(DOOR, [accountId, sessionId]))[0])
}

/**
 * Effect: a user enters for the first time or again, and is issued a proof. Row: {id, hash (hex), kind, entry_hash
 * (hex) | null, hours, active_hours, content_version, state_seal (hex) | null, again}. Entering again does not revive
 * an abandoned session. The seal goes with the content: where another browser settled that first, its seal stands.
 */
export const ENTER_SESSION: Statement = sql(
  'session_enter',
  `with given as (
     select * from jsonb_to_recordset($2::jsonb)
       as g(id uuid, hash text, kind text, entry_hash text, hours float8, active_hours float8, content_version text, state_seal text,
         again boolean)),
   done as (
     update sessions s set started_at = coalesce(s.started_at, now()), content_version = coalesce(s.content_version, g.content_version),
       state_seal = case when s.content_version is null then coalesce(decode(g.state_seal, 'hex'), s.state_seal) else s.state_seal end,
       status = case when s.status = 'AiSessionNotCreated' then 'Created' else s.status end, last_active_at = now(), takeover_tries = 0,
       active_until = case when g.again and s.active_until <= now() then s.active_until else now() + g.active_hours * interval '1 hour' end
     from given g where s.account_id = $1 and s.id = g.id and s.erased_at is null and (g.again or s.started_at is null) returning s.id),
   issued as (
     insert into user_cookies (account_id, hash, kind, session_id, entry_hash, expires_at)
     select $1, decode(g.hash, 'hex'), g.kind, g.id, decode(g.entry_hash, 'hex'), now() + g.hours * interval '1 hour' from given g join done using (id))
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

const SAME_ENTRY = sql(
  'user_same_entry',
  `select 1 from user_cookies where account_id = $1 and session_id = $2 and entry_hash = $3 and signed_out_at is null
     and created_at > now() - interval '15 minutes'`,
)

/** Whether a client entered this session under this id a moment ago: then it is the same client, which lost the reply. */
export async function enteredBefore(db: Db, accountId: string, sessionId: string, entryHash: Buffer): Promise<boolean> {
  return (await db.query(SAME_ENTRY, [accountId, sessionId, entryHash])).length > 0
}

const TAKEOVER_TRY = sql(
  'session_takeover_try',
  `update sessions set takeover_tries = takeover_tries + 1 where account_id = $1 and id = $2 and takeover_tries < $3 returning takeover_tries`,
)

/** Counts an attempt to take a session over before it is judged, so that parallel guesses can't outrun the limit. */
export async function noteTakeoverTry(db: Db, accountId: string, sessionId: string, most: number): Promise<boolean> {
  return (await db.query(TAKEOVER_TRY, [accountId, sessionId, most])).length === 1
}

const FORGET = sql(
  'user_cookies_forget',
  `delete from user_cookies where account_id = $1 and hash in (
     select hash from user_cookies where account_id = $1 and expires_at < now() - interval '7 days' limit $2)
   returning 1`,
)

/** Deletes the records of cookies that ended a week ago: no browser has them any more. */
export const forgetUserCookies = async (db: Db, accountId: string, limit: number): Promise<number> =>
  (await db.query(FORGET, [accountId, limit])).length

/** Effect: revokes the access of this browser or client; the record keeps its natural end. Row: {hash (hex)}. */
export const SIGN_OUT: Statement = sql(
  'user_sign_out',
  `update user_cookies u set signed_out_at = coalesce(u.signed_out_at, now())
   from jsonb_to_recordset($2::jsonb) as g(hash text) where u.account_id = $1 and u.hash = decode(g.hash, 'hex')`,
)
