import type { Core } from '../../events/core.ts'
import { fail, Problem } from '../../problems.ts'
import { PreconditionFailed } from '../../store/database/db.ts'
import type { Objects } from '../../store/objects.ts'
import {
  addUploadPart,
  beginUpload,
  FINISH_UPLOAD,
  findUpload,
  findUploadPart,
  keepUpload,
  listUploadRows,
  REMOVE_UPLOAD,
  type UploadRow,
} from '../../store/uploads.ts'
import type { Session } from '../open.ts'
import { bytesField, LONGEST_NAME, nameAs, nameField, nameOf, partField } from './bound.ts'
import { checkUpload, isTaken, refuseKind } from './check.ts'
import type { Receiving } from './receiving.ts'

export const LARGEST_FILE_BYTES = 20 * 1024 * 1024
/** At once, and ever including removed ones: adding and removing must not go on for ever. */
const MOST_FILES = { atOnce: 10, ever: 50 }

const FLAGGED =
  'Documents that are encrypted, or that can act by themselves, are not taken here. Send a plain PDF or a picture.'

export type UploadView = {
  id: string
  name: string
  mimeType: string | null
  size: number
  received: number
  ready: boolean
}

const present = (seal: Session['seal'], row: UploadRow): UploadView => ({
  id: row.id,
  name: nameOf(seal, row),
  mimeType: row.mime_type,
  size: row.size,
  received: row.received,
  ready: row.ready_at !== null,
})

/** The files of a session, oldest first, without those the user removed. */
export async function listUploads(core: Core, { accountId, row, seal }: Session): Promise<UploadView[]> {
  return (await listUploadRows(core.db, accountId, row.id)).map((upload) => present(seal, upload))
}

/** Announces a file. The client makes the id, so that announcing again is the same file. */
export async function announceUpload(
  core: Core,
  session: Session,
  given: { id: string; name: string; size: number },
): Promise<UploadView> {
  refuseEnded(session)
  if (given.size > LARGEST_FILE_BYTES) fail('file-too-large')
  const { accountId, row, seal } = session
  const id = given.id.toLowerCase()
  const known = await findUpload(core.db, accountId, row.id, id)
  if (known) return known.removed ? fail('file-not-found') : present(seal, known)
  const name = plainName(given.name)
  const upload = { id, sealedName: seal.seal(`upload-name ${id}`, name), size: given.size }
  if (!(await beginUpload(core.db, accountId, row.id, upload, MOST_FILES))) fail('too-many-files')
  return { id, name, mimeType: null, size: given.size, received: 0, ready: false }
}

/** A name for people to read: no path, no control or direction characters. Nothing is ever stored under it. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const clean = last.replace(/[\p{Cc}\p{Cf}]/gu, '').trim()
  return [...clean].slice(0, LONGEST_NAME).join('') || 'file'
}

/**
 * Takes the next bytes as they arrive, segment by segment: what has arrived is kept, even if the connection is lost.
 * They must begin where the last ones ended; the answer says where that is. `length` is the declared length, if any.
 */
export async function appendUpload(
  receiving: Receiving,
  session: Session,
  id: string,
  { start, length, segments }: { start: number; length: number | null; segments: AsyncIterable<Buffer> },
): Promise<UploadView> {
  refuseEnded(session)
  const { core, objects } = receiving
  const { accountId, row, seal } = session
  const upload = await findUpload(core.db, accountId, row.id, id)
  if (!upload || upload.removed) return fail('file-not-found')
  if (upload.ready_at) return present(seal, upload)
  if (start !== upload.received || start + (length ?? 0) > upload.size) {
    if (upload.received === upload.size) return finished(receiving, session, id) // the last response was lost
    return refuseOffset(upload.received)
  }
  let received = start
  for await (const segment of segments) {
    if (received === 0 && !isTaken(segment)) {
      await removeUpload(core, objects, session, id) // otherwise it would count among the session's files
      refuseKind(segment)
    }
    if (received + segment.length > upload.size) return refuseOffset(received)
    const sealed = seal.seal(partField(upload.id, received), segment)
    if (!(await addUploadPart(core.db, accountId, row.id, id, received, segment.length, sealed)))
      return refuseOffset((await findUpload(core.db, accountId, row.id, id))?.received ?? 0)
    received += segment.length
  }
  return received === upload.size ? finished(receiving, session, id) : present(seal, { ...upload, received })
}

