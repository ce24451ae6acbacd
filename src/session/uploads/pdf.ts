import { constants, inflateSync } from 'node:zlib'

/** What a reader should know before opening a document. */
export type Flag = 'active-content' | 'encrypted'

/** What was found in a document, or why it was given up: it is truncated, or scanning it would cost more than a file may. */
export type Verdict = { kind: 'flags'; flags: Flag[] } | { kind: 'broken' } | { kind: 'too-complex' }

const ACTIVE = new Set(['JavaScript', 'JS', 'OpenAction', 'Launch', 'EmbeddedFile', 'RichMedia', 'XFA', 'AA'])
/** Compressed bytes contain such short names by chance, so there they mean nothing. */
const BY_CHANCE = new Set(['JS', 'AA'])
/** Filters that are not decoded here; packing objects with them suggests something to hide. */
const UNUSUAL = new Set([
  ...['ASCIIHexDecode', 'AHx', 'ASCII85Decode', 'A85', 'LZWDecode', 'LZW', 'RunLengthDecode', 'RL'],
  ...['Crypt', 'DecodeParms', 'DP'],
])
const [ENCRYPT, PACK] = ['Encrypt', 'ObjStm']
/** The longest of these names, with every letter escaped. */
const LONGEST_WRITTEN_NAME = 42

/** Names and streams. */
const MOST_WORDS = 2_500_000
const MOST_PACKED = 5_000
const FIRST_LOOK_BYTES = 64_000
const LARGEST_UNPACKED_BYTES = 16_000_000
/** All that is unpacked, and what it is unpacked from. */
const MOST_UNPACKED_BYTES = 80_000_000

const TAIL_BYTES = 2_048

/**
 * Scans a PDF for active content. Each byte is visited once, here and in what is unpacked, and unpacking is limited: a
 * file made to be slow is given up.
 */
export function lookThroughPdf(bytes: Buffer): Verdict {
  if (!bytes.subarray(-TAIL_BYTES).includes('%%EOF')) return { kind: 'broken' }
  const found: Found = { isActive: false, isEncrypted: false, isHidden: false, words: 0 }
  let [packs, left] = [MOST_PACKED, MOST_UNPACKED_BYTES]
  for (const packed of packedIn(bytes, found)) {
    const { work, unpacked } = packed === 'unusual' ? UNREADABLE : unpack(packed)
    left -= work
    if (--packs < 0 || left < 0) return { kind: 'too-complex' }
    if (!unpacked) found.isHidden = true
    else for (const _none of packedIn(unpacked, found)) found.isHidden = true // a pack inside a pack: no viewer opens it
  }
  if (found.words > MOST_WORDS) return { kind: 'too-complex' }
  // In an encrypted file nothing can be unpacked, and that is flagged already.
  const isActive = found.isActive || (found.isHidden && !found.isEncrypted)
  return {
    kind: 'flags',
    flags: [...(isActive ? ['active-content' as const] : []), ...(found.isEncrypted ? ['encrypted' as const] : [])],
  }
}

type Found = { isActive: boolean; isEncrypted: boolean; isHidden: boolean; words: number }

const [SLASH, SPACE, LINE_FEED, RETURN] = [0x2f, 0x20, 0x0a, 0x0d]
const among = (characters: string): Uint8Array => {
  const table = new Uint8Array(256)
  for (const code of Buffer.from(characters, 'latin1')) table[code] = 1
  return table
}
const ENDS_A_NAME = among('\0\t\n\f\r ()<>[]{}/%')
const BEGINS_ONE_THAT_MATTERS = among([...ACTIVE, ...UNUSUAL, ENCRYPT, PACK, '#'].map((name) => name[0]).join(''))

