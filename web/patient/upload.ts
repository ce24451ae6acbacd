import { type Credential, credentialHeaders, type FileView, Refused, type SessionView, Unreachable } from './api.ts'
import type { Journey } from './journey.ts'

const FIRST_PART_BYTES = 128 * 1024
const LARGEST_PART_BYTES = 2 * 1024 * 1024
const QUICK_MS = 500
const LARGEST_FILE_BYTES = 20 * 1024 * 1024

export type UploadFault = 'type' | 'large' | 'pixels' | 'broken' | 'complex' | 'many' | 'failed'

const FAULTS: Record<string, UploadFault> = {
  'file-type-not-supported': 'type',
  'file-too-large': 'large',
  'file-too-many-pixels': 'pixels',
  'file-broken': 'broken',
  'file-too-complex': 'complex',
  'too-many-files': 'many',
}

/** A file being uploaded or uploaded. */
export type Upload = {
  id: string
  name: string
  size: number
  sent: number
  state: 'sending' | 'ready' | 'failed' | 'unfinished'
  fault: UploadFault | null
  /** An object URL of the picture, to show it. */
  preview: string | null
}

export const uploadOf = ({ id, name, size, received, ready }: FileView): Upload => ({
  id,
  name,
  size,
  sent: received,
  state: ready ? 'ready' : 'unfinished',
  fault: null,
  preview: null,
})

/** The files of a session that belong to no answer. */
export function looseFiles(view: SessionView | null): Upload[] {
  const answered = (view?.ledger ?? []).flatMap(({ kind, value }) =>
    kind === 'photo' && Array.isArray(value) ? value : [],
  )
  return (view?.files ?? []).filter(({ id }) => !answered.includes(id)).map(uploadOf)
}

/** The files that an answer names as it stands; null outside a session. */
export function namedFiles({ state: { place } }: Journey, question: string): readonly string[] | null {
  if (place.at !== 'session') return null
  const value = place.view.ledger.find((entry) => entry.question === question)?.value
  return Array.isArray(value) ? value : []
}

export async function discardFile(journey: Journey, id: string): Promise<void> {
  journey.setFiles((files) => files.filter((file) => file.id !== id))
  await journey.patience.untilAnswered(() => journey.call('DELETE', `/session/files/${id}`)).catch(() => {}) // it never existed, or is gone already
}

/**
 * Uploads a file in parts. After a lost connection it continues where the service stopped receiving; parts grow while
 * the connection is fast, so that the bar moves on slow connections and fast ones are not slowed.
 */
export async function sendFile(
  journey: Journey,
  file: File,
  id: string,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<UploadFault | null> {
  if (file.size > LARGEST_FILE_BYTES) return 'large'
  if (file.size === 0) return 'broken'
  try {
    const announced = { id, name: file.name || 'file', size: file.size }
    let { received, ready } = await journey.patience.untilAnswered(() =>
      journey.call<FileView>('POST', '/session/files', announced),
    )
    for (let part = FIRST_PART_BYTES; !ready && !signal.aborted; ) {
      const begun = performance.now()
      const bytes = file.slice(received, received + part)
      const view = await journey.patience.untilAnswered(() => sendPart(journey.credential, id, received, bytes, signal))
      received = view.received
      ready = view.ready
      onSent(received)
      if (performance.now() - begun < QUICK_MS) part = Math.min(part * 2, LARGEST_PART_BYTES)
    }
    return null
  } catch (error) {
    if (signal.aborted) return null
    return error instanceof Refused ? (FAULTS[error.code] ?? 'failed') : 'failed'
  }
}

/** One part. When the service already has more, it says how much, and we continue from there. */
async function sendPart(
  credential: Credential,
  id: string,
  offset: number,
  bytes: Blob,
  signal: AbortSignal,
): Promise<Pick<FileView, 'received' | 'ready'>> {
  const path = `/api/triage/v1/session/files/${id}`
  let reply: Response
  try {
    reply = await fetch(path, {
      method: 'PATCH',
      credentials: 'same-origin',
      headers: {
        'content-type': 'application/octet-stream',
        'upload-offset': String(offset),
        ...credentialHeaders(credential),
      },
      body: bytes,
      signal,
    })
  } catch (error) {
    if (signal.aborted) throw error
    throw new Unreachable()
  }
  const body = await reply.json().catch(() => null)
  if (body === null) throw new Unreachable()
  if (reply.ok) return body
  const refused = new Refused(reply.status, body, reply.headers.get('retry-after'))
  if (refused.code === 'file-offset' && refused.received !== null) return { received: refused.received, ready: false }
  throw refused
}
