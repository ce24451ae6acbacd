import { S3mini } from 's3mini'

/** Where sealed files are kept when not in the database. */
export type Objects = {
  put: (key: string, bytes: Buffer) => Promise<void>
  get: (key: string) => Promise<Buffer | null>
  remove: (key: string) => Promise<void>
}

export type ObjectStoreAddress = { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string }

/** Any S3-compatible store. It only ever sees sealed bytes under random names. */
export function objectStore({ endpoint, region, accessKeyId, secretAccessKey }: ObjectStoreAddress): Objects {
  const s3 = new S3mini({ endpoint, region, accessKeyId, secretAccessKey })
  return {
    put: async (key, bytes) => {
      const reply = await s3.putObject(key, bytes, 'application/octet-stream')
      if (!reply.ok) throw new Error(`The object store answered ${reply.status}.`)
    },
    get: async (key) => {
      const bytes = await s3.getObjectArrayBuffer(key)
      return bytes ? Buffer.from(bytes) : null
    },
    remove: async (key) => {
      await s3.deleteObject(key)
    },
  }
}
