import { S3mini, S3ServiceError } from 's3mini'
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
export class ObjectsAway extends Error {
  /** Whether trying again may help: it did not answer, was busy or failed, and did not refuse the key or the bucket. */
  readonly isPassing: boolean

  constructor(cause: unknown) {
    super('object store away', { cause })
    this.isPassing = !(cause instanceof S3ServiceError && cause.status < 500)
  }
}

async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new ObjectsAway(error)
  }
}

/** A request that is not answered holds a turn for checking a file, and has to end well before the patient's own does. */
const LONGEST_WITH_BYTES_MS = 10_000
/** Whoever erases is answered within five seconds, whatever the store does. */
const LONGEST_WITHOUT_BYTES_MS = 3_000

/** Any S3-compatible store. It only ever sees sealed bytes under random names. */
export function objectStore({ endpoint, region, accessKeyId, secretAccessKey }: ObjectStoreAddress): Objects {
  const within = (requestAbortTimeout: number) =>
    new S3mini({ endpoint, region, accessKeyId, secretAccessKey, requestAbortTimeout })
  const [withBytes, withoutBytes] = [within(LONGEST_WITH_BYTES_MS), within(LONGEST_WITHOUT_BYTES_MS)]
  return {
    put: (key, bytes) =>
      reaching(async () => {
        const reply = await withBytes.putObject(key, bytes, 'application/octet-stream')
        if (!reply.ok) throw new Error(`The object store answered ${reply.status}.`)
      }),
    get: (key) =>
      reaching(async () => {
        const bytes = await withBytes.getObjectArrayBuffer(key)
        return bytes ? Buffer.from(bytes) : null
      }),
    has: (key) => reaching(async () => (await withoutBytes.objectExists(key)) === true),
    remove: (key) =>
      reaching(async () => {
        await withoutBytes.deleteObject(key)
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
