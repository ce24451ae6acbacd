import type { Core } from '../events/core.ts'
import type { UserSession } from './user.ts'

export type UploadView = { id: string; name: string; mimeType: string; size: number; received: number; ready: boolean }

/** The files of a session, oldest first. */
export async function listUploads(
  _core: Core,
  _user: Pick<UserSession, 'accountId' | 'row' | 'seal'>,
): Promise<UploadView[]> {
  return []
}
