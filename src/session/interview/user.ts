import { readAsFarAsItFits } from '../../account/configuration.ts'
import { fail } from '../../problems.ts'
import type { Proof, SessionDoor } from '../../store/users.ts'
import { configurationOf, openDoor, type Session } from '../open.ts'
import { type Interview, type InterviewParts, readInterview } from './interview.ts'

/** A user in their session: the session, what was said in it, and what the user's door adds. */
export type User = {
  session: Session
  interview: Interview
  /** What they proved themselves with. */
  proof: Proof
  /** Which state of the configuration their answers are judged by. */
  revision: number
  fileCount: number
}

/** How a user's session is opened. */
export type Opening = {
  /** To be ended. That goes on when its configuration was switched off or does not fit any more: an emergency must not be lost with it. */
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
  const session = openDoor(parts.core, door, configuration)
  const interview = await readInterview(parts, session)
  const user = { session, interview, proof, revision: door.revision, fileCount: door.file_count }
  // What was opened by way of exception must not be answered on.
  if (!ending) parts.cache.keepUser(user)
  return user
}
