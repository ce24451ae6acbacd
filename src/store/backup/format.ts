import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { StoreUnavailable } from '../database/db.ts'
import { type ByteReader, EndedEarly } from './byte-reader.ts'

/** A backup that cannot be used; the message says what is wrong with it. */
export class BadBackup extends StoreUnavailable {}

/** What is said of a backup in clear, at its beginning. Every piece that follows is bound to it. */
export type Header = {
  /** The version of Fyr that made it. */
  version: string
  /** The moment whose data it holds, by the clock of the database. */
  takenAt: string
  /** The migrations that had been applied, in order. */
  migrations: { name: string; hash: string }[]
  /** Tables in the order in which they can be filled. */
  tables: { name: string; columns: string[] }[]
  /** Tells the master key that the data is sealed with from any other, and says nothing of it. */
  masterKeyCheck: string
  /** The same of the backup key. */
  backupKeyCheck: string
  /** Makes a key of its own for each backup. */
  salt: string
}

const MAGIC = Buffer.from('FYR BACKUP 1\n')
const LARGEST_HEADER_BYTES = 1024 * 1024
const LENGTH_BYTES = 4
const TAG_BYTES = 16
const IV_BYTES = 12
const LAST = 0x80_00_00_00
/** How much is compressed, sealed and hashed in one go: little enough that requests are served in between. */
export const PIECE_BYTES = 512 * 1024
/** A piece, what belongs to which table, and what compressing may add to what cannot be compressed. */
const LARGEST_CHUNK_BYTES = PIECE_BYTES + 64 * 1024
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const compressed = promisify(zstdCompress)
const decompressed = promisify(zstdDecompress)

export const backupKeyCheck = (key: Buffer): string => derived(key, 'fyr', 'backup key check').toString('hex')
export const newSalt = (): string => randomBytes(32).toString('hex')

const derived = (key: Buffer, salt: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `fyr ${purpose}`, 32))

/** The beginning of a backup as it is written. */
export function headerBytes(header: Header): Buffer {
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(text.length)
  return Buffer.concat([MAGIC, length, text])
}

/** Reads the beginning of a backup. It can be believed only as far as what follows can be opened. */
export async function readHeader(reader: ByteReader): Promise<{ header: Header; bytes: Buffer }> {
  const magic = await reader.upTo(MAGIC.length)
  if (!magic.equals(MAGIC))
    throw new BadBackup(
      'This is not a backup made by Fyr, or its beginning was altered, or it was made by a newer Fyr.',
    )
  return early(async () => {
    const length = await reader.exactly(LENGTH_BYTES)
    const size = length.readUInt32BE()
    if (size > LARGEST_HEADER_BYTES) throw new BadBackup('The beginning of this backup was altered or damaged.')
    const text = await reader.exactly(size)
    try {
      return { header: JSON.parse(text.toString()) as Header, bytes: Buffer.concat([magic, length, text]) }
    } catch {
      throw new BadBackup('The beginning of this backup was altered or damaged.')
    }
  })
}

/** Seals the pieces of a backup in turn. Each is bound to the header, its number, and whether it is the last. */
export class Sealing {
  readonly #key: Buffer
  readonly #header: Buffer
  #number = 0

  constructor(key: Buffer, salt: string, header: Buffer) {
    this.#key = derived(key, salt, 'backup')
    this.#header = hash('sha256', header, 'buffer')
  }

  /** Compressing is done by another thread: it takes most of the time. */
  async seal(piece: Buffer, isLast: boolean): Promise<Buffer> {
    const plain = await compressed(piece, COMPRESSION)
    const cipher = createCipheriv('aes-256-gcm', this.#key, this.#nextIv())
    cipher.setAAD(this.#aad(isLast))
    const body = Buffer.concat([cipher.update(plain), cipher.final()])
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(isLast ? (body.length | LAST) >>> 0 : body.length)
    return Buffer.concat([length, cipher.getAuthTag(), body])
  }

  async open(tag: Buffer, body: Buffer, isLast: boolean): Promise<Buffer> {
    const number = this.#number
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, this.#nextIv())
      decipher.setAAD(this.#aad(isLast))
      decipher.setAuthTag(tag)
      const plain = Buffer.concat([decipher.update(body), decipher.final()])
      return await decompressed(plain, { maxOutputLength: LARGEST_CHUNK_BYTES * 4 })
    } catch {
      throw new BadBackup(
        `The backup was altered or damaged: part ${number + 1} of it is not what was written there. Take another copy, or another backup.`,
      )
    }
  }

  /** The key is of this backup alone, so counting never repeats a nonce. */
  #nextIv(): Buffer {
    const iv = Buffer.alloc(IV_BYTES)
    iv.writeBigUInt64BE(BigInt(this.#number++), IV_BYTES - 8)
    return iv
  }

  #aad(isLast: boolean): Buffer {
    return Buffer.concat([this.#header, Buffer.from([isLast ? 1 : 0])])
  }
}

/** Opens the pieces of a backup in turn, the last one marked as such. */
export async function* openPieces(
  reader: ByteReader,
  sealing: Sealing,
): AsyncGenerator<{ piece: Buffer; isLast: boolean }> {
  for (;;) {
    const { tag, body, isLast } = await early(async () => {
      const word = (await reader.exactly(LENGTH_BYTES)).readUInt32BE()
      const size = (word & ~LAST) >>> 0
      if (size > LARGEST_CHUNK_BYTES)
        throw new BadBackup('The backup was altered or damaged: a part of it is too long.')
      const tag = await reader.exactly(TAG_BYTES)
      return { tag, body: await reader.exactly(size), isLast: word >= LAST }
    })
    yield { piece: await sealing.open(tag, body, isLast), isLast }
    if (!isLast) continue
    if ((await reader.upTo(1)).length > 0)
      throw new BadBackup('The backup was altered or damaged: something follows its end.')
    return
  }
}

async function early<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof EndedEarly)) throw error
    throw new BadBackup('The backup was cut short: its end is missing. Take another copy, or another backup.')
  }
}
