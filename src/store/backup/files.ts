import { createReadStream } from 'node:fs'
import { access, constants, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { StoreUnavailable } from '../database/db.ts'
import { ByteReader } from './byte-reader.ts'
import { readHeader } from './format.ts'

/** Where a backup is being written: it is there whole when finished, and not at all when abandoned. */
export type Destination = {
  name: string
  write: (bytes: Buffer) => Promise<void>
  finish: () => Promise<void>
  abandon: () => Promise<void>
}

const NAME = /^fyr-\d{8}T\d{6}Z\.backup$/
const UNFINISHED = '.unfinished'
/** A disk that a backup filled would stop the database on it, and a clinic with it. */
const LEFT_FREE_BYTES = 512 * 1024 * 1024
const LOOK_EVERY_BYTES = 16 * 1024 * 1024
const STALE_MS = 3_600_000

/** `fyr-20261116T140322Z.backup`: names in the order of time. */
export const backupName = (at: Date): string =>
  `fyr-${at
    .toISOString()
    .replace(/[-:]/g, '')
    .replace(/\.\d+Z$/, 'Z')}.backup`

/** A folder for backups that is missing is neither made nor taken for an empty one: its name may be mistyped, or its disk not mounted. */
export async function refuseMissingFolder(folder: string): Promise<void> {
  const isThere = (await stat(folder).catch(() => null))?.isDirectory()
  if (!isThere)
    throw new StoreUnavailable(
      `There is no folder ${resolve(folder)} for backups (--to, BACKUP_DIR), and none is made: the name may be mistyped, or a disk not mounted.`,
    )
}

/** One that backups are to be written to. */
export async function refuseUnfitFolder(folder: string): Promise<void> {
  await refuseMissingFolder(folder)
  await access(folder, constants.W_OK | constants.X_OK).catch(() => {
    throw new StoreUnavailable(`The folder ${resolve(folder)} for backups (--to, BACKUP_DIR) cannot be written to.`)
  })
}

/** A new file, written beside its place and moved there when whole and on disk. A file that exists is never overwritten. */
export async function backupFile(path: string): Promise<Destination> {
  const [file, folder] = [resolve(path), dirname(resolve(path))]
  await refuseUnfitFolder(folder)
  if (await stat(file).catch(() => null)) throw new StoreUnavailable(`${file} is already there. Nothing was written.`)
  const beside = `${file}${UNFINISHED}`
  await rm(beside, { force: true })
  const handle = await open(beside, 'wx', 0o600)
  let untilLook = 0
  return {
    name: file,
    write: async (bytes) => {
      untilLook -= bytes.length
      if (untilLook <= 0) {
        untilLook = LOOK_EVERY_BYTES
        await refuseFullDisk(folder)
      }
      for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
    },
    finish: async () => {
      await handle.sync()
      await handle.close()
      await rename(beside, file)
      const parent = await open(folder, 'r')
      await parent.sync()
      await parent.close()
    },
    abandon: async () => {
      await handle.close().catch(() => {})
      await rm(beside, { force: true })
    },
  }
}

async function refuseFullDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < LEFT_FREE_BYTES)
    throw new StoreUnavailable(
      `There is too little room for a backup in ${folder}: 512 MB are left free, for the database. Make room, or write it to another disk.`,
    )
}

/** The backups in a folder, oldest first. */
export async function listBackupFiles(folder: string): Promise<{ path: string; bytes: number }[]> {
  const names = await readdir(folder).catch(() => [])
  const found = names.filter((name) => NAME.test(name)).sort()
  return Promise.all(
    found.map(async (name) => ({ path: join(folder, name), bytes: (await stat(join(folder, name))).size })),
  )
}

/**
 * Deletes all but the newest, and what an interrupted backup left behind. Only files named like ours and made with our
 * backup key are touched: another deployment may keep its own in the same folder.
 */
export async function removeOldBackups(folder: string, keep: number, keyCheck: string): Promise<string[]> {
  const ours: string[] = []
  for (const { path } of await listBackupFiles(folder)) if ((await keyCheckOf(path)) === keyCheck) ours.push(path)
  const old = ours.slice(0, -keep)
  for (const name of await readdir(folder)) {
    if (!name.endsWith(UNFINISHED) || !NAME.test(basename(name, UNFINISHED))) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs > STALE_MS) old.push(join(folder, name))
  }
  for (const path of old) await rm(path, { force: true })
  return old
}

/** Which backup key a file was made with; null when it does not say. */
async function keyCheckOf(path: string): Promise<string | null> {
  const reader = new ByteReader(readBackupFile(path))
  try {
    return (await readHeader(reader)).header.backupKeyCheck
  } catch {
    return null
  } finally {
    await reader.close()
  }
}

export async function* readBackupFile(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const part of createReadStream(resolve(path), { highWaterMark: 256 * 1024 })) yield part
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!code) throw error
    throw new StoreUnavailable(`The backup ${path} cannot be read (${code}).`)
  }
}
