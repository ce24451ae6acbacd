import { createHash } from 'node:crypto'
import { DEPLOYMENT } from '../accounts.ts'
import { type Db, type Statement, sql } from '../database/db.ts'
import { type Keyring, keyedHash } from '../seal.ts'

/** How much a release was checked before it was published. */
export type Checks = { complaints: number; cases: number; walks: number }

export type ReleaseRow = {
  version: string
  sha256: string
  source_sha256: string
  checks: Checks
  published_by: string
  published_at: Date
  seal: Buffer
}

const COLUMNS = 'version, sha256, source_sha256, checks, published_by, published_at, seal'

/** Effect: a release, once. Row: {version, compiled, sha256, source_sha256, checks, published_by, seal (hex)}. A taken version undoes the batch. */
export const INSERT_RELEASE: Statement = sql(
  'release_insert',
  `with given as (select * from jsonb_to_recordset($2::jsonb)
     as g(version text, compiled text, sha256 text, source_sha256 text, checks jsonb, published_by text, seal text)),
   done as (
     insert into content_releases (version, compiled, sha256, source_sha256, checks, published_by, seal)
     select version, compiled, sha256, source_sha256, checks, published_by, decode(seal, 'hex') from given
     where $1::uuid is not null on conflict do nothing returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_content', '{}')`,
)
const FIND = sql('release_find', `select compiled, ${COLUMNS} from content_releases where version = $1`)
const LIST = sql('release_list', `select ${COLUMNS} from content_releases order by published_at desc, version desc`)
const BY_SOURCE = sql('release_by_source', 'select version from content_releases where source_sha256 = $1')

/** A release as it is stored, intact or not. */
export async function findRelease(db: Db, version: string): Promise<(ReleaseRow & { compiled: string }) | null> {
  return (await db.query<ReleaseRow & { compiled: string }>(FIND, [version]))[0] ?? null
}

/** The release compiled from exactly these files, if there is one: then nothing need be compiled again. */
export async function findReleaseBySource(db: Db, sourceSha256: string): Promise<string | null> {
  const [row] = await db.query<{ version: string }>(BY_SOURCE, [sourceSha256])
  return row?.version ?? null
}

/** All releases, newest first. */
export const listReleases = (db: Db): Promise<ReleaseRow[]> => db.query<ReleaseRow>(LIST)

export const sha256Of = (compiled: string): string => createHash('sha256').update(compiled).digest('hex')

/** Binds a hash to its version: making one takes the master key. */
export const releaseSeal = (keyring: Keyring, version: string, sha256: string): Buffer =>
  keyedHash(keyring.derive('release', DEPLOYMENT), version, sha256)

/** What is wrong with a stored release, if anything: a published one never changes, whoever writes to the database. */
export function releaseFault(keyring: Keyring, row: ReleaseRow & { compiled: string }): string | null {
  if (sha256Of(row.compiled) !== row.sha256) return 'its text is not the one that was published'
  if (!releaseSeal(keyring, row.version, row.sha256).equals(row.seal))
    return 'its hash was not written by this deployment'
  return null
}
