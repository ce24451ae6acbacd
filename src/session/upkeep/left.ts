import type { Logger } from 'pino'
import { readAsFarAsItFits } from '../../account/configuration.ts'
import { Problem } from '../../problems.ts'
import { type LeftSession, listLeftAlarmed } from '../../store/left-alarms.ts'
import { findSessionDoor } from '../../store/users.ts'
import { type EndParts, endLeft } from '../end.ts'
import { StaleSession } from '../interview/answer.ts'
import { type InterviewParts, readInterview } from '../interview/interview.ts'
import { configurationOf, openDoor } from '../open.ts'
import type { LeftMeasures } from './left-measures.ts'

const AT_ONCE = 100

/** What ending left sessions needs: what any ending does, and where to tell how it went. */
export type LeftParts = InterviewParts & EndParts & { measures: LeftMeasures; logger: Pick<Logger, 'error'> }

/**
 * Ends sessions that were left while the emergency card stood. Any node may: each ending happens once. A session that
 * cannot be ended is retried in every round and holds up no other.
 */
export async function endLeftSessions(parts: LeftParts): Promise<number> {
  const { core, measures, logger } = parts
  const reasons: Record<string, number> = {}
  let [ended, failed] = [0, 0]
  const attempt = async (session: LeftSession) => {
    try {
      if (await endOne(parts, session)) ended++
    } catch (error) {
      failed++
      const reason = error instanceof Problem ? error.code : error instanceof Error ? error.name : 'error'
      reasons[reason] = (reasons[reason] ?? 0) + 1
    }
  }
  for (let page: LeftSession[] = [], last: LeftSession | null = null; ; last = page.at(-1) ?? null) {
    page = await listLeftAlarmed(core.db, last, AT_ONCE)
    await Promise.all(byAccount(page).map((sessions) => oneAfterAnother(sessions, attempt)))
    if (page.length < AT_ONCE) break
  }
  measures.went(ended, failed)
  // Logged without ids: a log must not reveal who has an emergency.
  if (failed > 0) logger.error({ failed, reasons }, 'sessions left with an alarm could not be ended')
  return ended
}

/** By account, so that a slow account slows only itself. */
const byAccount = (page: readonly LeftSession[]): LeftSession[][] => [
  ...Map.groupBy(page, ({ account_id: accountId }) => accountId).values(),
]

async function oneAfterAnother<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (const one of all) await work(one)
}

async function endOne(parts: LeftParts, left: LeftSession): Promise<boolean> {
  const door = await findSessionDoor(parts.core.db, left.account_id, left.id)
  if (!door) return false
  // An emergency must not be lost because its configuration was switched off or is not valid.
  const session = openDoor(parts.core, door, configurationOf(door) ?? readAsFarAsItFits(door.document))
  try {
    await endLeft(parts, session, await readInterview(parts, session))
    return true
  } catch (error) {
    if (error instanceof StaleSession) return false // the user came back, or another node was first
    throw error
  }
}
