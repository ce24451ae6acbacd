import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Core } from '../events/core.ts'
import { fail } from '../problems.ts'
import { SessionSeal } from '../session/sealed.ts'
import { bytesField, nameOf } from '../session/uploads/bound.ts'
import type { Objects } from '../store/objects.ts'
import { keyedHash } from '../store/seal.ts'
import { addressWorks, findKeptUpload, type KeptUpload, readKeptBytes } from '../store/uploads.ts'

/** Account, session, key and file. */
const IDS = 4
const ID_BYTES = 16
const MAC_BYTES = 24

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** A file of a session, and the key that it was listed for. */
type Listed = { accountId: string; sessionId: string; keyId: string }

/**
 * The address of a file: its ids, the key it was listed for, and a keyed hash over them. It cannot be guessed, needs no
 * storage, and ends with its key.
 */
export function fileAddress(
  core: Core,
  publicUrl: string,
  { accountId, sessionId, keyId }: Listed,
  id: string,
): string {
  const ids = Buffer.concat([accountId, sessionId, keyId, id].map(bytesOf))
  return `${publicUrl}/files/${Buffer.concat([ids, macOf(core, accountId, ids)]).toString('base64url')}`
}

const macOf = (core: Core, accountId: string, ids: Buffer): Buffer =>
  keyedHash(core.keyring.derive('file address', accountId), ids).subarray(0, MAC_BYTES)

/** A stored file, opened. */
export async function keptBytes(
  core: Core,
  objects: Objects | null,
  accountId: string,
  sessionId: string,
  kept: KeptUpload,
): Promise<{ bytes: Buffer; name: string }> {
  const seal = SessionSeal.open(
    accountId,
    core.keyring.openAccountKey(accountId, kept.sealed_account_key),
    sessionId,
    kept.sealed_key,
  )
  const sealed = (await readKeptBytes(core.db, objects, accountId, sessionId, kept)) ?? fail('file-not-found')
  return { bytes: seal.open(bytesField(kept.id), sealed), name: nameOf(seal, kept) }
}

/** Sends a file so that no browser ever runs it: as a download, of exactly this type, in a sandbox. */
export function sendFile(reply: FastifyReply, mimeType: string, name: string, bytes: Buffer): FastifyReply {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  return reply
    .header('content-type', mimeType)
    .header(
      'content-disposition',
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`,
    )
    .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
    .header('accept-ranges', 'none')
    .send(bytes)
}

/**
 * `downloadUrl` of the interface: works without a key, while the user is signed in and the key that listed it is live.
 * Each read is an audit entry.
 */
export function fileRoute(app: FastifyInstance, core: Core, objects: Objects | null): void {
  app.get<{ Params: { address: string } }>(
    '/files/:address',
    { schema: { hide: true }, config: { worksOnFiles: true } },
    async (request, reply) => {
      const bytes = Buffer.from(request.params.address, 'base64url')
      const ids = bytes.subarray(0, IDS * ID_BYTES)
      const [accountId, sessionId, keyId, id] = Array.from({ length: IDS }, (_, at) =>
        uuidOf(ids.subarray(at * ID_BYTES, (at + 1) * ID_BYTES)),
      )
      if (bytes.length !== IDS * ID_BYTES + MAC_BYTES || !accountId || !sessionId || !keyId || !id)
        return fail('file-not-found')
      if (!timingSafeEqual(bytes.subarray(IDS * ID_BYTES), macOf(core, accountId, ids))) return fail('file-not-found')
      const kept = (await findKeptUpload(core.db, accountId, sessionId, id)) ?? fail('file-not-found')
      if (!(await addressWorks(core.db, accountId, sessionId, keyId))) return fail('file-gone')
      const { bytes: plain, name } = await keptBytes(core, objects, accountId, sessionId, kept)
      await core.recorder.record({
        accountId,
        actor: `key:${keyId}`,
        action: 'session.file.read',
        subject: sessionId,
        detail: { file: id, by: 'address' },
      })
      return sendFile(reply, kept.mime_type, name, plain)
    },
  )
}
