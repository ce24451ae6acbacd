import { fail, Problem } from '../../problems.ts'
import { decoder } from './decoder.ts'
import type { Flag } from './pdf.ts'
import { lookThroughInThread } from './pdf-thread.ts'

/** A checked file: what it truly is, and the bytes to keep. */
export type Checked = { mimeType: string; bytes: Buffer; flags: Flag[] }

const MOST_PIXELS = 50_000_000
/** The memory of 50 megapixels that must be held whole: two bytes for each of three colours. */
const MOST_DECODED_BYTES = MOST_PIXELS * 6
const LONGEST_PICTURE_SECONDS = 15

type Kind = 'image/jpeg' | 'image/png' | 'image/webp' | 'application/pdf' | 'heic' | 'other'

/** What a file is, by its first bytes; its name and declared type are not trusted. */
export function kindOf(bytes: Buffer): Kind {
  const text = (from: number, to: number) => bytes.subarray(from, to).toString('latin1')
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg'
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp'
  if (text(0, 5) === '%PDF-') return 'application/pdf'
  if (text(4, 8) === 'ftyp' && /^(heic|heix|hevc|heim|heis|mif1|msf1|avif)/.test(text(8, 12))) return 'heic'
  return 'other'
}

export const isTaken = (bytes: Buffer): boolean => !['heic', 'other'].includes(kindOf(bytes))

/** Refuses types we never take as soon as the first bytes have arrived. */
export function refuseKind(bytes: Buffer): void {
  const kind = kindOf(bytes)
  if (kind === 'heic')
    fail('file-type-not-supported', {
      detail:
        'HEIC pictures cannot be read here. Choose JPEG (on an iPhone: Settings, Camera, Formats, Most Compatible), PNG or WebP.',
    })
  if (kind === 'other') fail('file-type-not-supported')
}

/**
 * Checks a whole file and returns the bytes to keep: pictures are decoded and re-encoded, so nothing hidden in them
 * survives. Neither pictures nor PDFs are handled on the event loop, and both have limits on time and memory: a file
 * that exceeds them is refused.
 */
export async function checkUpload(bytes: Buffer): Promise<Checked> {
  refuseKind(bytes)
  const kind = kindOf(bytes)
  return kind === 'application/pdf' ? checkedPdf(bytes) : writtenAnew(bytes, kind)
}

/** A PDF is kept as it is and only ever handed out as a download; active content is flagged for whoever opens it. */
async function checkedPdf(given: Buffer): Promise<Checked> {
  const { verdict, bytes } = await lookThroughInThread(given)
  switch (verdict.kind) {
    case 'flags':
      return { mimeType: 'application/pdf', bytes, flags: verdict.flags }
    case 'broken':
      return fail('file-broken')
    case 'too-complex':
      return fail('file-too-complex')
  }
}

async function writtenAnew(bytes: Buffer, kind: Kind): Promise<Checked> {
  const sharp = await decoder()
  try {
    const head = await sharp(bytes, { limitInputPixels: false, pages: 1 }).metadata()
    const { width, height, channels = 4, pages = 1 } = head
    const bytesEach = head.depth === 'uchar' && !(head.isProgressive && kind === 'image/jpeg') ? 1 : 2
    if (!width || !height || width * height > MOST_PIXELS || width * height * pages > MOST_PIXELS * 4)
      return fail('file-too-many-pixels')
    if (width * height * channels * bytesEach > MOST_DECODED_BYTES) return fail('file-too-many-pixels')
    const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error', pages: 1, sequentialRead: true })
      .timeout({ seconds: LONGEST_PICTURE_SECONDS })
      .autoOrient()
      .toColourspace('srgb')
    if (kind === 'image/png')
      return { mimeType: kind, bytes: await picture.png({ compressionLevel: 7 }).toBuffer(), flags: [] }
    if (kind === 'image/webp')
      return { mimeType: kind, bytes: await picture.webp({ quality: 88 }).toBuffer(), flags: [] }
    return { mimeType: 'image/jpeg', bytes: await picture.jpeg({ quality: 88, mozjpeg: false }).toBuffer(), flags: [] }
  } catch (error) {
    if (error instanceof Problem) throw error
    return fail(error instanceof Error && error.message.startsWith('timeout') ? 'file-too-complex' : 'file-broken')
  }
}
