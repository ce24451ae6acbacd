import type { UploadRow } from '../../store/uploads.ts'
import type { SealedField, SessionSeal } from '../sealed.ts'

/** What is recorded of a file. */
type Told = Pick<UploadRow, 'id' | 'created_at' | 'mime_type' | 'flags' | 'size' | 'stored_size'>

/** What a file's name is bound to: the file and, once it is kept, everything recorded of it. */
export const nameField = ({ id, created_at, mime_type, flags, size, stored_size }: Told): SealedField =>
  mime_type === null
    ? `upload-name ${id}`
    : `upload-name ${id} ${JSON.stringify([created_at, mime_type, flags, size, stored_size])}`

/** Of a file's name, in letters: for people to read. */
export const LONGEST_NAME = 120

/** How names of the files that are taken end, by what a file was found to be. */
const ENDINGS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/webp': ['.webp'],
  'application/pdf': ['.pdf'],
}

export const endingOf = (mimeType: string | null): string => ENDINGS[mimeType ?? '']?.[0] ?? '.bin'

/** Once a file is checked its name ends as what it is: saved as `results.html`, a PDF that is a page as well would run. */
export function nameAs(mimeType: string, name: string): string {
  const ending = endingOf(mimeType)
  const isSo = ENDINGS[mimeType]?.some((one) => name.toLowerCase().endsWith(one))
  return isSo ? name : [...name].slice(0, LONGEST_NAME - ending.length).join('') + ending
}

/** The name of a file. It opens only if everything recorded of the file is unchanged. */
export const nameOf = (seal: SessionSeal, upload: Told & Pick<UploadRow, 'sealed_name'>): string =>
  seal.open(nameField(upload), upload.sealed_name).toString('utf8')

/** A part is bound to its file and its offset. */
export const partField = (id: string, start: number): SealedField => `upload-part ${id} ${start}`

export const bytesField = (id: string): SealedField => `upload-bytes ${id}`
