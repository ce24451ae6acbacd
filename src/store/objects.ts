import { S3mini } from 's3mini'
import type { Settings } from '../settings.ts'

/** Where sealed files are kept when not in the database. */
export type Objects = {
  put: (key: string, bytes: Buffer) => Promise<void>
  get: (key: string) => Promise<Buffer | null>
  has: (key: string) => Promise<boolean>
  remove: (key: string) => Promise<void>
}

export type ObjectStoreAddress = { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string }

/** The object store could not be reached or refused us; nothing is known to have changed. */
export class ObjectsAway extends Error {}

async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new ObjectsAway('object store away', { cause: error })
  }
}

/** Any S3-compatible store. It only ever sees sealed bytes under random names. */
export function objectStore({ endpoint, region, accessKeyId, secretAccessKey }: ObjectStoreAddress): Objects {
  const s3 = new S3mini({ endpoint, region, accessKeyId, secretAccessKey })
  return {
    put: (key, bytes) =>
      reaching(async () => {
        const reply = await s3.putObject(key, bytes, 'application/octet-stream')
        if (!reply.ok) throw new Error(`The object store answered ${reply.status}.`)
      }),
    get: (key) =>
      reaching(async () => {
        const bytes = await s3.getObjectArrayBuffer(key)
        return bytes ? Buffer.from(bytes) : null
      }),
    has: (key) => reaching(async () => (await s3.objectExists(key)) === true),
    remove: (key) =>
      reaching(async () => {
        await s3.deleteObject(key)
      }),
  }
}

/** Files are kept in the database, or in an S3-compatible store when one is set. A bucket that is named stands in for the set one. */
export function objectsOf(
  { S3_URL, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: Settings,
  bucket?: string,
): Objects | null {
  if (!S3_URL || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return null
  return objectStore({
    endpoint: bucket === undefined ? S3_URL : new URL(`/${bucket}`, S3_URL).href,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  })
}
