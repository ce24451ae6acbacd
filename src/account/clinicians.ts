import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import type { Core } from '../events/core.ts'
import { fail, invalid } from '../problems.ts'
import { type ClinicianRow, END_CLINICIAN, INSERT_CLINICIAN, listClinicians } from '../store/content/clinicians.ts'
import { PreconditionFailed } from '../store/database/db.ts'
import { hashOf, keyedHash } from '../store/seal.ts'

const LONGEST_NAME = 120

/** A clinician of an account, and whether their signatures count. */
export type Clinician = Omit<ClinicianRow, 'seal' | 'public_key'> & {
  /** Null when this deployment did not write the row: then nothing in it is trusted. */
  publicKey: KeyObject | null
  fingerprint: string
}

/** A new key pair: the clinician keeps the private key, the account registers the public one. */
export function newSigningKeys(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
}

/** Lets somebody sign releases for an account, by their public key. */
export async function addClinician(
  core: Core,
  accountId: string,
  given: { name: string; role: string; publicKey: string },
  actor: string,
): Promise<Clinician> {
  const [name, role] = [given.name.trim(), given.role.trim()]
  if (!name || name.length > LONGEST_NAME) invalid('/name', `must have 1 to ${LONGEST_NAME} characters`)
  if (!role || role.length > LONGEST_NAME) invalid('/role', `must have 1 to ${LONGEST_NAME} characters`)
  const publicKey = derOf(readPublicKey(given.publicKey))
  const id = randomUUID()
  const row = {
    id,
    name,
    role,
    public_key: publicKey.toString('hex'),
    added_by: actor,
    seal: sealOf(core, accountId, { id, name, role, public_key: publicKey }).toString('hex'),
  }
  try {
    await core.recorder.record({
      accountId,
      actor,
      action: 'clinician.added',
      subject: id,
      detail: { name, role, fingerprint: fingerprintOf(publicKey) },
      effects: [{ statement: INSERT_CLINICIAN, row }],
    })
  } catch (error) {
    if (error instanceof PreconditionFailed) invalid('/publicKey', 'is registered with this account already')
    throw error
  }
  return clinicianOf(core, accountId, id)
}

/** Revokes a clinician's key: none of their signatures count any more. */
export async function revokeClinician(core: Core, accountId: string, id: string, actor: string): Promise<Clinician> {
  const { revoked_at: revokedAt, name, fingerprint } = await clinicianOf(core, accountId, id)
  if (revokedAt === null)
    await core.recorder.record({
      accountId,
      actor,
      action: 'clinician.revoked',
      subject: id,
      detail: { name, fingerprint },
      effects: [{ statement: END_CLINICIAN, row: { id, revoked_by: actor } }],
    })
  return clinicianOf(core, accountId, id)
}

export async function cliniciansOf(core: Core, accountId: string): Promise<Clinician[]> {
  return (await listClinicians(core.db, accountId)).map(({ seal, public_key: der, ...row }) => {
    const isGenuine = sealOf(core, accountId, { ...row, public_key: der }).equals(seal)
    return {
      ...row,
      publicKey: isGenuine ? createPublicKey({ key: der, format: 'der', type: 'spki' }) : null,
      fingerprint: fingerprintOf(der),
    }
  })
}

async function clinicianOf(core: Core, accountId: string, id: string): Promise<Clinician> {
  const found = (await cliniciansOf(core, accountId)).find((one) => one.id === id)
  return found ?? fail('not-found', { detail: `The account has no clinician ${id}.` })
}

/** A row alone makes nobody a clinician: sealing it takes the master key. */
const sealOf = (
  core: Core,
  accountId: string,
  { id, name, role, public_key: publicKey }: Pick<ClinicianRow, 'id' | 'name' | 'role' | 'public_key'>,
): Buffer => keyedHash(core.keyring.derive('clinician', accountId), id, name, role, publicKey)

function readPublicKey(pem: string): KeyObject {
  if (pem.includes('PRIVATE KEY'))
    invalid('/publicKey', 'is a private key, which stays with the clinician: give the public one')
  const key = parsed(pem)
  if (key?.asymmetricKeyType !== 'ed25519') return invalid('/publicKey', 'must be an Ed25519 public key (PEM)')
  return key
}

function parsed(pem: string): KeyObject | null {
  try {
    return createPublicKey(pem)
  } catch {
    return null
  }
}

export const derOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' })

/** The short form by which people compare keys. */
export const fingerprintOf = (der: Buffer): string => hashOf(der.toString('hex')).toString('hex').slice(0, 16)
