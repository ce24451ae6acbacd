import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARACTERS = 32 // 190 bits
const CHECKSUM_CHARACTERS = 6
const SHAPE = /^fyr_[0-9A-Za-z]{38}$/

/** A new key: a prefix that scanners know, 190 random bits, and a checksum that refuses typing errors without a query. */
export function newApiKey(): string {
  let random = ''
  while (random.length < RANDOM_CHARACTERS) {
    for (const byte of randomBytes(64)) {
      if (byte < 248 && random.length < RANDOM_CHARACTERS) random += ALPHABET[byte % 62] // 248 = 4 × 62: no bias
    }
  }
  return keyOf(random)
}

/** The whole key around its random part. */
export const keyOf = (random: string): string => `fyr_${random}${checksum(random)}`

export function isWellFormedKey(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(4, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS)
}

/** The part of a key that lists and logs may show. */
export const hintOf = (key: string): string => `${key.slice(0, 8)}…${key.slice(-4)}`

function checksum(text: string): string {
  let rest = crc32(text)
  let encoded = ''
  for (let at = 0; at < CHECKSUM_CHARACTERS; at++) {
    encoded = ALPHABET[rest % 62] + encoded
    rest = Math.floor(rest / 62)
  }
  return encoded
}