/** Reads every name and notes what it means. Yields each pack of objects, or that one is packed in an unusual way. */
function* packedIn(bytes: Buffer, found: Found): Generator<Buffer | 'unusual'> {
  let names = new Set<string>() // those of the current object that tell how it is packed
  let streamEnd = 0
  let [slash, stream] = [nextSlash(bytes, 0), next(bytes, 'stream', 0)]
  while (slash < bytes.length || stream < bytes.length) {
    if (++found.words > MOST_WORDS) return
    if (slash < stream) {
      const { name, end } = nameAt(bytes, slash + 1)
      if (ACTIVE.has(name) && (slash >= streamEnd || !BY_CHANCE.has(name))) found.isActive = true
      else if (name === ENCRYPT) found.isEncrypted = true
      else if (name === PACK || UNUSUAL.has(name)) names.add(name)
      slash = nextSlash(bytes, end)
    } else {
      const begin =
        bytes.toString('latin1', Math.max(0, stream - 3), stream) === 'end' ? null : beginOfStream(bytes, stream + 6)
      if (begin !== null) {
        if (streamEnd < begin) streamEnd = next(bytes, 'endstream', begin)
        if (names.has(PACK)) yield names.isDisjointFrom(UNUSUAL) ? bytes.subarray(begin, streamEnd) : 'unusual'
      }
      if (names.size > 0) names = new Set()
      stream = next(bytes, 'stream', stream + 6)
    }
  }
}

/** Byte by byte: slashes may be close together, and then a search for each would take longer. */
function nextSlash(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== SLASH) at++
  return at
}

/** Where the word occurs next; past the last byte when it does not. */
function next(bytes: Buffer, word: string, from: number): number {
  const at = bytes.indexOf(word, from, 'latin1')
  return at < 0 ? bytes.length : at
}

/** A name without its escapes (/J#61vaScript means the same as /JavaScript), empty when it does not matter, and where it ends. */
function nameAt(bytes: Buffer, start: number): { name: string; end: number } {
  let end = start
  while (end < bytes.length && ENDS_A_NAME[bytes[end] ?? 0] === 0) end++
  const matters = end - start <= LONGEST_WRITTEN_NAME && BEGINS_ONE_THAT_MATTERS[bytes[start] ?? 0] === 1
  const written = matters ? bytes.toString('latin1', start, end) : ''
  return { name: written.includes('#') ? written.replace(ESCAPE, unescaped) : written, end }
}

const ESCAPE = /#([0-9a-fA-F]{2})/g
const unescaped = (_escape: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16))

/** The start of the data after the keyword's line break; null where there is none. */
function beginOfStream(bytes: Buffer, after: number): number | null {
  const [one, two] = [bytes[after], bytes[after + 1]]
  if (one === RETURN && two === LINE_FEED) return after + 2
  if (one === SPACE && (two === RETURN || two === LINE_FEED)) return after + 2
  return one === LINE_FEED || one === RETURN ? after + 1 : null
}

type Unpacking = { work: number; unpacked: Buffer | null }
const UNREADABLE: Unpacking = { work: 0, unpacked: null }
/** Objects that are not packed are read in place; they begin with a number. */
const PLAIN: Unpacking = { work: 0, unpacked: Buffer.alloc(0) }

/** Unpacks a little first: what only looks like a pack fails there, at little cost. */
function unpack(packed: Buffer): Unpacking {
  const first = packed.length > 1 ? packed.readUInt16BE(0) : 0
  if ((first & 0x0f00) !== 0x0800 || first % 31 !== 0)
    return /^[\s\d]/.test(packed.toString('latin1', 0, 1)) ? PLAIN : UNREADABLE
  const little = inflated(packed, FIRST_LOOK_BYTES)
  const unpacked = little === 'more' ? inflated(packed, LARGEST_UNPACKED_BYTES) : little
  if (unpacked === 'more') return { work: Number.POSITIVE_INFINITY, unpacked: null }
  const most = little === 'more' ? LARGEST_UNPACKED_BYTES : FIRST_LOOK_BYTES
  return { work: packed.length + (unpacked?.length ?? most), unpacked }
}

/** Null for what cannot be unpacked; a truncated pack yields what it has. */
function inflated(packed: Buffer, most: number): Buffer | 'more' | null {
  try {
    return inflateSync(packed, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'more' : null
  }
}
