import { randomUUID } from 'node:crypto'
import type { ConfigurationDocument } from '../account/configuration.ts'
import { passGate } from '../account/gate.ts'
import type { Language } from '../engine/content.ts'
import type { Core } from '../events/core.ts'
import type { Effect } from '../events/record.ts'
import { fail } from '../problems.ts'
import { findAccount } from '../store/accounts.ts'
import type { Proof } from '../store/answers.ts'
import type { ConfigurationRow } from '../store/configurations.ts'
import { NotAsExpected } from '../store/database/db.ts'
import { hashOf, newToken } from '../store/seal.ts'
import { INSERT_SESSION } from '../store/sessions.ts'
import { ENTER_SESSION, findUserById, noteTakeoverTry, SIGN_OUT, type UserDoor } from '../store/users.ts'
import { configurationOf, openUserSession, type UserSession } from './chat/user.ts'
import type { Releases } from './releases.ts'
import { SessionSeal } from './sealed.ts'

const MOST_TAKEOVER_TRIES = 5

/** How the user proves who they are from now on: a cookie for browsers, the session's secret for headless clients. */
export type Credential = 'cookie' | 'bearer'

export type Entered = { user: UserSession; cookie: string | null; secret: string | null }

/** What someone who wants to take over a session from another browser says about the patient. */
export type Confirmation = { age?: number | undefined; birthYear?: number | undefined }

/** Anyone enters by the public address of an OPEN configuration: the session is made here, never by fetching a page. */
export async function enterOpen(
  core: Core,
  releases: Releases,
  configuration: ConfigurationRow & { read: ConfigurationDocument },
  wish: { language: Language | null; credential: Credential },
): Promise<Entered> {
  const { account_id: accountId, read } = configuration
  if (read.type !== 'OPEN') fail('not-found')
  const account = (await findAccount(core.db, accountId)) ?? fail('configuration-not-found')
  const contentVersion = await releases.versionFor(read)
  if (contentVersion === null) fail('content-unavailable', { headers: { 'retry-after': '5' } })
  const id = randomUUID()
  const secret = newToken()
  const cookie = wish.credential === 'cookie' ? newToken() : null
  const accountKey = core.keyring.openAccountKey(accountId, account.sealed_key)
  const { sealedKey } = SessionSeal.fresh(accountId, accountKey, id)
  const row = {
    id,
    configuration_id: configuration.id,
    status: 'Created',
    enter_hours: read.entryLifetimeHours,
    active_hours: read.sessionLifetimeHours,
    flow: 'Standard',
    language: wish.language ?? read.defaultLanguage,
    content_version: contentVersion,
    secret_hash: hashOf(secret).toString('hex'),
    sealed_key: sealedKey.toString('hex'),
  }
  const entering = entryRow(id, cookie, read, wish.credential, contentVersion, false)
  await passGate(core, accountId, read, false, (pass) =>
    core.recorder.record({
      accountId,
      actor: 'user',
      action: 'session.created',
      subject: id,
      detail: { configuration: configuration.slug, by: 'public address' },
      effects: [pass, { statement: INSERT_SESSION, row }, { statement: ENTER_SESSION, row: entering }],
    }),
  )
  return {
    user: await reopened(core, releases, accountId, id, proofBy(cookie, secret)),
    cookie,
    secret: wish.credential === 'bearer' ? secret : null,
  }
}

/** The user of a session made over the interface enters with its secret. */
export async function enterInvited(
  core: Core,
  releases: Releases,
  secret: string,
  wish: { credential: Credential; slug?: string | undefined; confirmation: Confirmation },
): Promise<Entered> {
  const door = (await core.userBySecret(hashOf(secret))) ?? fail('session-not-found')
  if (wish.slug !== undefined && wish.slug !== door.slug) fail('session-not-found')
  const { session } = door
  const isFirst = session.started_at === null
  if (!isFirst && session.entered_by === 'bearer' && wish.credential === 'bearer') {
    return { user: await openUserSession(core, releases, door), cookie: null, secret: null }
  }
  if (isFirst && session.status !== 'Ended' && !door.can_enter) fail('session-expired')
  if (!isFirst) await confirmTakeover(core, door, wish.confirmation)
  const version = session.content_version ?? (await releases.versionFor(documentOf(door)))
  if (version === null) fail('content-unavailable', { headers: { 'retry-after': '5' } })
  const cookie = wish.credential === 'cookie' ? newToken() : null
  const entering = entryRow(session.id, cookie, documentOf(door), wish.credential, version, !isFirst)
  const enter = (...pass: Effect[]) =>
    core.recorder.record({
      accountId: door.account_id,
      actor: 'user',
      action: isFirst ? 'session.entered' : 'session.taken-over',
      subject: session.id,
      effects: [...pass, { statement: ENTER_SESSION, row: entering }],
    })
  try {
    // Who has started goes on, and what has ended may be looked at, whatever the gate says.
    if (!isFirst || session.status === 'Ended') await enter()
    else await passGate(core, door.account_id, documentOf(door), session.override_demand_management, enter)
  } catch (error) {
    if (error instanceof NotAsExpected) fail('confirmation-needed') // another browser was first in the same moment
    throw error
  }
  return {
    user: await reopened(core, releases, door.account_id, session.id, proofBy(cookie, secret)),
    cookie,
    secret: null,
  }
}

/** This browser may do nothing more, at once and on every node. */
export async function signOut(core: Core, accountId: string, sessionId: string, cookieHash: Buffer): Promise<void> {
  const effects = [{ statement: SIGN_OUT, row: { hash: cookieHash.toString('hex') } }]
  await core.recorder.record({ accountId, actor: 'user', action: 'user.signed-out', subject: sessionId, effects })
}

function entryRow(
  id: string,
  cookie: string | null,
  read: ConfigurationDocument,
  by: Credential,
  contentVersion: string,
  takeover: boolean,
) {
  return {
    id,
    hash: cookie === null ? null : hashOf(cookie).toString('hex'),
    hours: read.userCookieHours,
    active_hours: read.sessionLifetimeHours,
    entered_by: by,
    content_version: contentVersion,
    status: 'Created',
    takeover,
  }
}

const proofBy = (cookie: string | null, secret: string): Proof =>
  cookie === null ? { kind: 'bearer', hash: hashOf(secret) } : { kind: 'cookie', hash: hashOf(cookie) }

async function reopened(
  core: Core,
  releases: Releases,
  accountId: string,
  id: string,
  proof: Proof,
): Promise<UserSession> {
  const door = (await findUserById(core.db, accountId, id)) ?? fail('session-not-found')
  return openUserSession(core, releases, door, { proof })
}

/** Each attempt is counted before it is judged; while neither age nor birth year is known, nobody can take over. */
async function confirmTakeover(core: Core, door: UserDoor, { age, birthYear }: Confirmation): Promise<void> {
  const { session, account_id: accountId } = door
  if (age === undefined && birthYear === undefined) fail('confirmation-needed')
  if (session.patient_age === null) fail('confirmation-refused')
  if (!(await noteTakeoverTry(core.db, accountId, session.id, MOST_TAKEOVER_TRIES))) fail('confirmation-refused')
  const year = session.created_at.getUTCFullYear() - Math.floor(session.patient_age)
  const isRight =
    age !== undefined
      ? Math.floor(age) === Math.floor(session.patient_age)
      : birthYear === year || birthYear === year - 1
  if (!isRight) fail('confirmation-refused')
}

function documentOf(door: UserDoor): ConfigurationDocument {
  return configurationOf(door) ?? fail('configuration-not-found')
}
