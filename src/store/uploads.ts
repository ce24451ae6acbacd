import { type Db, type Statement, sql } from './database/db.ts'
import type { Objects } from './objects.ts'

export type UploadRow = {
  id: string
  created_at: Date
  sealed_name: Buffer
  size: number
  received: number
  mime_type: string | null
  flags: string[]
  stored_size: number | null
  ready_at: Date | null
}

const COLUMNS = 'id, created_at, sealed_name, size, received, mime_type, flags, stored_size, ready_at'

const LIST = sql(
  'upload_list',
  `select ${COLUMNS} from uploads where account_id = $1 and session_id = $2 and removed_at is null order by created_at, id`,
)
const FIND = sql(
  'upload_find',
  `select ${COLUMNS}, removed_at is not null as removed from uploads where account_id = $1 and session_id = $2 and id = $3`,
)
const HOLD = sql('upload_hold_session', `select 1 from sessions where account_id = $1 and id = $2 for update`)
const BEGIN = sql(
  'upload_begin',
  `insert into uploads (account_id, session_id, id, sealed_name, size)
   select $1, $2, $3, $4, $5
   where (select count(*) filter (where removed_at is null) < $6 and count(*) < $7 from uploads where account_id = $1 and session_id = $2)
   on conflict do nothing returning id`,
)
const ADD_PART = sql(
  'upload_add_part',
  `with grown as (
     update uploads set received = received + $5
     where account_id = $1 and session_id = $2 and id = $3 and received = $4 and received + $5 <= size and removed_at is null and ready_at is null
     returning received)
   insert into upload_parts (account_id, session_id, upload_id, start, sealed) select $1, $2, $3, $4, $6 from grown returning start`,
)
/**
 * Bytes come as text, and the driver reads a row whole: a large one would make it grow and copy its buffer again and
 * again. A slice fits into what arrives at once.
 */
const SLICE_BYTES = 24 * 1024
const slicesOf = (column: string): string => `substring(${column} from slice.start for ${SLICE_BYTES}) as slice`
const startsIn = (column: string): string =>
  `cross join lateral generate_series(1, length(${column}), ${SLICE_BYTES}) as slice(start)`

const PART = sql(
  'upload_part',
  `select ${slicesOf('p.sealed')} from upload_parts p ${startsIn('p.sealed')}
   where p.account_id = $1 and p.session_id = $2 and p.upload_id = $3 and p.start = $4 order by slice.start`,
)
const KEPT_BYTES = sql(
  'upload_kept_bytes',
  `select ${slicesOf('u.sealed_bytes')} from uploads u ${startsIn('u.sealed_bytes')}
   where u.account_id = $1 and u.session_id = $2 and u.id = $3 and u.ready_at is not null and u.removed_at is null order by slice.start`,
)

/** Bytes of files travel on a separate connection: on a pipelined one everyone else would wait behind them. */
const ofBytes = <Row>(db: Db, statement: Statement, values: unknown[]): Promise<Row[]> =>
  db.transaction((tx) => tx.query<Row>(statement, values))

/** The slices of a value, joined; null when there is none. */
async function joined(db: Db, statement: Statement, values: unknown[]): Promise<Buffer | null> {
  const slices = await ofBytes<{ slice: Buffer }>(db, statement, values)
  return slices.length > 0 ? Buffer.concat(slices.map(({ slice }) => slice)) : null
}

export const listUploadRows = (db: Db, accountId: string, sessionId: string): Promise<UploadRow[]> =>
  db.query<UploadRow>(LIST, [accountId, sessionId])

export async function findUpload(
  db: Db,
  accountId: string,
  sessionId: string,
  id: string,
): Promise<(UploadRow & { removed: boolean }) | null> {
  return (await db.query<UploadRow & { removed: boolean }>(FIND, [accountId, sessionId, id]))[0] ?? null
}

/** Registers an announced file; false when the session has as many as it may, or knows this id already. */
export async function beginUpload(
  db: Db,
  accountId: string,
  sessionId: string,
  upload: { id: string; sealedName: Buffer; size: number },
  most: { atOnce: number; ever: number },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.query(HOLD, [accountId, sessionId]) // one at a time: concurrent ones must not all see the same count
    const values = [accountId, sessionId, upload.id, upload.sealedName, upload.size, most.atOnce, most.ever]
    return (await tx.query(BEGIN, values)).length === 1
  })
}

/** Stores the next part; false when it does not begin where the last one ended. */
export async function addUploadPart(
  db: Db,
  accountId: string,
  sessionId: string,
  id: string,
  start: number,
  length: number,
  sealed: Buffer,
): Promise<boolean> {
  const values = [accountId, sessionId, id, start, length, sealed]
  return (await ofBytes<unknown>(db, ADD_PART, values)).length === 1
}

/** The part that begins at this offset. One at a time: reading a large file at once would hold up everyone. */
export const findUploadPart = (
  db: Db,
  accountId: string,
  sessionId: string,
  id: string,
  start: number,
): Promise<Buffer | null> => joined(db, PART, [accountId, sessionId, id, start])

const KEEP = sql(
  'upload_keep',
  `update uploads set mime_type = $4, flags = $5, stored_size = $6, object_key = $7, sealed_bytes = $8, sealed_name = $9
   where account_id = $1 and session_id = $2 and id = $3 and removed_at is null and ready_at is null`,
)

/** Where a checked file is kept: in the database, or under a key in the object store. */
export type Keeping = {
  mimeType: string
  flags: string[]
  size: number
  objectKey: string | null
  sealedBytes: Buffer | null
  sealedName: Buffer
}

