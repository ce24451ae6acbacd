import type { Language } from '../../engine/content.ts'
import type { Core } from '../../events/core.ts'
import { fail } from '../../problems.ts'
import { changeLanguage } from '../../store/answers.ts'
import type { UserSession } from './user.ts'

/** The user goes on in another language; the answers stay what they are. */
export async function goOnIn(core: Core, user: UserSession, language: Language): Promise<UserSession> {
  if (!(await changeLanguage(core.db, user.accountId, user.row.id, language))) fail('session-not-found')
  return { ...user, language }
}
