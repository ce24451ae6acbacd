import type { Alarm } from '../../engine/content.ts'
import { alarmsAfter } from '../../engine/interview.ts'
import { answersOf, type HistoryEntry, type Interview } from '../interview/interview.ts'
import type { Speech } from '../interview/speech.ts'
import { evidenceOf, whole } from './clinical-words.ts'

/** The emergency card that was shown and that somebody went on from: the first of what still stands, or else the first that was taken back. */
export type CardPassed = {
  at: Date
  /** What was answered that made it appear. */
  after: string
  /** The rules that made it appear no longer hold: an answer was changed since. */
  isTakenBack: boolean
}

/** Each takes an evaluation of the interview. Whoever changes more than this is told of by their last changes. */
const MOST_LOOKED_AT = 20

/** Whether somebody saw the emergency card and said more, and after which answer it was. Null where none was shown, or nothing was said after it. */
export function cardPassed(speech: Speech, { content, history, step }: Interview): CardPassed | null {
  const screens = [...Map.groupBy(history, ({ id }) => id).values()]
  const changes = changesIn(screens)
  if (step.alarms.length === 0 && changes.length === 0) return null
  const alarmsAt = (count: number) => alarmsAfter(content, answersOf(screens.slice(0, count).flat()))
  // What is told only adds to what holds until something is changed: every alarm is there just before that, or before the last screen.
  const looks = [...new Set([...changes, screens.length - 1])].slice(-MOST_LOOKED_AT)
  const seen = looks.map((count) => ({ count, alarms: alarmsAt(count) }))
  const standing = (alarms: readonly Alarm[]) => alarms.filter((one) => isAmong(one, step.alarms))
  const isTakenBack = seen.every(({ alarms }) => standing(alarms).length === 0)
  const toTell = (alarms: readonly Alarm[]) => (isTakenBack ? alarms : standing(alarms))
  const latest = seen.find(({ alarms }) => toTell(alarms).length > 0)?.count
  if (latest === undefined) return null
  const count = firstWhere((some) => toTell(alarmsAt(some)).length > 0, latest)
  const screen = screens[count - 1] ?? []
  const at = screen.at(-1)?.at
  return at ? { at, after: tellingOf(speech, toTell(alarmsAt(count)), screen), isTakenBack } : null
}

/** How many screens came before each on which something was said anew: a changed answer, or going back. */
function changesIn(screens: readonly (readonly HistoryEntry[])[]): number[] {
  const said = new Set<string>()
  return screens.flatMap((screen, count) => {
    const isChange = screen.some(({ question }) => said.has(question))
    for (const { question } of screen) said.add(question)
    return isChange ? [count] : []
  })
}

/** The count from which on it is so, which it is at the latest one: halved until nothing is left between. */
function firstWhere(isSo: (count: number) => boolean, latest: number): number {
  let [before, first] = [0, latest]
  while (first - before > 1) {
    const middle = Math.floor((before + first) / 2)
    if (isSo(middle)) first = middle
    else before = middle
  }
  return first
}

/** What was told of that the foremost alarm rests on: of it what was said on the screen before, if anything was. Who the patient is goes without saying where anything else was told. */
function tellingOf(speech: Speech, alarms: readonly Alarm[], screen: readonly HistoryEntry[]): string {
  const { intake } = speech.content.release
  const told = (alarms[0]?.answers ?? []).filter(({ state }) => state !== 'denied')
  const ofMatter = told.filter(({ question }) => !intake.includes(question))
  const facts = ofMatter.length > 0 ? ofMatter : told
  const fresh = facts.filter(({ question }) => screen.some((one) => one.question === question))
  return evidenceOf(speech, fresh.length > 0 ? fresh : facts)
    .map(whole)
    .join('; ')
}

const isAmong = ({ complaint, rule }: Alarm, alarms: readonly Alarm[]): boolean =>
  alarms.some((one) => one.complaint === complaint && one.rule === rule)