/** Stores a checked file, which is ready only once it is recorded. One that is ready already stays as it is. */
export async function keepUpload(
  db: Db,
  accountId: string,
  sessionId: string,
  id: string,
  { mimeType, flags, size, objectKey, sealedBytes, sealedName }: Keeping,
): Promise<void> {
  await ofBytes(db, KEEP, [accountId, sessionId, id, mimeType, flags, size, objectKey, sealedBytes, sealedName])
}

/** Effect: the file that was kept is ready. Row: {session_id, id}. */
export const FINISH_UPLOAD: Statement = sql(
  'upload_finish',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(session_id uuid, id uuid)),
   done as (
     update uploads u set ready_at = clock_timestamp()
     from given g where u.account_id = $1 and u.session_id = g.session_id and u.id = g.id and u.removed_at is null and u.ready_at is null
       and u.stored_size is not null
     returning u.session_id, u.id),
   parts as (delete from upload_parts p using done d where p.account_id = $1 and p.session_id = d.session_id and p.upload_id = d.id)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

/** Effect: the user removes a file before sending; its bytes are deleted at once. Row: {session_id, id}. */
export const REMOVE_UPLOAD: Statement = sql(
  'upload_remove',
  `with given as (select * from jsonb_to_recordset($2::jsonb) as g(session_id uuid, id uuid)),
   done as (
     update uploads u set removed_at = coalesce(u.removed_at, now()), sealed_bytes = null from given g
     where u.account_id = $1 and u.session_id = g.session_id and u.id = g.id returning u.session_id, u.id),
   parts as (delete from upload_parts p using done d where p.account_id = $1 and p.session_id = d.session_id and p.upload_id = d.id)
   select expect_rows((select count(*) from done), (select count(*) from given))`,
)

export type KeptUpload = UploadRow & {
  mime_type: string
  object_key: string | null
  sealed_key: Buffer
  sealed_account_key: Buffer
}

const KEPT = sql(
  'upload_kept',
  `select u.${COLUMNS.replaceAll(', ', ', u.')}, u.object_key, s.sealed_key, a.sealed_key as sealed_account_key
   from uploads u join sessions s on s.account_id = u.account_id and s.id = u.session_id and s.erased_at is null
   join accounts a on a.id = u.account_id
   where u.account_id = $1 and u.session_id = $2 and u.id = $3 and u.ready_at is not null and u.removed_at is null`,
)

/** A kept file with what opens it, without its bytes. */
export async function findKeptUpload(
  db: Db,
  accountId: string,
  sessionId: string,
  id: string,
): Promise<KeptUpload | null> {
  return (await db.query<KeptUpload>(KEPT, [accountId, sessionId, id]))[0] ?? null
}

/** The sealed bytes of a kept file, from the database or the object store; null when they are gone. */
export const readKeptBytes = (
  db: Db,
  objects: Objects | null,
  accountId: string,
  sessionId: string,
  { id, object_key: objectKey }: KeptUpload,
): Promise<Buffer | null> =>
  objectKey ? (objects?.get(objectKey) ?? Promise.resolve(null)) : joined(db, KEPT_BYTES, [accountId, sessionId, id])

const ADDRESS_WORKS = sql(
  'upload_address_works',
  `select exists (select from user_cookies u where u.account_id = $1 and u.session_id = $2 and u.signed_out_at is null and u.expires_at > now())
     and exists (select from api_keys k join configurations c on c.account_id = k.account_id and c.id = k.configuration_id and c.enabled
       join accounts a on a.id = k.account_id and a.active
       where k.account_id = $1 and k.id = $3 and k.revoked_at is null) as works`,
)

/**
 * Whether the address of a file still works: a user is signed in, and the key that listed it, its configuration and its
 * account are active.
 */
export async function addressWorks(db: Db, accountId: string, sessionId: string, keyId: string): Promise<boolean> {
  return (await db.query<{ works: boolean }>(ADDRESS_WORKS, [accountId, sessionId, keyId]))[0]?.works === true
}

const LEFT_OBJECTS = sql(
  'upload_left_objects',
  `select u.session_id, u.id from uploads u where u.account_id = $1 and u.object_key is not null and u.removed_at is not null limit $2`,
)
const FORGET_OBJECT = sql(
  'upload_forget_object',
  `update uploads set object_key = null where account_id = $1 and session_id = $2 and id = $3`,
)

/** Removed or erased files whose bytes are still in the object store. */
export const listLeftObjects = (
  db: Db,
  accountId: string,
  limit: number,
): Promise<{ session_id: string; id: string }[]> =>
  db.query<{ session_id: string; id: string }>(LEFT_OBJECTS, [accountId, limit])

const STORED_OBJECTS = sql(
  'upload_stored_objects',
  `select u.session_id, u.id, u.ready_at is not null and u.removed_at is null as ready
   from uploads u where u.account_id = $1 and u.object_key is not null`,
)

/** A file whose bytes are in the object store; or may be, when it is not ready. */
export type StoredObject = { session_id: string; id: string; ready: boolean }

/** All files of an account whose bytes are, or may be, in the object store. */
export const listStoredObjects = (db: Db, accountId: string): Promise<StoredObject[]> =>
  db.query<StoredObject>(STORED_OBJECTS, [accountId])

/** Records that the bytes of a file are gone from the object store. */
export async function forgetObject(db: Db, accountId: string, sessionId: string, id: string): Promise<void> {
  await db.query(FORGET_OBJECT, [accountId, sessionId, id])
}
