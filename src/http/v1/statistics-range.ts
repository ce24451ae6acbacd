import { invalid } from '../../problems.ts'
import type { StatisticsRange } from '../../session/statistics/statistics.ts'
import { PERIODS, type Period } from '../../store/statistics/statistics.ts'
import { readMoment } from './moments.ts'

type Query = { start?: string; end?: string; by?: string }

/** The longest range, and the one that is meant without a start, in days. */
const LONGEST = { hour: 31, day: 366 } as const satisfies Record<Period, number>
const USUAL = { hour: 1, day: 30 } as const satisfies Record<Period, number>
const DATE = /^\d{4}-\d{2}-\d{2}$/

/**
 * The range of statistics: whole hours, or whole days of the account's calendar, so that a range is not easily drawn
 * around a single session. Without bounds it reaches to the end of the running hour or day.
 */
export function readStatisticsRange(query: Query, timeZone: string, now: Date): StatisticsRange {
  const by = periodOf(query.by)
  const end = boundOf('end', query.end, by, timeZone) ?? endOfRunning(by, zoned(now, timeZone))
  const start = boundOf('start', query.start, by, timeZone) ?? end.subtract({ days: USUAL[by] })
  if (Temporal.ZonedDateTime.compare(start, end) > 0) invalid('/query/start', 'must not be after end')
  if (Temporal.ZonedDateTime.compare(start.add({ days: LONGEST[by] }), end) < 0)
    invalid('/query/start', `is more than ${LONGEST[by]} days before end, the most by ${by}`)
  return { start: new Date(start.epochMilliseconds), end: new Date(end.epochMilliseconds), by }
}

function periodOf(given: string | undefined): Period {
  if (given === undefined) return 'day'
  return PERIODS.find((one) => one === given) ?? invalid('/query/by', `must be one of ${PERIODS.join(', ')}`)
}

/** By day a plain date is taken too: it means that day where the clinic is. */
function boundOf(
  name: 'start' | 'end',
  given: string | undefined,
  by: Period,
  timeZone: string,
): Temporal.ZonedDateTime | null {
  const text = given && by === 'day' && DATE.test(given) ? midnightOf(name, given, timeZone) : given
  const moment = readMoment(name, text)
  if (moment === null) return null
  const bound = zoned(moment, timeZone)
  const whole = by === 'hour' ? moment.getTime() % HOUR_MS === 0 : bound.startOfDay().equals(bound)
  if (whole) return bound
  return by === 'hour'
    ? invalid(`/query/${name}`, 'must be a whole hour such as 2027-01-31T08:00:00Z')
    : invalid(`/query/${name}`, `must be a date such as 2027-01-31, or midnight in ${timeZone}`)
}

const HOUR_MS = 3_600_000

function midnightOf(name: string, date: string, timeZone: string): string {
  try {
    return Temporal.PlainDate.from(date).toZonedDateTime(timeZone).toInstant().toString()
  } catch {
    return invalid(`/query/${name}`, 'is not a day of the calendar')
  }
}

const zoned = (moment: Date, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone)

const endOfRunning = (by: Period, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime =>
  by === 'day'
    ? now.add({ days: 1 }).startOfDay()
    : zoned(new Date((Math.floor(now.epochMilliseconds / HOUR_MS) + 1) * HOUR_MS), now.timeZoneId)
