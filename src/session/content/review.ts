import { createPrivateKey, createPublicKey, type KeyObject, randomUUID, sign, verify } from 'node:crypto'
import { type Clinician, cliniciansOf, derOf, fingerprintOf } from '../../account/clinicians.ts'
import type { CompiledRelease } from '../../engine/content.ts'
import type { Core } from '../../events/core.ts'
import { fail, invalid } from '../../problems.ts'
import { INSERT_SIGNATURE, listSignatures } from '../../store/content/clinicians.ts'
import { readRelease } from './stored.ts'

/** A clinician's review of a release for their account, and whether it counts. */
export type Signature = {
  version: string
  sha256: string
  clinician: Pick<Clinician, 'id' | 'name' | 'role' | 'fingerprint'>
  /** What was reviewed; null is the whole release. */
  complaints: readonly string[] | null
  signedAt: Date
  state: 'counts' | 'revoked' | 'forged'
}

type Statement = {
  accountId: string
  clinicianId: string
  version: string
  sha256: string
  complaints: readonly string[] | null
  signedAt: Date
}

/**
 * The exact bytes that are signed: whose review, of what, for whom and when. A signature is valid for no other release,
 * account or clinician.
 */
const statementOf = ({ accountId, clinicianId, version, sha256, complaints, signedAt }: Statement): Buffer =>
  Buffer.from(
    JSON.stringify(['fyr content review', accountId, clinicianId, version, sha256, complaints, signedAt.toISOString()]),
  )

/** Signs a release for an account with a clinician's private key, which is used here and stored nowhere. */
export async function signRelease(
  core: Core,
  accountId: string,
  { version, complaints, privateKey }: { version: string; complaints: readonly string[] | null; privateKey: string },
  actor: string,
): Promise<Signature> {
  const stored = await readRelease(core, version)
  if (stored.kind === 'none') return fail('not-found', { detail: `There is no published release ${version}.` })
  if (stored.kind === 'faulty') return invalid('/version', `cannot be signed: ${stored.fault}`)
  const unknown = complaints?.find((id) => !stored.content.complaints.has(id))
  if (unknown !== undefined) invalid('/complaints', `${unknown} is no complaint of release ${version}`)
  const key = readPrivateKey(privateKey)
  const clinician = await ownerOf(core, accountId, key)
  const { sha256 } = stored
  const signedAt = new Date()
  const statement = statementOf({ accountId, clinicianId: clinician.id, version, sha256, complaints, signedAt })
  const row = {
    id: randomUUID(),
    clinician_id: clinician.id,
    version,
    complaints,
    signed_at: signedAt.toISOString(),
    signature: sign(null, statement, key).toString('hex'),
  }
  await core.recorder.record({
    accountId,
    actor,
    action: 'content.signed',
    subject: version,
    detail: { clinician: clinician.id, name: clinician.name, sha256, complaints },
    effects: [{ statement: INSERT_SIGNATURE, row }],
  })
  return { version, sha256, clinician, complaints, signedAt, state: 'counts' }
}

const NOBODY = { name: 'unknown', role: '', fingerprint: '', publicKey: null, revoked_at: null }

/** Every signature of an account, each verified now. */
export async function signaturesOf(core: Core, accountId: string): Promise<Signature[]> {
  const rows = await listSignatures(core.db, accountId)
  if (rows.length === 0) return []
  const clinicians = new Map((await cliniciansOf(core, accountId)).map((one) => [one.id, one]))
  return rows.map(({ version, sha256, complaints, signed_at: signedAt, signature, clinician_id: clinicianId }) => {
    const clinician = clinicians.get(clinicianId) ?? { ...NOBODY, id: clinicianId }
    const statement = statementOf({ accountId, clinicianId, version, sha256, complaints, signedAt })
    const isGood = clinician.publicKey !== null && verify(null, statement, clinician.publicKey, signature)
    const state = !isGood ? 'forged' : clinician.revoked_at ? 'revoked' : 'counts'
    return { version, sha256, clinician, complaints, signedAt, state }
  })
}

/** A release is reviewed when every complaint of it is in some review that counts. */
export function isReviewed({ version, complaints }: CompiledRelease, signatures: readonly Signature[]): boolean {
  const counting = signatures.filter((one) => one.state === 'counts' && one.version === version)
  const reviewed = new Set(counting.flatMap((one) => one.complaints ?? complaints.map(({ id }) => id)))
  return counting.length > 0 && complaints.every(({ id }) => reviewed.has(id))
}

async function ownerOf(core: Core, accountId: string, key: KeyObject): Promise<Clinician> {
  const der = derOf(createPublicKey(key))
  const owner = (await cliniciansOf(core, accountId)).find(({ publicKey }) => publicKey && derOf(publicKey).equals(der))
  if (!owner)
    return invalid(
      '/key',
      `belongs to no clinician of this account (its fingerprint is ${fingerprintOf(der)}): register its public part first`,
    )
  if (owner.revoked_at) return invalid('/key', `of ${owner.name} was revoked`)
  return owner
}

function readPrivateKey(pem: string): KeyObject {
  const key = parsed(pem)
  return key?.asymmetricKeyType === 'ed25519'
    ? key
    : invalid('/key', 'must be an Ed25519 private key (PEM, not locked)')
}

function parsed(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem)
  } catch {
    return null
  }
}
