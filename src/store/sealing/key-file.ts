import { chmodSync, closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { StoreUnavailable } from '../database/db.ts'
import { newKey } from '../seal.ts'
import { keyIn } from './key-sources.ts'

/** The keys that are kept in files, as sentences name them. */
type KeyName = 'master key' | 'backup key'

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
  return keyIn(text, file, name === 'master key' ? 'stored' : 'backed up')
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
  const made = readKeyFile(file, name)
  if (!made) throw new StoreUnavailable(`The ${name} ${file} was removed in the moment in which it was made.`)
  return made
}
