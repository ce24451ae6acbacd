import { decoder, fewAtOnce } from './decoder.ts'

const LARGEST_EDGE_PIXELS = 480

/** A thumbnail of a kept picture. */
export async function smallPicture(bytes: Buffer): Promise<Buffer> {
  const sharp = await decoder()
  return fewAtOnce(() =>
    sharp(bytes, { limitInputPixels: 50_000_000 })
      .resize(LARGEST_EDGE_PIXELS, LARGEST_EDGE_PIXELS, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 78 })
      .toBuffer(),
  )
}
