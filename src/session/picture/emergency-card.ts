import type { Alarm } from '../../engine/content.ts'
import { alarmsAfter } from '../../engine/interview.ts'
import { answersOf, type HistoryEntry, type Interview } from '../interview/interview.ts'
import type { Speech } from '../interview/speech.ts'
import { evidenceOf, whole } from './clinical-words.ts'

/** The emergency card that was shown first and that somebody went on from. */
export type CardPassed = {
  at: Date
  /** What was answered that made it appear. */
  after: string
  /** The rules that made it appear no longer hold: an answer was changed since. */
  isTakenBack: boolean
}

/** Whether somebody saw the emergency card and said more, and after which answer it was. Null where none was shown, or nothing was said after it. */
export function cardPassed(speech: Speech, { content, history, step }: Interview): CardPassed | null {
  // What was told only adds to what holds: an alarm that no longer stands was taken back by a change.
  const isChanged = new Set(history.map(({ question }) => question)).size < history.length
  if (step.alarms.length === 0 && !isChanged) return null
  const screens = [...Map.groupBy(history, ({ id }) => id).values()]
  const said: HistoryEntry[] = []
  for (const screen of screens.slice(0, -1)) {
    said.push(...screen)
    const alarms = alarmsAfter(content, answersOf(said))
    const at = screen.at(-1)?.at
    if (alarms.length === 0 || !at) continue
    return {
      at,
      after: tellingOf(speech, alarms, screen),
      isTakenBack: !alarms.some((one) => isAmong(one, step.alarms)),
    }
  }
  return null
}

/** What was told of that the foremost alarm rests on: of it what was said on the screen before, if anything was. Who the patient is goes without saying. */
function tellingOf(speech: Speech, alarms: readonly Alarm[], screen: readonly HistoryEntry[]): string {
  const { intake } = speech.content.release
  const facts = (alarms[0]?.answers ?? []).filter(
    ({ question, state }) => state !== 'denied' && !intake.includes(question),
  )
  const fresh = facts.filter(({ question }) => screen.some((one) => one.question === question))
  return evidenceOf(speech, fresh.length > 0 ? fresh : facts)
    .map(whole)
    .join('; ')
}

const isAmong = ({ complaint, rule }: Alarm, alarms: readonly Alarm[]): boolean =>
  alarms.some((one) => one.complaint === complaint && one.rule === rule)
