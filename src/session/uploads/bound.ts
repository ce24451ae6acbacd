import type { UploadRow } from '../../store/uploads.ts'
import type { SealedField, SessionSeal } from '../sealed.ts'

/** What is recorded of a file. */
type Told = Pick<UploadRow, 'id' | 'created_at' | 'mime_type' | 'flags' | 'size' | 'stored_size'>

/** What a file's name is bound to: the file and, once it is kept, everything recorded of it. */
export const nameField = ({ id, created_at, mime_type, flags, size, stored_size }: Told): SealedField =>
  mime_type === null
    ? `upload-name ${id}`
    : `upload-name ${id} ${JSON.stringify([created_at, mime_type, flags, size, stored_size])}`

/** The name of a file. It opens only if everything recorded of the file is unchanged. */
export const nameOf = (seal: SessionSeal, upload: Told & Pick<UploadRow, 'sealed_name'>): string =>
  seal.open(nameField(upload), upload.sealed_name).toString('utf8')

/** A part is bound to its file and its offset. */
export const partField = (id: string, start: number): SealedField => `upload-part ${id} ${start}`

export const bytesField = (id: string): SealedField => `upload-bytes ${id}`