const refuseOffset = (received: number): never =>
  fail('file-offset', { headers: { 'upload-offset': String(received) }, members: { received } })

/** The whole file has arrived. Its bytes are fetched only when its turn comes, so that waiting costs no memory. */
function finished(receiving: Receiving, session: Session, id: string): Promise<UploadView> {
  const { accountId, row, seal } = session
  return receiving.checks.take(row.id, async () => {
    const upload = await findUpload(receiving.core.db, accountId, row.id, id)
    if (!upload || upload.removed) return fail('file-not-found')
    return upload.ready_at ? present(seal, upload) : checked(receiving, session, upload)
  })
}

/** Checks, re-encodes, seals and keeps a file; a refused one leaves nothing behind. */
async function checked({ core, objects }: Receiving, session: Session, upload: UploadRow): Promise<UploadView> {
  const { accountId, row, seal } = session
  try {
    const { mimeType, bytes, flags } = await checkUpload(await wholeOf(core, session, upload))
    if (flags.length > 0 && session.configuration.refuseFlaggedPdfs)
      fail('file-type-not-supported', { detail: FLAGGED })
    const sealed = await seal.sealInSteps(bytesField(upload.id), bytes)
    const kept = { ...upload, mime_type: mimeType, flags, stored_size: bytes.length }
    const name = nameAs(mimeType, nameOf(seal, upload))
    const objectKey = objects ? `${accountId}/${row.id}/${upload.id}` : null
    // The bytes are written first and separately: in the account's audit batch they would hold up everything else.
    // Under which key they will be is noted before they go to the object store: whatever happens then, they are found
    // there to be removed.
    await keepUpload(core.db, accountId, row.id, upload.id, {
      mimeType,
      flags,
      size: bytes.length,
      objectKey,
      sealedBytes: objectKey ? null : sealed,
      sealedName: seal.seal(nameField(kept), name),
    })
    if (objects && objectKey) await objects.put(objectKey, sealed)
    await core.recorder.record({
      accountId,
      actor: 'user',
      action: 'file.added',
      subject: row.id,
      detail: { file: upload.id, mimeType, flags },
      effects: [{ statement: FINISH_UPLOAD, row: { session_id: row.id, id: upload.id } }],
    })
    return { ...present(seal, upload), name, mimeType, size: upload.size, ready: true }
  } catch (error) {
    if (error instanceof PreconditionFailed) {
      const now = await findUpload(core.db, accountId, row.id, upload.id)
      if (now && !now.removed) return present(seal, now) // the last part came twice: the other request kept it
      await objects?.remove(`${accountId}/${row.id}/${upload.id}`) // removed while its bytes were on their way there
      return fail('file-not-found')
    }
    // A refused file is removed; one that could not be kept now stays as it arrived, and its last part can be sent
    // again.
    if (error instanceof Problem) await removeUpload(core, objects, session, upload.id)
    throw error
  }
}

/** Joins its parts one at a time, so that others are served in between. */
async function wholeOf(core: Core, { accountId, row, seal }: Session, { id, size }: UploadRow): Promise<Buffer> {
  const whole = Buffer.alloc(size)
  for (let at = 0; at < size; ) {
    const sealed = (await findUploadPart(core.db, accountId, row.id, id, at)) ?? fail('file-not-found') // removed meanwhile
    at += seal.open(partField(id, at), sealed).copy(whole, at)
  }
  return whole
}

export async function removeUpload(core: Core, objects: Objects | null, session: Session, id: string): Promise<void> {
  refuseEnded(session)
  const { accountId, row } = session
  const upload = (await findUpload(core.db, accountId, row.id, id)) ?? fail('file-not-found')
  const effects = [{ statement: REMOVE_UPLOAD, row: { session_id: row.id, id: upload.id } }]
  await core.recorder.record({
    accountId,
    actor: 'user',
    action: 'file.removed',
    subject: row.id,
    detail: { file: upload.id },
    effects,
  })
  await objects?.remove(`${accountId}/${row.id}/${upload.id}`)
}

function refuseEnded({ row }: Session): void {
  if (row.status === 'Ended') fail('session-finished')
  if (!row.is_active) fail('session-expired')
}
