import { chmodSync, closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Db, StoreUnavailable, sql } from './database/db.ts'
import { Keyring, newKey, SealBroken } from './seal.ts'

const FIND = sql('master_key_check_find', 'select check_value from master_key_checks')
const KEEP = sql(
  'master_key_check_keep',
  'insert into master_key_checks (check_value) values ($1) on conflict do nothing',
)
const ANY_ACCOUNT = sql('account_any', 'select id, sealed_key from accounts limit 1')

const KEY_BYTES = 32

/** Where the key comes from: the setting, or the file beside the embedded database. */
export type KeySource = { given: Buffer | null; file: string | null }

/**
 * The master key of this database. With another key everything would seem to work while nothing stored could be read
 * and every audit chain continued wrongly, so it is refused; a new key is made only for a new database.
 */
export async function masterKeyFor(db: Db, source: KeySource): Promise<Buffer> {
  const known = await findCheck(db)
  const [account] = known ? [] : await db.query<{ id: string; sealed_key: Buffer }>(ANY_ACCOUNT)
  const key = keyFrom(source, !known && !account)
  const keyring = new Keyring(key)
  const check = masterKeyCheck(keyring)
  if (account) openedBy(keyring, account.id, account.sealed_key, source)
  if (!known) await db.query(KEEP, [check])
  if (!(known ?? (await findCheck(db)))?.equals(check)) wrong(source)
  return key
}

/** The key that this process was given, before there is a database that would know it. */
export const masterKeyGiven = (source: KeySource): Buffer => keyFrom(source, false)

/** Tells a master key from any other, and says nothing of it. */
export const masterKeyCheck = (keyring: Keyring): Buffer => keyring.derive('master key check', 'fyr')

const findCheck = async (db: Db): Promise<Buffer | null> =>
  (await db.query<{ check_value: Buffer }>(FIND))[0]?.check_value ?? null

function keyFrom({ given, file }: KeySource, isNew: boolean): Buffer {
  if (given) return given
  if (!file) return missing('MASTER_KEY')
  return readKeyFile(file) ?? (isNew ? makeKeyFile(file) : missing(file))
}

/** A database without a check value still identifies its key: every account's key is sealed with it. */
function openedBy(keyring: Keyring, accountId: string, sealedKey: Buffer, source: KeySource): void {
  try {
    keyring.openAccountKey(accountId, sealedKey)
  } catch (error) {
    if (error instanceof SealBroken) wrong(source)
    throw error
  }
}

function wrong({ given, file }: KeySource): never {
  throw new StoreUnavailable(
    `The database was made with another key than the one in ${given || !file ? 'MASTER_KEY' : file}. Nothing was changed. Put the right key back from your copy; without it nothing stored can be read, by anyone.`,
  )
}

function missing(place: string): never {
  throw new StoreUnavailable(
    `The master key of this database is missing: ${place}. Nothing was changed, and no other key was made. Put it back from your copy; without it nothing stored can be read, by anyone.`,
  )
}

export type KeyName = 'master key' | 'backup key'

/** The key in a file, or null when there is no such file. */
export function readKeyFile(file: string, name: KeyName = 'master key'): Buffer | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (code === 'ENOENT') return null
    throw new StoreUnavailable(
      `The ${name} ${file} cannot be read, or not be kept from others (${code}). It must be a file of the user that runs Fyr, with the mode 0600.`,
    )
  }
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === KEY_BYTES) return key
  throw new StoreUnavailable(
    `${file} does not hold ${KEY_BYTES} bytes in base64. Put the right key back from your copy; without it nothing ${name === 'master key' ? 'stored' : 'backed up'} can be read, by anyone.`,
  )
}

/** Written beside its place and moved there complete; when another process was first, its key is used. */
export function makeKeyFile(file: string, name: KeyName = 'master key'): Buffer {
  const beside = `${file}.${process.pid}`
  rmSync(beside, { force: true })
  const handle = openSync(beside, 'wx', 0o600)
  try {
    writeSync(handle, `${newKey().toString('base64')}\n`)
    fsyncSync(handle)
    linkSync(beside, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    closeSync(handle)
    rmSync(beside, { force: true })
  }
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
  return readKeyFile(file, name) ?? missing(file)
}
