import { createHash } from 'node:crypto'
import { DEPLOYMENT } from '../accounts.ts'
import { type Db, type Statement, sql } from '../database/db.ts'
import { keyedHash } from '../seal.ts'
import type { Keyring } from '../sealing/keyring.ts'

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

/** Effect: a release, once; its text is stored before. Row: {version, sha256, source_sha256, checks, published_by, seal (hex)}. A taken version undoes the batch. */
export const INSERT_RELEASE: Statement = sql(
  'release_insert',
  `with given as (select * from jsonb_to_recordset($2::jsonb)
     as g(version text, sha256 text, source_sha256 text, checks jsonb, published_by text, seal text)),
   done as (
     insert into content_releases (version, sha256, source_sha256, checks, published_by, seal)
     select version, sha256, source_sha256, checks, published_by, decode(seal, 'hex') from given
     where $1::uuid is not null on conflict do nothing returning 1)
   select expect_rows((select count(*) from done), (select count(*) from given)), pg_notify('fyr_content', '{}')`,
)
const FIND = sql('release_find', `select ${COLUMNS} from content_releases where version = $1`)
const LIST = sql('release_list', `select ${COLUMNS} from content_releases order by published_at desc, version desc`)
const BY_SOURCE = sql('release_by_source', 'select version from content_releases where source_sha256 = $1')

const INSERT_PART = sql(
  'release_part_insert',
  'insert into content_texts (sha256, part, text) values ($1, $2, $3) on conflict do nothing',
)
const FIND_PART = sql('release_part', 'select text from content_texts where sha256 = $1 and part = $2')
const PART_LENGTH = 1_000_000

/** A release as it is stored, intact or not. */
export async function findRelease(db: Db, version: string): Promise<ReleaseRow | null> {
  return (await db.query<ReleaseRow>(FIND, [version]))[0] ?? null
}

/** Stores the text of a release under its hash, which nothing uses before the release itself is there. */
export async function keepText(db: Db, sha256: string, text: string): Promise<void> {
  let from = 0
  for (let part = 0; from < text.length; part++) {
    const to = from + PART_LENGTH
    const end = isInsideLetter(text, to) ? to - 1 : to
    await db.query(INSERT_PART, [sha256, part, text.slice(from, end)])
    from = end
  }
}

/** Letters beyond the basic plane are two units, of which neither can be stored alone. */
const isInsideLetter = (text: string, at: number) => /^[\uDC00-\uDFFF]/.test(text.charAt(at))

/** The text under a hash, as much of it as there is. */
export async function readText(db: Db, sha256: string): Promise<string> {
  const parts: string[] = []
  for (;;) {
    const [row] = await db.query<{ text: string }>(FIND_PART, [sha256, parts.length])
    if (!row) return parts.join('')
    parts.push(row.text)
  }
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
export function releaseFault(keyring: Keyring, row: ReleaseRow, compiled: string): string | null {
  if (sha256Of(compiled) !== row.sha256) return 'its text is not the one that was published'
  if (!releaseSeal(keyring, row.version, row.sha256).equals(row.seal))
    return 'its hash was not written by this deployment'
  return null
}
