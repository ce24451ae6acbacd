import { readAsFarAsItFits } from '../../account/configuration.ts'
import { fail } from '../../problems.ts'
import type { Proof, SessionDoor } from '../../store/users.ts'
import { configurationOf, openDoor, type Session } from '../open.ts'
import { type Interview, type InterviewParts, readInterview } from './interview.ts'
import { withOwnBytes } from './session-cache.ts'

/** A user in their session: the session, what was said in it, and what the user's door adds. */
export type User = {
  session: Session
  interview: Interview
  /** Their proof. */
  proof: Proof
  /** The revision of the configuration by which their answers are judged. */
  revision: number
  fileCount: number
}

/** How a user's session is opened. */
export type Opening = {
  /** To be ended. That works even if its configuration was switched off or is no longer valid: an emergency must not be lost with it. */
  ending?: boolean
}

export async function openUser(
  parts: InterviewParts,
  door: SessionDoor,
  proof: Proof,
  { ending = false }: Opening = {},
): Promise<User> {
  const configuration = configurationOf(door) ?? (ending ? readAsFarAsItFits(door.document) : null)
  if (!configuration) return fail('configuration-not-found')
  const session = openDoor(parts.core, { ...door, session: withOwnBytes(door.session) }, configuration)
  const interview = await readInterview(parts, session)
  const user = { session, interview, proof, revision: door.revision, fileCount: door.file_count }
  // A session opened by this exception must not be answered from the cache.
  if (!ending) parts.cache.keepUser(user)
  return user
}
