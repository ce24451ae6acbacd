import type { Language } from '../../engine/content.ts'
import type { Core } from '../../events/core.ts'
import { fail } from '../../problems.ts'
import { changeLanguage } from '../../store/answers.ts'
import type { User } from './user.ts'

/** Changes the user's language; the answers stay what they are. */
export async function goOnIn({ db }: Core, user: User, language: Language): Promise<User> {
  const { session } = user
  if (!(await changeLanguage(db, session.accountId, session.row.id, language))) fail('session-not-found')
  return { ...user, session: { ...session, row: { ...session.row, language } } }
}
