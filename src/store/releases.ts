import { createHash } from 'node:crypto'
import { type Db, sql } from './database/db.ts'

export type ReleaseRow = { version: string; sha256: string; published_at: Date }

const INSERT = sql(
  'release_insert',
  `with done as (insert into content_releases (version, compiled, sha256, source_sha256) values ($1, $2, $3, $4) on conflict do nothing returning 1)
   select pg_notify('fyr_content', $1) from done`,
)
const FIND = sql('release_find', 'select compiled, sha256 from content_releases where version = $1')
const LIST = sql(
  'release_list',
  'select version, sha256, published_at from content_releases order by published_at desc, version desc',
)

/** Publishes a release once. Another text under a published version is refused: sessions rely on what they pinned. */
export async function publishRelease(
  db: Db,
  version: string,
  compiled: string,
  sourceSha256: string,
): Promise<'published' | 'known' | 'different'> {
  const sha256 = createHash('sha256').update(compiled).digest('hex')
  const [row] = await db.query(INSERT, [version, compiled, sha256, sourceSha256])
  if (row) return 'published'
  const [known] = await db.query<{ sha256: string }>(FIND, [version])
  return known?.sha256 === sha256 ? 'known' : 'different'
}

const BY_SOURCE = sql('release_by_source', 'select version from content_releases where source_sha256 = $1')

/** The release that was compiled from exactly these files, when there is one: then nothing need be compiled again. */
export async function findReleaseBySource(db: Db, sourceSha256: string): Promise<string | null> {
  const [row] = await db.query<{ version: string }>(BY_SOURCE, [sourceSha256])
  return row?.version ?? null
}

/** The compiled text of a release, as published. */
export async function findRelease(db: Db, version: string): Promise<string | null> {
  const [row] = await db.query<{ compiled: string }>(FIND, [version])
  return row?.compiled ?? null
}

/** All releases, newest first. */
export const listReleases = (db: Db): Promise<ReleaseRow[]> => db.query<ReleaseRow>(LIST)
