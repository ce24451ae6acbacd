import { randomUUID } from 'node:crypto'
import type { Caller } from '../account/callers.ts'
import type { Language } from '../engine/content.ts'
import type { IssueType, Sex } from '../engine/intake.ts'
import type { Core } from '../events/core.ts'
import type { Effect } from '../events/record.ts'
import { fail, invalid } from '../problems.ts'
import { PreconditionFailed } from '../store/database/db.ts'
import { hashOf, keyedHash, newToken } from '../store/seal.ts'
import { findIdempotency, INSERT_IDEMPOTENCY, INSERT_SESSION, type SessionStatus } from '../store/sessions.ts'
import { givenAge } from './age.ts'
import { returnAddress } from './return-address.ts'
import { NEW_STATE, SessionSeal } from './sealed.ts'

export const SESSION_FLOWS = ['Standard', 'ExternallyInitiatedByProxy'] as const

/** What an integrating system may say about a session when it makes one; every part is optional. */
export type NewSession = {
  patient?: { age?: number | null; birthDate?: string | null; sex?: Sex | null; reference?: string | null } | null
  languageCode?: Language | null
  text?: string | null
  userIsPatient?: boolean | null
  issueType?: IssueType | null
  sessionFlow?: (typeof SESSION_FLOWS)[number] | null
  overrideDemandManagement?: boolean | null
  extendedData?: unknown
  returnUrl?: string | null
  /** Signs of the content's vocabulary that are there or not, to be confirmed by the user. */
  signs?: Readonly<Record<string, boolean>> | null
}

export type CreatedSession = {
  sessionId: string
  url: string
  sessionStatus: SessionStatus
  sessionCreatedTimestamp: string
  expiresTimestamp: string
}

/** Where sessions begin: the address users see, the content release a new session is pinned to (null: none can be loaded), and its signs. */
export type Front = {
  publicUrl: string
  contentVersion: (configuration: Caller['configuration']) => Promise<string | null>
  isSign: (contentVersion: string, id: string) => Promise<boolean>
}

/** Creates a session; with an Idempotency-Key, repeated requests create one session only and get the same answer. */
export async function createSession(
  core: Core,
  front: Front,
  caller: Caller,
  given: NewSession,
  idempotency: { key: string; body: string } | null,
  inFlight: Set<string>,
): Promise<CreatedSession> {
  const age = givenAge(given.patient, () => Temporal.Now.plainDateISO(caller.timeZone))
  const returnUrl = given.returnUrl ? returnAddress(given.returnUrl, caller.configuration.returnUrls) : null
  if (given.languageCode && !caller.configuration.languages.includes(given.languageCode)) {
    invalid('/languageCode', 'is not a language of this configuration')
  }
  const settled = { ...given, returnUrl }
  if (!idempotency) return make(core, front, caller, settled, age, null)
  const claim = claimOf(core, caller, idempotency)
  const earlier = await replay(core, caller, claim)
  if (earlier) return earlier
  if (inFlight.has(claim.name)) fail('idempotency-in-flight', { headers: { 'retry-after': '1' } })
  inFlight.add(claim.name)
  try {
    return await make(core, front, caller, settled, age, claim)
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) throw error
    return (await replay(core, caller, claim)) ?? fail('idempotency-in-flight', { headers: { 'retry-after': '1' } })
  } finally {
    inFlight.delete(claim.name)
  }
}

