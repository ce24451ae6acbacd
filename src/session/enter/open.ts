import { randomUUID } from 'node:crypto'
import type { ConfigurationDocument } from '../../account/configuration.ts'
import { passGate } from '../../account/gate.ts'
import type { Language } from '../../engine/content.ts'
import { fail, Problem } from '../../problems.ts'
import { findAccount } from '../../store/accounts.ts'
import type { ConfigurationRow } from '../../store/configurations.ts'
import { PreconditionFailed } from '../../store/database/db.ts'
import { hashOf, newToken } from '../../store/seal.ts'
import { INSERT_SESSION } from '../../store/sessions.ts'
import { findSessionDoor } from '../../store/users.ts'
import type { InterviewParts } from '../interview/interview.ts'
import { NEW_STATE, SessionSeal } from '../sealed.ts'
import { type Entered, enterAgain, isSameEntry, issueEntry, type Wish } from './entry.ts'

type OpenConfiguration = ConfigurationRow & { read: ConfigurationDocument }
type OpenWish = Wish & { language: Language | null }

/** Anyone may enter by the public address of an OPEN configuration: it makes the session, never fetching a page. */
export async function enterOpen(
  parts: InterviewParts,
  configuration: OpenConfiguration,
  wish: OpenWish,
): Promise<Entered> {
  if (configuration.read.type !== 'OPEN') fail('not-found')
  if (wish.id === null) return enterNew(parts, configuration, randomUUID(), wish)
  const id = sessionIdFrom(configuration, wish.id)
  const again = () => enterSame(parts, configuration, id, wish)
  const earlier = await again()
  if (earlier) return earlier
  try {
    return await enterNew(parts, configuration, id, wish)
  } catch (error) {
    // The same request came a moment before, and perhaps took the last place.
    const wasBefore =
      error instanceof PreconditionFailed || (error instanceof Problem && error.code === 'service-closed')
    const first = wasBefore ? await again() : null
    if (first) return first
    if (error instanceof PreconditionFailed) fail('idempotency-conflict') // erased since
    throw error
  }
}

async function enterNew(
  parts: InterviewParts,
  { account_id: accountId, id: configurationId, slug, read }: OpenConfiguration,
  id: string,
  wish: OpenWish,
): Promise<Entered> {
  const { core, releases } = parts
  const account = (await findAccount(core.db, accountId)) ?? fail('configuration-not-found')
  const contentVersion = await releases.versionFor(read)
  if (contentVersion === null) return fail('content-unavailable', { headers: { 'retry-after': '5' } })
  const accountKey = core.keyring.openAccountKey(accountId, account.sealed_key)
  const { seal, sealedKey } = SessionSeal.fresh(accountId, accountKey, id)
  const state = {
    ...NEW_STATE,
    configuration_id: configurationId,
    content_version: contentVersion,
    secret_hash: hashOf(newToken()), // there is no link
  }
  const row = {
    ...state,
    id,
    enter_hours: read.entryLifetimeHours,
    active_hours: read.sessionLifetimeHours,
    language: wish.language ?? read.defaultLanguage,
    secret_hash: state.secret_hash.toString('hex'),
    sealed_key: sealedKey.toString('hex'),
    state_seal: seal.stateSeal(state).toString('hex'),
  }
  const session = { accountId, id, configuration: read, contentVersion, stateSeal: null }
  const { effect, opened } = issueEntry(parts, wish, session, { again: false })
  await passGate(core, accountId, read, false, (pass) =>
    core.recorder.record({
      accountId,
      actor: 'user',
      action: 'session.created',
      subject: id,
      detail: { configuration: slug, contentVersion, by: 'public address' },
      effects: [pass, { statement: INSERT_SESSION, row }, effect],
    }),
  )
  return opened()
}

/** The session that was entered under this id, if there is one; the id expires after a while. */
async function enterSame(
  parts: InterviewParts,
  { account_id: accountId }: OpenConfiguration,
  id: string,
  wish: OpenWish,
): Promise<Entered | null> {
  const door = await findSessionDoor(parts.core.db, accountId, id)
  if (!door) return null
  if (!(await isSameEntry(parts.core, door, wish))) fail('idempotency-conflict')
  return enterAgain(parts, door, wish, 'session.entered')
}

/** The session id derived from a client's id, which cannot be derived back; marked as version 4, the one that every validator of UUIDs knows. */
function sessionIdFrom({ account_id: accountId, id }: OpenConfiguration, entryId: string): string {
  const hex = hashOf(`session of ${accountId} ${id} ${entryId}`).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
