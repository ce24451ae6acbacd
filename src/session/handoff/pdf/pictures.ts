import type { Core } from '../../../events/core.ts'
import type { Objects } from '../../../store/objects.ts'
import { findKeptUpload, readKeptBytes } from '../../../store/uploads.ts'
import { bytesField } from '../../uploads/bound.ts'
import { decoder, fewAtOnce } from '../../uploads/decoder.ts'
import type { Handoff } from '../handoff.ts'

/** A picture for the page; without bytes only its name is shown. */
export type SmallPicture = { name: string; bytes: Buffer | null; width: number; height: number }

const LONGEST_SIDE_PIXELS = 420
const MOST_PIXELS = 50_000_000

/** The pictures among the files, each decoded and re-encoded small; other files by name. */
export async function smallPictures(
  core: Core,
  objects: Objects | null,
  { session: { accountId, row, seal }, files }: Handoff,
): Promise<SmallPicture[]> {
  const pictures: SmallPicture[] = []
  for (const { id, name, mimeType } of files) {
    const isPicture = mimeType.startsWith('image/')
    const kept = isPicture ? await findKeptUpload(core.db, accountId, row.id, id) : null
    const sealed = kept ? await readKeptBytes(core.db, objects, accountId, row.id, kept) : null
    const small = sealed ? await smallOf(seal.open(bytesField(id), sealed)) : null
    pictures.push({ name, bytes: null, width: 0, height: 0, ...small })
  }
  return pictures
}

async function smallOf(bytes: Buffer): Promise<Pick<SmallPicture, 'bytes' | 'width' | 'height'> | null> {
  try {
    const sharp = await decoder()
    const { data, info } = await fewAtOnce(() =>
      sharp(bytes, { limitInputPixels: MOST_PIXELS, pages: 1 })
        .resize(LONGEST_SIDE_PIXELS, LONGEST_SIDE_PIXELS, { fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#ffffff' })
        .toColourspace('srgb')
        .jpeg({ quality: 78 })
        .toBuffer({ resolveWithObject: true }),
    )
    return { bytes: data, width: info.width, height: info.height }
  } catch {
    return null // a page with the name alone is better than none
  }
}