async function make(
  core: Core,
  front: Front,
  caller: Caller,
  given: NewSession,
  age: number | null,
  claim: Claim | null,
): Promise<CreatedSession> {
  const { accountId, configurationId, configuration } = caller
  const id = randomUUID()
  const secret = newToken()
  const contentVersion = await front.contentVersion(caller.configuration)
  await refuseUnknownSigns(front, contentVersion, given.signs)
  const status: SessionStatus = contentVersion === null ? 'AiSessionNotCreated' : 'Created'
  const { seal: own, sealedKey } = SessionSeal.fresh(accountId, caller.accountKey, id)
  const sealed = (
    field: 'givenMatter' | 'givenSigns' | 'extendedData' | 'reference',
    text: string | undefined | null,
  ) => (text == null ? null : own.seal(field, text))
  const state = {
    ...NEW_STATE,
    configuration_id: configurationId,
    status,
    flow: given.sessionFlow ?? 'Standard',
    patient_age: age,
    patient_sex: given.patient?.sex ?? null,
    user_is_patient: given.userIsPatient ?? null,
    override_demand_management: given.overrideDemandManagement ?? false,
    return_url: given.returnUrl ?? null,
    content_version: contentVersion,
    is_test: caller.isSandbox,
    given: {
      age,
      sex: given.patient?.sex ?? null,
      userIsPatient: given.userIsPatient ?? null,
      issueType: given.issueType ?? null,
      language: given.languageCode ?? null,
    },
    secret_hash: hashOf(secret),
    sealed_given_matter: sealed('givenMatter', given.text),
    sealed_given_signs: sealed('givenSigns', given.signs && JSON.stringify(given.signs)),
    sealed_extended_data: sealed('extendedData', JSON.stringify(given.extendedData)),
    sealed_reference: sealed('reference', given.patient?.reference || null),
  }
  const row = {
    ...state,
    id,
    enter_hours: configuration.entryLifetimeHours,
    active_hours: configuration.sessionLifetimeHours,
    language: given.languageCode ?? configuration.defaultLanguage,
    secret_hash: state.secret_hash.toString('hex'),
    sealed_key: sealedKey.toString('hex'),
    sealed_given_matter: state.sealed_given_matter?.toString('hex'),
    sealed_given_signs: state.sealed_given_signs?.toString('hex'),
    sealed_extended_data: state.sealed_extended_data?.toString('hex'),
    sealed_reference: state.sealed_reference?.toString('hex'),
    state_seal: own.stateSeal(state).toString('hex'),
  }
  const url = `${front.publicUrl}/s/${caller.slug}#${secret}`
  const made = { sessionId: id, url, sessionStatus: status }
  const effects: Effect[] = [{ statement: INSERT_SESSION, row }]
  if (claim) {
    const sealedResponse = caller.accountKey.seal(claim.place, JSON.stringify(made))
    effects.push({
      statement: INSERT_IDEMPOTENCY,
      row: {
        configuration_id: configurationId,
        key_hash: claim.keyHash.toString('hex'),
        request_hash: claim.requestHash.toString('hex'),
        sealed_response: sealedResponse.toString('hex'),
      },
    })
  }
  const detail = { configuration: caller.slug, contentVersion, ...(caller.isSandbox && { test: true }) }
  const [stored] = await core.recorder.record({
    accountId,
    actor: `key:${caller.keyId}`,
    action: 'session.created',
    subject: id,
    detail,
    effects,
  })
  return present(made, stored)
}

/** A sign by another name than the content's would be lost without a word. Where there is no content, nobody is asked anything. */
async function refuseUnknownSigns(
  front: Front,
  contentVersion: string | null,
  signs: NewSession['signs'],
): Promise<void> {
  if (contentVersion === null) return
  for (const id of Object.keys(signs ?? {})) {
    const pointer = `/signs/${id.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!(await front.isSign(contentVersion, id))) invalid(pointer, 'is not a sign of the content in use')
  }
}

type Made = Pick<CreatedSession, 'sessionId' | 'url' | 'sessionStatus'>

/** The moments are the database's own, so that they are exact bounds in a query. */
function present(made: Made, stored: Record<string, unknown> | undefined): CreatedSession {
  const { created_at: createdAt, enter_until: enterUntil } = stored ?? {}
  if (!(createdAt instanceof Date) || !(enterUntil instanceof Date))
    throw new Error('The session was stored without its moments.')
  return { ...made, sessionCreatedTimestamp: createdAt.toISOString(), expiresTimestamp: enterUntil.toISOString() }
}

type Claim = { name: string; keyHash: Buffer; requestHash: Buffer; place: readonly [string, string, string] }

/** Where the first answer to an idempotency key is sealed with the account's key. */
export const idempotentPlace = (accountId: string, keyHash: Buffer) =>
  [accountId, keyHash.toString('hex'), 'idempotent response'] as const

/** Only keyed hashes of key and request are stored. */
function claimOf(core: Core, caller: Caller, { key, body }: { key: string; body: string }): Claim {
  const secret = core.keyring.derive('idempotency', caller.accountId)
  // What a sandbox key created is never the answer to a real one.
  const keyHash = keyedHash(secret, caller.isSandbox ? 'sandbox key' : 'key', caller.configurationId, key)
  const name = keyHash.toString('hex')
  return {
    name,
    keyHash,
    requestHash: keyedHash(secret, 'request', body),
    place: idempotentPlace(caller.accountId, keyHash),
  }
}

/** The first answer to this key, if it was for the same request. */
async function replay(core: Core, caller: Caller, claim: Claim): Promise<CreatedSession | null> {
  const { accountId, configurationId } = caller
  const earlier = await findIdempotency(core.db, accountId, configurationId, claim.keyHash)
  if (!earlier) return null
  if (!earlier.request_hash.equals(claim.requestHash)) fail('idempotency-conflict')
  const made: Made = JSON.parse(caller.accountKey.unseal(claim.place, earlier.sealed_response).toString('utf8'))
  const session = await core.findSession({ accountId, configurationId, id: made.sessionId })
  return present(made, session ?? fail('session-not-found'))
}
