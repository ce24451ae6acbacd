import type { Core } from '../../events/core.ts'
import { listUploadRows } from '../../store/uploads.ts'
import type { Session } from '../open.ts'
import { nameOf } from './bound.ts'

/** A file for hand-off; its bytes are read only when asked for. */
export type HandedFile = { id: string; name: string; mimeType: string; size: number; flags: string[]; at: Date }

/** The files of a session that were checked and kept, oldest first. */
export async function handedFiles({ db }: Core, { accountId, row, seal }: Session): Promise<HandedFile[]> {
  return (await listUploadRows(db, accountId, row.id)).flatMap((upload) => {
    const { id, created_at: at, mime_type: mimeType, stored_size: size, flags, ready_at: readyAt } = upload
    const name = nameOf(seal, upload)
    return mimeType && readyAt ? [{ id, name, mimeType, size: size ?? 0, flags, at }] : []
  })
}
