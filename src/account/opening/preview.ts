import type { Core } from '../../events/core.ts'
import { instantOf, type SeenAccess, seeAccess } from '../access.ts'
import { candidatesOn, DAYS, exceptionOn, holidayIn, isWithinHours, nextChange } from '../hours.ts'
import { type Course, courseOf, isOpenAt } from './outlook.ts'

type Day = (typeof DAYS)[number]
type Moment = Temporal.ZonedDateTime

/** An open stretch of a local day, from its first moment to the first moment after it. */
export type Stretch = { from: Moment; to: Moment }

/** One local day as it will be, as far as it is decided today: caps, and what someone does by hand later, are not. */
export type DayAhead = {
  date: Temporal.PlainDate
  day: Day
  /** By the hours alone; the whole day where there are none. */
  hours: Stretch[]
  /** With what was done by hand, and a cap that is reached; of the first day, what is left of it. */
  open: Stretch[]
  /** Where `open` begins: midnight, or now. */
  begin: Moment
  holiday: string | null
  isException: boolean
  /** The clock is set during this day: what it shows before, and what after. */
  clockChange: { from: Temporal.PlainTime; to: Temporal.PlainTime } | null
}

/** The days to come, today first, in the account's time zone. */
export const accessPreview = async (core: Core, accountId: string, days: number): Promise<DayAhead[]> =>
  daysAhead(await seeAccess(core, accountId), days)

export function daysAhead(seen: SeenAccess, days: number): DayAhead[] {
  const course = courseOf(seen)
  const today = course.now.toZonedDateTimeISO(course.timeZone).toPlainDate()
  return Array.from({ length: days }, (_, at) => dayAhead(course, today.add({ days: at })))
}

function dayAhead(course: Course, date: Temporal.PlainDate): DayAhead {
  const { hours, timeZone, now } = course
  const moments = momentsOf(course, date)
  const ahead = moments.filter((moment) => Temporal.Instant.compare(moment, now) > 0)
  const toCome = ahead.length < moments.length ? [now, ...ahead] : moments
  return {
    date,
    day: DAYS[date.dayOfWeek - 1] ?? 'monday',
    hours: stretches(timeZone, moments, (at) => !hours || isWithinHours(hours, timeZone, at)),
    open: stretches(timeZone, toCome, (at) => isOpenAt(course, at)),
    begin: (toCome[0] ?? now).toZonedDateTimeISO(timeZone),
    holiday: hours && holidayIn(hours, date),
    isException: hours !== null && exceptionOn(hours, date) !== null,
    clockChange: clockChangeOn(timeZone, date),
  }
}

/** Every moment of the day at which something can change, with its beginning and its end. */
function momentsOf({ row, hours, timeZone, full }: Course, date: Temporal.PlainDate): Temporal.Instant[] {
  const begin = date.toZonedDateTime(timeZone).toInstant()
  const end = date.add({ days: 1 }).toZonedDateTime(timeZone).toInstant()
  const lapse = hours && row.kind === 'opened' && row.at && nextChange(hours, timeZone, instantOf(row.at))
  const inner = [
    hours ? candidatesOn(hours, timeZone, date) : [],
    row.until && instantOf(row.until),
    lapse,
    full?.until,
  ]
    .flat()
    .filter((moment) => moment instanceof Temporal.Instant)
    .filter((at) => Temporal.Instant.compare(at, begin) > 0 && Temporal.Instant.compare(at, end) < 0)
    .sort(Temporal.Instant.compare)
  return [begin, ...inner, end]
}

/** The open ones of the stretches between the moments, with neighbours as one. */
function stretches(
  timeZone: string,
  moments: readonly Temporal.Instant[],
  isOpen: (at: Temporal.Instant) => boolean,
): Stretch[] {
  const found: Stretch[] = []
  moments.slice(0, -1).forEach((moment, at) => {
    if (!isOpen(moment)) return
    const from = moment.toZonedDateTimeISO(timeZone)
    const to = (moments[at + 1] ?? moment).toZonedDateTimeISO(timeZone)
    const last = found.at(-1)
    if (last?.to.equals(from)) last.to = to
    else if (!from.equals(to)) found.push({ from, to })
  })
  return found
}

function clockChangeOn(timeZone: string, date: Temporal.PlainDate): DayAhead['clockChange'] {
  const change = date.toZonedDateTime(timeZone).subtract({ nanoseconds: 1 }).getTimeZoneTransition('next')
  if (!change?.toPlainDate().equals(date)) return null
  const { offset } = change.subtract({ nanoseconds: 1 })
  return { from: change.toInstant().toZonedDateTimeISO(offset).toPlainTime(), to: change.toPlainTime() }
}
