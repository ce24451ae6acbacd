import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { backupFolderOf, type Settings } from '../../settings.ts'
import { StoreUnavailable } from '../database/db.ts'
import { type Objects, ObjectsAway, objectsOf } from '../objects.ts'
import { backupFile, backupName, type Destination, readBackupFile } from './files.ts'

const PART_BYTES = 8 * 1024 * 1024
const S3 = /^s3:\/\/([^/]+)\/?(.*?)\/?$/

/** Opens the place that an operator named: a file, a folder that is there, or `s3://bucket/prefix`. */
export async function destinationAt(settings: Settings, place: string, at: Date): Promise<Destination> {
  const s3 = S3.exec(place)
  if (s3) {
    const [, bucket = '', prefix = ''] = s3
    const folder = [prefix, backupName(at)].filter(Boolean).join('/')
    return objectParts(storeOf(settings, bucket), `s3://${bucket}/${folder}`, folder)
  }
  const own = settings.BACKUP_DIR ? null : backupFolderOf(settings)
  if (own !== null && place === `${own}/`) await mkdir(place, { recursive: true, mode: 0o700 }) // beside the database, so surely there
  const isFolder = place.endsWith('/') || (await stat(place).catch(() => null))?.isDirectory()
  return backupFile(isFolder ? join(place, backupName(at)) : place)
}

/** Reads a backup from where `destinationAt` has put it. */
export function backupAt(settings: Settings, place: string): AsyncGenerator<Buffer> {
  const s3 = S3.exec(place)
  if (!s3) return readBackupFile(place)
  const [, bucket = '', folder = ''] = s3
  return readObjectParts(storeOf(settings, bucket), place, folder)
}

function storeOf(settings: Settings, bucket: string): Objects {
  if (settings.S3_URL && new URL(settings.S3_URL).pathname.split('/').filter(Boolean).length !== 1)
    throw new StoreUnavailable(
      'A bucket can be named only where S3_URL is the address of a store followed by a bucket, such as https://storage.example.org/files.',
    )
  const objects = objectsOf(settings, bucket)
  if (objects) return objects
  throw new StoreUnavailable(
    'Set S3_URL, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to keep backups in an object store.',
  )
}

const partKey = (folder: string, number: number): string => `${folder}/${String(number).padStart(6, '0')}`

/** Objects of one size, numbered; that the last one is there is told by what is in it. */
function objectParts(objects: Objects, name: string, folder: string): Destination {
  let [waiting, bytes, parts]: [Buffer[], number, number] = [[], 0, 0]
  const put = async () => {
    await reached(() => objects.put(partKey(folder, parts), Buffer.concat(waiting)))
    parts++
    ;[waiting, bytes] = [[], 0]
  }
  return {
    name,
    write: async (piece) => {
      waiting.push(piece)
      bytes += piece.length
      if (bytes >= PART_BYTES) await put()
    },
    finish: put,
    abandon: async () => {
      // One that seemed to fail may have arrived all the same.
      for (let at = 0; at <= parts; at++) await objects.remove(partKey(folder, at)).catch(() => {})
    },
  }
}

async function* readObjectParts(objects: Objects, name: string, folder: string): AsyncGenerator<Buffer> {
  for (let at = 0; ; at++) {
    const part = await reached(() => objects.get(partKey(folder, at)))
    if (!part && at === 0) throw new StoreUnavailable(`There is no backup at ${name}.`)
    if (!part) return
    yield part
  }
}

/** A store that is busy or starts anew is asked again: a backup of hours must not end with it. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000]

async function reached<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ObjectsAway)) throw error
      const pauseMs = error.isPassing ? PAUSES_MS[tries] : undefined
      if (pauseMs === undefined)
        throw new StoreUnavailable('The object store cannot be reached, or refused us. Look at S3_URL and its key.')
      await wait(pauseMs)
    }
}
