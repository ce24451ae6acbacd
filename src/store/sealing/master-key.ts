import { type Db, StoreUnavailable, sql } from '../database/db.ts'
import { newKey, SealBroken } from '../seal.ts'
import { makeKeyFile, readKeyFile } from './key-file.ts'
import { type GivenKey, readGivenKey } from './key-sources.ts'
import { checkOf, Keyring, openRoot, sealRoot } from './keyring.ts'

type Known = { check_value: Buffer; sealed_root: Buffer | null; since: Date }

const FIND = sql('master_key_check_find', 'select check_value, sealed_root, since from master_key_checks')
const KEEP = sql(
  'master_key_check_keep',
  'insert into master_key_checks (check_value, sealed_root) values ($1, $2) on conflict do nothing',
)
const KEEP_ROOT = sql(
  'master_key_root_keep',
  'update master_key_checks set sealed_root = $2 where check_value = $1 and sealed_root is null',
)
const REPLACED = sql('master_key_replaced_find', 'select replaced_at from master_keys_replaced where check_value = $1')
const ANY_ACCOUNT = sql('account_any', 'select id, sealed_key from accounts limit 1')
const ANY_CHAIN = sql('audit_any', 'select exists (select from audit_heads) as found')

/** Where the key comes from: the settings, or the file beside the embedded database. `previous` is the one it replaces. */
export type KeySource = { given: GivenKey | null; previous: GivenKey | null; file: string | null }

/** The keys held, with how each was given, for sentences. */
type Held = { given: Buffer; previous: Buffer | null; place: string; previousPlace: string }

/**
 * The keys of this database. With another master key everything would seem to work while nothing stored could be read
 * and every audit chain continued wrongly, so it is refused; a new key is made only for a new database.
 */
export async function keyringFor(db: Db, source: KeySource): Promise<Keyring> {
  const found = await findKnown(db)
  const [account] = found ? [] : await db.query<{ id: string; sealed_key: Buffer }>(ANY_ACCOUNT)
  const isNew = !found && !account && !(await db.query<{ found: boolean }>(ANY_CHAIN))[0]?.found
  const held = {
    given: await keyFrom(source, isNew),
    previous: source.previous && (await readGivenKey(source.previous)),
    place: source.given?.name ?? source.file ?? 'MASTER_KEY',
    previousPlace: source.previous?.name ?? '',
  }
  const known = found ?? (await begun(db, held, account, isNew))
  const inUse = [held.given, held.previous].find((key) => key && checkOf(key).equals(known.check_value))
  if (!inUse) return wrong(db, held, known)
  await refuseStrangePrevious(db, held, known)
  return new Keyring({ given: held.given, previous: held.previous, inUse, root: await rootOf(db, inUse, known) })
}

/** The keys that this process was given, before there is a database that would know one of them. */
export async function keysGiven(source: KeySource): Promise<Buffer[]> {
  const previous = source.previous && (await readGivenKey(source.previous))
  return [await keyFrom(source, false), ...(previous ? [previous] : [])]
}

const findKnown = async (db: Db): Promise<Known | null> => (await db.query<Known>(FIND))[0] ?? null

async function keyFrom({ given, file }: KeySource, isNew: boolean): Promise<Buffer> {
  if (given) return readGivenKey(given)
  if (!file) return missing('MASTER_KEY')
  return readKeyFile(file) ?? (isNew ? makeKeyFile(file) : missing(file))
}

/**
 * A database without a check value keeps that of its key now. One that is in use still identifies its key: every
 * account's key is sealed with it; and its keyed hashes are derived from it directly.
 */
async function begun(
  db: Db,
  held: Held,
  account: { id: string; sealed_key: Buffer } | undefined,
  isNew: boolean,
): Promise<Known> {
  if (account) openedBy(held, account.id, account.sealed_key)
  const root = isNew ? newKey() : held.given
  await db.query(KEEP, [checkOf(held.given), sealRoot(held.given, root)])
  return (await findKnown(db)) ?? missing(held.place)
}

/** In a database of the version before, the root key is the master key. */
async function rootOf(db: Db, master: Buffer, { sealed_root: sealed }: Known): Promise<Buffer> {
  if (sealed)
    try {
      return openRoot(master, sealed)
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      throw new StoreUnavailable(
        'The root key of this database was changed outside the program and does not open (master_key_checks.sealed_root). Nothing was changed. Put that row back from a backup made since the master key was last replaced.',
      )
    }
  await db.query(KEEP_ROOT, [checkOf(master), sealRoot(master, master)])
  return master
}

function openedBy({ given, place }: Held, accountId: string, sealedKey: Buffer): void {
  try {
    new Keyring({ given }).openAccountKey(accountId, sealedKey)
  } catch (error) {
    if (error instanceof SealBroken) throw new StoreUnavailable(anotherKey(place))
    throw error
  }
}

const anotherKey = (place: string): string =>
  `The database was made with another key than the one in ${place}. Nothing was changed. Put the right key back from your copy; without it nothing stored can be read, by anyone.`

async function wrong(db: Db, { given, previous, place, previousPlace }: Held, known: Known): Promise<never> {
  const replacedAt = await findReplaced(db, given)
  if (replacedAt)
    throw new StoreUnavailable(
      `The key in ${place} was replaced by another on ${momentText(replacedAt)} (fyr master-key rotate). Nothing was changed. Put the key there that is in use since ${momentText(known.since)}.`,
    )
  if (previous)
    throw new StoreUnavailable(
      `The database was made with another key than those in ${place} and ${previousPlace}. Nothing was changed. Put the key that is in use in one of them; without it nothing stored can be read, by anyone.`,
    )
  throw new StoreUnavailable(
    `${anotherKey(place)} If the key is to be replaced, give the one in use as MASTER_KEY_PREVIOUS beside it.`,
  )
}

/** A previous key that this database never had is a mistake that would be noticed only when it is needed. */
async function refuseStrangePrevious(db: Db, { previous, previousPlace }: Held, known: Known): Promise<void> {
  if (!previous || checkOf(previous).equals(known.check_value) || (await findReplaced(db, previous))) return
  throw new StoreUnavailable(
    `The key in ${previousPlace} was never one of this database. Nothing was changed. Put the key there that is being replaced, or take the setting away.`,
  )
}

const findReplaced = async (db: Db, key: Buffer): Promise<Date | null> =>
  (await db.query<{ replaced_at: Date }>(REPLACED, [checkOf(key)]))[0]?.replaced_at ?? null

const momentText = (moment: Date): string => `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`

function missing(place: string): never {
  throw new StoreUnavailable(
    `The master key of this database is missing: ${place}. Nothing was changed, and no other key was made. Put it back from your copy; without it nothing stored can be read, by anyone.`,
  )
}
