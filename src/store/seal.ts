import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

const FORMAT = 1
const IV_BYTES = 12
const TAG_BYTES = 16

/** A sealed value could not be opened: wrong key, wrong place, or changed. */
export class SealBroken extends Error {}

/** What a sealed value belongs to. A value moved to another account, session or field can't be opened. */
export type SealContext = readonly [account: string, owner: string, field: string]

const aadOf = (place: SealContext): Buffer => Buffer.from(JSON.stringify(place))

/** AES-256-GCM: one format byte, the nonce, the tag, the ciphertext. */
export function seal(key: Buffer, place: SealContext, plain: Buffer | string): Buffer {
  const iv = fresh(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(aadOf(place))
  const body = cipher.update(typeof plain === 'string' ? Buffer.from(plain) : plain)
  cipher.final() // in this mode nothing is left for the end
  return joined(iv, cipher.getAuthTag(), body)
}

/** In bytes of its own: some sealed values are kept, and one from Node's pool would keep 64 kB with it. */
function joined(iv: Buffer, tag: Buffer, body: Buffer): Buffer {
  const sealed = Buffer.allocUnsafeSlow(1 + IV_BYTES + TAG_BYTES + body.length)
  sealed[0] = FORMAT
  iv.copy(sealed, 1)
  tag.copy(sealed, 1 + IV_BYTES)
  body.copy(sealed, 1 + IV_BYTES + TAG_BYTES)
  return sealed
}

const STEP_BYTES = 512 * 1024

/** The same for large values, one step for each turn of the event loop, so that others are served in between. */
export async function sealInSteps(key: Buffer, place: SealContext, plain: Buffer): Promise<Buffer> {
  const iv = fresh(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(aadOf(place))
  const begin = 1 + IV_BYTES + TAG_BYTES
  const sealed = Buffer.allocUnsafeSlow(begin + plain.length)
  for (let at = 0; at < plain.length; at += STEP_BYTES) {
    cipher.update(plain.subarray(at, at + STEP_BYTES)).copy(sealed, begin + at)
    await nextTurn()
  }
  cipher.final()
  Buffer.concat([Buffer.from([FORMAT]), iv, cipher.getAuthTag()]).copy(sealed)
  return sealed
}

export function unseal(key: Buffer, place: SealContext, sealed: Buffer): Buffer {
  try {
    if (sealed[0] !== FORMAT || sealed.length < 1 + IV_BYTES + TAG_BYTES) throw new Error('format')
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + IV_BYTES))
    decipher.setAAD(aadOf(place))
    decipher.setAuthTag(sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES))
    const plain = decipher.update(sealed.subarray(1 + IV_BYTES + TAG_BYTES))
    decipher.final() // nothing is left for the end, but the tag is compared here
    return plain
  } catch {
    throw new SealBroken(`A sealed ${place[2].split(' ', 1)[0]} could not be opened.`)
  }
}

/** Identifies a sealed value: its nonce and tag. */
export const markOf = (sealed: Buffer | null): string | null =>
  sealed === null ? null : sealed.toString('latin1', 0, 1 + IV_BYTES + TAG_BYTES)

const POOL_BYTES = 4_096
let pool = Buffer.alloc(0)

/** Random bytes, drawn from the system in bulk: drawing each nonce by itself would cost more than sealing with it. */
function fresh(bytes: number): Buffer {
  if (pool.length < bytes) pool = randomBytes(POOL_BYTES)
  const taken = pool.subarray(0, bytes)
  pool = pool.subarray(bytes)
  return taken
}

export const newKey = (): Buffer => fresh(32)

/** 256 random bits for cookies, links and tokens, safe in addresses. */
export const newToken = (): string => fresh(32).toString('base64url')

/** How tokens and keys are stored: a hash that leaks from the database is useless. */
export const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')

export const keyedHash = (key: Buffer, ...parts: readonly (string | Buffer)[]): Buffer => {
  const lengthed = parts.flatMap((part) => {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return [length, bytes]
  })
  return createHmac('sha256', key).update(Buffer.concat(lengthed)).digest()
}
