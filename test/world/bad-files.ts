import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A file made to be slow or costly to scan, and the required result. */
export type BadFile = {
  name: string
  make: () => Promise<Buffer> | Buffer
  /** The problem it is refused with, or the flags it is kept with. */
  outcome: string | readonly string[]
  /** One of the few, of every kind, that `npm test` tries; `npm run test:long` tries all. */
  isInSlice?: true
}

const MOST_BYTES = 20 * 1024 * 1024

const pdf = (...parts: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), ...parts, Buffer.from('\ntrailer<</Root 1 0 R>>\n%%EOF\n')])
const filled = (text: string): Buffer => pdf(Buffer.alloc(MOST_BYTES - 100, text, 'latin1'))

/** Objects packed into a stream, as PDFs do since 1.5. */
export const packed = (objects: Buffer, filter = '/Filter/FlateDecode'): Buffer =>
  Buffer.concat([
    Buffer.from(`5 0 obj<</Type/ObjStm/N 1/First 4${filter}/Length 99>>\nstream\n`),
    deflateSync(objects),
    Buffer.from('\nendstream endobj\n'),
  ])

const times = (count: number, part: Buffer): Buffer[] => Array.from({ length: count }, () => part)
const escapes = (bytes: number): Buffer => packed(Buffer.alloc(bytes, '#41'))

/** Deflated bytes that hold nothing and never end: much to read, nothing to count. */
const hollow = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from([0x78, 0x9c]), Buffer.alloc(bytes, Buffer.from([0, 0, 0, 0xff, 0xff]))])

const packOf = (deflated: Buffer): Buffer =>
  Buffer.concat([Buffer.from('<</Type/ObjStm/Filter/FlateDecode>>stream\n'), deflated])

const TOO_COMPLEX = 'file-too-complex'

export const BAD_FILES: readonly BadFile[] = [
  {
    name: '40 packs of 1 MB of escapes',
    make: () => pdf(...times(40, escapes(1_000_000))),
    outcome: [],
    isInSlice: true,
  },
  { name: '200 packs of 1 MB of escapes', make: () => pdf(...times(200, escapes(1_000_000))), outcome: TOO_COMPLEX },
  {
    name: 'a pack of 200 MB',
    make: () => pdf(packed(Buffer.alloc(200_000_000))),
    outcome: TOO_COMPLEX,
    isInSlice: true,
  },
  { name: '20 MB that name packs', make: () => filled('/ObjStm '), outcome: TOO_COMPLEX },
  {
    name: '20 MB of packs that are none',
    make: () => filled('/ObjStm stream\n'),
    outcome: TOO_COMPLEX,
    isInSlice: true,
  },
  { name: '20 MB of packs that begin well', make: () => filled('/ObjStm stream\n\x78\x9c'), outcome: TOO_COMPLEX },
  {
    name: '4,000 packs one in the other',
    make: () => pdf(...times(4_000, packOf(hollow(2_000)))),
    outcome: TOO_COMPLEX,
  },
  {
    name: 'a long hollow pack',
    make: () => pdf(packOf(hollow(19_000_000))),
    outcome: ['active-content'],
    isInSlice: true,
  },
  { name: '20 MB of escapes', make: () => filled('#41'), outcome: [] },
  { name: '20 MB of names without a letter', make: () => filled('/'), outcome: TOO_COMPLEX },
  { name: '20 MB of escaped names', make: () => filled('/#4A#41'), outcome: TOO_COMPLEX },
  { name: '20 MB of names that begin like a bad one', make: () => filled('/JA'), outcome: TOO_COMPLEX },
  { name: 'one name of 20 MB', make: () => filled('a').fill('/', 9, 10), outcome: [] },
  { name: '20 MB of streams without an end', make: () => filled('stream\n'), outcome: TOO_COMPLEX },
  { name: '20 MB of ends', make: () => filled('endstream'), outcome: [], isInSlice: true },
  {
    name: 'a PNG of 196 megapixels',
    make: () => hollowPng(14_000, 14_000),
    outcome: 'file-too-many-pixels',
    isInSlice: true,
  },
  {
    name: 'a PNG one pixel wide and without end',
    make: () => hollowPng(1, 2 ** 31 - 1),
    outcome: 'file-broken',
    isInSlice: true,
  },
  { name: 'a PNG whose text unpacks to 200 MB', make: () => hollowPng(100, 100, textBomb()), outcome: 'file-broken' },
  {
    name: 'an interlaced PNG of 49 megapixels',
    make: () => plain(4).png({ progressive: true }).toBuffer(),
    outcome: [],
  },
  {
    name: 'an interlaced PNG of 49 megapixels, two bytes a colour',
    make: () => plain(4).toColourspace('rgb16').png({ progressive: true }).toBuffer(),
    outcome: 'file-too-many-pixels',
  },
  {
    name: 'a progressive JPEG of 49 megapixels',
    make: () => plain(3).jpeg({ progressive: true }).toBuffer(),
    outcome: [],
    isInSlice: true,
  },
]

const plain = (channels: 3 | 4) =>
  sharp({ create: { width: 7_000, height: 7_000, channels, background: { r: 11, g: 91, b: 120, alpha: 0.5 } } })

const textBomb = (): Buffer =>
  chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(200_000_000))]))

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const out = Buffer.alloc(8 + data.length + 4)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), 8 + data.length)
  return out
}

/** A PNG that claims a size without having the pixels. */
export function hollowPng(width: number, height: number, more: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    more,
    chunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
