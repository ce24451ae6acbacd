import type { UploadRow } from '../../store/uploads.ts'
import type { SealedField, SessionSeal } from '../sealed.ts'

/** What is told of a file. */
type Told = Pick<UploadRow, 'id' | 'created_at' | 'mime_type' | 'flags' | 'size' | 'stored_size'>

/** What a file's name is bound to: the file, and from when it is kept on, all that is told of it. */
export const nameField = ({ id, created_at, mime_type, flags, size, stored_size }: Told): SealedField =>
  mime_type === null
    ? `upload-name ${id}`
    : `upload-name ${id} ${JSON.stringify([created_at, mime_type, flags, size, stored_size])}`

/** The name of a file. It opens only where everything that is told of the file is as it was kept. */
export const nameOf = (seal: SessionSeal, upload: Told & Pick<UploadRow, 'sealed_name'>): string =>
  seal.open(nameField(upload), upload.sealed_name).toString('utf8')

/** A part belongs to its file and to where it begins in it. */
export const partField = (id: string, start: number): SealedField => `upload-part ${id} ${start}`

export const bytesField = (id: string): SealedField => `upload-bytes ${id}`
