import type { Core } from '../../events/core.ts'
import { type AccessEvent, type AccessRow, findLastAccessEvent } from '../../store/access.ts'
import {
  type AccessState,
  holdsAgainstHours,
  instantOf,
  isClosedByHand,
  type SeenAccess,
  seeAccess,
} from '../access.ts'
import { type Cap, holidayIn, isWithinHours, type MonitoredHours, nextChange, readHours } from '../hours.ts'

/** What decides that an account is open or closed at a moment. */
export type Because = 'closed-by-hand' | 'outside-hours' | 'cap' | 'opened-by-hand' | 'within-hours' | 'no-limits'

/** What a manual opening overrides. An ongoing cap has no known end: it is overridden until fewer than the cap go on. */
export type Hold = { against: 'hours' | 'daily-cap' | 'ongoing-cap'; until: Date | null }

/** Open or closed, and everything an operator asks next. */
export type Outlook = AccessState & {
  now: Date
  because: Because
  /** Null where it was never otherwise, or where it is not recorded yet. */
  since: Date | null
  /** When a manual closing ends by itself. */
  closedUntil: Date | null
  /** What a manual opening overrides at the moment, and how long. */
  holds: readonly Hold[]
  holiday: string | null
  /** The next change that is known today. What a cap will do is not. */
  next: { at: Date; open: boolean } | null
}

/** What the future is worked out from. */
export type Course = {
  row: AccessRow
  hours: MonitoredHours | null
  timeZone: string
  now: Temporal.Instant
  /** The cap that is reached and not overridden, and until when it stays so at least; null: unknown. */
  full: { cap: Cap; until: Temporal.Instant | null } | null
}

export async function accessOutlook(core: Core, accountId: string): Promise<Outlook> {
  const seen = await seeAccess(core, accountId)
  const recorded = seen.state.closedReason === 'CapLimitReached' ? await findLastAccessEvent(core.db, accountId) : null
  return outlookOf(seen, recorded)
}

/** Pure: what is told of an account that was seen so. `recorded` is its last recorded opening or closing. */
export function outlookOf(seen: SeenAccess, recorded: Pick<AccessEvent, 'closed_reason' | 'at'> | null): Outlook {
  const course = courseOf(seen)
  const { row, hours, timeZone, now } = course
  const because = becauseOf(seen, course)
  const isRecorded = because === 'cap' && recorded?.closed_reason === 'CapLimitReached'
  return {
    ...seen.state,
    now: row.now,
    because,
    since: isRecorded ? recorded.at : sinceOf(because, course),
    closedUntil: because === 'closed-by-hand' ? row.until : null,
    holds: holdsOf(seen, course),
    holiday: hours && holidayIn(hours, now.toZonedDateTimeISO(timeZone).toPlainDate()),
    next: nextOf(course, seen.state.open),
  }
}

export function courseOf({ state, row, cap }: SeenAccess): Course {
  const now = instantOf(row.now)
  const midnight = now.toZonedDateTimeISO(row.time_zone).add({ days: 1 }).startOfDay().toInstant()
  const full =
    state.closedReason === 'CapLimitReached' && cap && !isClosedByHand(row, now)
      ? { cap, until: cap.kind === 'daily' ? midnight : null }
      : null
  return { row, hours: readHours(row.monitored_hours), timeZone: row.time_zone, now, full }
}

/** Open or closed at a moment to come, as far as it is decided today. */
export function isOpenAt({ row, hours, timeZone, full }: Course, at: Temporal.Instant): boolean {
  if (isClosedByHand(row, at)) return false
  if (full && (full.until === null || Temporal.Instant.compare(at, full.until) < 0)) return false
  return !hours || isWithinHours(hours, timeZone, at) || holdsAgainstHours(row, hours, at)
}

function becauseOf({ state }: SeenAccess, { row, hours, timeZone, now }: Course): Because {
  if (isClosedByHand(row, now)) return 'closed-by-hand'
  if (!state.open) return state.closedReason === 'CapLimitReached' ? 'cap' : 'outside-hours'
  if (hours && !isWithinHours(hours, timeZone, now)) return 'opened-by-hand'
  return hours ? 'within-hours' : 'no-limits'
}

function sinceOf(because: Because, { row, hours, timeZone, now }: Course): Date | null {
  if (because === 'closed-by-hand' || because === 'opened-by-hand') return row.at
  if (because === 'cap') return null
  const moments = [
    hours && dateOf(lastChange(hours, timeZone, now)),
    because !== 'outside-hours' && row.kind === 'opened' ? row.at : null,
    because !== 'outside-hours' && row.kind === 'closed' ? row.until : null,
  ].filter((moment) => moment !== null)
  return moments.length > 0 ? new Date(Math.max(...moments.map((moment) => moment.getTime()))) : null
}

/** The looks back get longer: hours mostly change within a day, but a closed summer is long. */
const LOOKS_BACK_DAYS = [2, 15, 100, 400]

/** The last moment up to `at` at which the hours started or stopped holding; null when there was none in a year. */
function lastChange(hours: MonitoredHours, timeZone: string, at: Temporal.Instant): Temporal.Instant | null {
  for (const days of LOOKS_BACK_DAYS) {
    let last: Temporal.Instant | null = null
    let change = nextChange(hours, timeZone, at.subtract({ hours: 24 * days }))
    while (change && Temporal.Instant.compare(change, at) <= 0) {
      last = change
      change = nextChange(hours, timeZone, change)
    }
    if (last) return last
  }
  return null
}

function holdsOf({ cap, midnight }: SeenAccess, { row, hours, timeZone, now }: Course): Hold[] {
  if (row.kind !== 'opened' || !row.at) return []
  const holds: Hold[] = []
  if (hours && holdsAgainstHours(row, hours, now))
    holds.push({ against: 'hours', until: dateOf(nextChange(hours, timeZone, instantOf(row.at))) })
  if (cap?.kind === 'daily' && row.at >= midnight) {
    const tomorrow = now.toZonedDateTimeISO(timeZone).add({ days: 1 }).startOfDay().toInstant()
    holds.push({ against: 'daily-cap', until: dateOf(tomorrow) })
  }
  if (cap?.kind === 'ongoing' && row.was_below !== true) holds.push({ against: 'ongoing-cap', until: null })
  return holds
}

function nextOf(course: Course, isOpen: boolean): Outlook['next'] {
  const { row, now, full } = course
  const ends = [row.until && instantOf(row.until), full?.until ?? null].filter((moment) => moment !== null)
  const at = [...ends, ...[now, ...ends].flatMap((from) => changesFrom(course, from))]
    .filter((moment) => Temporal.Instant.compare(moment, now) > 0)
    .sort(Temporal.Instant.compare)
    .find((moment) => isOpenAt(course, moment) !== isOpen)
  return at ? { at: new Date(at.epochMilliseconds), open: !isOpen } : null
}

/** More changes of the hours in a row cannot leave the state as it is. */
const MOST_CHANGES = 4

function changesFrom({ hours, timeZone }: Course, from: Temporal.Instant): Temporal.Instant[] {
  const found: Temporal.Instant[] = []
  for (let at = hours && nextChange(hours, timeZone, from); hours && at; at = nextChange(hours, timeZone, at)) {
    found.push(at)
    if (found.length === MOST_CHANGES) break
  }
  return found
}

const dateOf = (at: Temporal.Instant | null): Date | null => at && new Date(at.epochMilliseconds)
