import type { ConfigurationDocument } from '../../account/configuration.ts'
import type { Core } from '../../events/core.ts'
import type { Effect } from '../../events/record.ts'
import { fail } from '../../problems.ts'
import { PreconditionFailed } from '../../store/database/db.ts'
import { hashOf, newToken } from '../../store/seal.ts'
import {
  type Credential,
  ENTER_SESSION,
  enteredBefore,
  findSessionDoor,
  type SessionDoor,
  SIGN_OUT,
} from '../../store/users.ts'
import type { InterviewParts } from '../interview/interview.ts'
import { openUser, type User } from '../interview/user.ts'
import { configurationOf, openDoor } from '../open.ts'

/** The user, and the secret that identifies them from now on. Never the one of the link: that lies in messages for months. */
export type Entered = { user: User; secret: string }

/** How a client wants to enter. It makes the id, as long as a secret, so that a retry after a lost reply is the same entry. */
export type Wish = { credential: Credential; id: string | null }

/** A secret for the entering user, the effect that issues it, and how the session is opened with it afterwards. */
export function issueEntry(
  parts: InterviewParts,
  wish: Wish,
  session: {
    accountId: string
    id: string
    configuration: ConfigurationDocument
    contentVersion: string
    stateSeal: Buffer | null
  },
  how: { again: boolean },
): { effect: Effect; opened: () => Promise<Entered> } {
  const { accountId, id, configuration, contentVersion, stateSeal } = session
  const secret = newToken()
  const hash = hashOf(secret)
  const row = {
    id,
    hash: hash.toString('hex'),
    kind: wish.credential,
    entry_hash: wish.id === null ? null : hashOf(wish.id).toString('hex'),
    hours: configuration.userCookieHours,
    active_hours: configuration.sessionLifetimeHours,
    content_version: contentVersion,
    state_seal: stateSeal?.toString('hex') ?? null,
    again: how.again,
  }
  return {
    effect: { statement: ENTER_SESSION, row },
    opened: async () => {
      const door = (await findSessionDoor(parts.core.db, accountId, id)) ?? fail('session-not-found')
      return { user: await openUser(parts, door, { kind: wish.credential, hash }), secret }
    },
  }
}

/** Enters a session that was entered before. The caller has checked that this client may. */
export async function enterAgain(
  parts: InterviewParts,
  door: SessionDoor,
  wish: Wish,
  action: 'session.entered' | 'session.taken-over',
): Promise<Entered> {
  const { account_id: accountId, session } = door
  const { effect, opened } = issueEntry(parts, wish, await entrable(parts, door), { again: true })
  try {
    await parts.core.recorder.record({ accountId, actor: 'user', action, subject: session.id, effects: [effect] })
  } catch (error) {
    if (error instanceof PreconditionFailed) fail('session-not-found') // erased at the same moment
    throw error
  }
  return opened()
}

/** What entering a session needs. One whose content could not be loaded at creation tries again here. */
export async function entrable({ core, releases }: Pick<InterviewParts, 'core' | 'releases'>, door: SessionDoor) {
  const configuration = configurationOf(door) ?? fail('configuration-not-found')
  const contentVersion = door.session.content_version ?? (await releases.versionFor(configuration))
  if (contentVersion === null) return fail('content-unavailable', { headers: { 'retry-after': '5' } })
  const { row, seal, accountId } = openDoor(core, door, configuration)
  const isSettled = row.content_version !== null
  const stateSeal = isSettled ? null : seal.stateSeal({ ...row, content_version: contentVersion, status: 'Created' })
  return { accountId, id: row.id, configuration, contentVersion, stateSeal }
}

/** Whether this client entered under the same id a moment ago and lost the reply. */
export const isSameEntry = async (
  core: Core,
  { account_id: accountId, session }: SessionDoor,
  { id }: Wish,
): Promise<boolean> => id !== null && (await enteredBefore(core.db, accountId, session.id, hashOf(id)))

/** Revokes the access of this browser or client, at once and on every node. */
export async function signOut(
  { core, cache }: Pick<InterviewParts, 'core' | 'cache'>,
  accountId: string,
  sessionId: string,
  proofHash: Buffer,
): Promise<void> {
  const effects = [{ statement: SIGN_OUT, row: { hash: proofHash.toString('hex') } }]
  await core.recorder.record({ accountId, actor: 'user', action: 'user.signed-out', subject: sessionId, effects })
  cache.forget(sessionId)
}
