import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Fault } from '../problems.ts'
import { HOLIDAY_COUNTRIES, holidayOn } from './opening/holidays.ts'
import { shapeFaults } from './shape-faults.ts'

export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const span = Type.Object(
  {
    from: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: ['08:00'] }),
    to: Type.String({ pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$', examples: ['16:00', '24:00'] }),
  },
  { additionalProperties: false },
)
const spans = Type.Array(span, { maxItems: 10 })

/** What a public holiday does: it has no hours, or those of a Sunday. With eves, also the eves on which most are closed. */
const holidays = Type.Object(
  {
    country: Type.Enum([...HOLIDAY_COUNTRIES]),
    hours: Type.Enum(['closed', 'sunday']),
    eves: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

/**
 * When the queue is staffed: spans of each weekday, exceptions, and public holidays. An exception comes before a
 * holiday, and both before the weekday. A span that ends before it begins runs past midnight.
 */
export const MonitoredHours = Type.Object(
  {
    week: Type.Object(
      Object.fromEntries(DAYS.map((day) => [day, spans])) as Record<(typeof DAYS)[number], typeof spans>,
      { additionalProperties: false },
    ),
    exceptions: Type.Array(
      Type.Object(
        { date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2027-12-24'] }), spans },
        { additionalProperties: false },
      ),
      { maxItems: 400 },
    ),
    holidays: Type.Optional(holidays),
  },
  { additionalProperties: false },
)
export type MonitoredHours = Static<typeof MonitoredHours>
type Span = Static<typeof span>

/** The most sessions an account takes over its OPEN configurations: entered per local day, or ongoing at once. */
export const Cap = Type.Object(
  { kind: Type.Enum(['daily', 'ongoing']), most: Type.Integer({ minimum: 1, maximum: 1_000_000 }) },
  { additionalProperties: false },
)
export type Cap = Static<typeof Cap>

const compiled = Compile(MonitoredHours)
const compiledCap = Compile(Cap)

/** Stored values were checked when written; one that is no longer valid counts as none, which is open. */
export const readHours = (value: unknown): MonitoredHours | null => (compiled.Check(value) ? value : null)
export const readCap = (value: unknown): Cap | null => (compiledCap.Check(value) ? value : null)

const MINUTES_A_DAY = 1_440

/** Minutes since midnight; an end at or before its beginning is on the next day. */
const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
const boundsOf = ({ from, to }: Span): [from: number, to: number] => {
  const [start, end] = [minutesOf(from), minutesOf(to)]
  return [start, end <= start ? end + MINUTES_A_DAY : end]
}

/** What is wrong with given hours, or nothing. Overlapping spans, also past midnight into the next day, are refused. */
export function hoursFaults(value: unknown): Fault[] {
  if (!compiled.Check(value))
    return shapeFaults(MonitoredHours, value).map(({ at, message }) => ({
      pointer: ['/monitoredHours', ...at].join('/'),
      message,
    }))
  const faults: Fault[] = []
  for (const { date } of value.exceptions) {
    try {
      Temporal.PlainDate.from(date, { overflow: 'reject' })
    } catch {
      faults.push({ pointer: '/monitoredHours/exceptions', message: `${date} is not a day of the calendar` })
    }
  }
  if (new Set(value.exceptions.map(({ date }) => date)).size < value.exceptions.length)
    faults.push({ pointer: '/monitoredHours/exceptions', message: 'a date is given twice' })
  DAYS.forEach((day, at) => {
    const next = DAYS[(at + 1) % DAYS.length] ?? 'monday'
    const today = value.week[day].map(boundsOf)
    const tomorrow = value.week[next]
      .map(boundsOf)
      .map(([from, to]): [number, number] => [from + MINUTES_A_DAY, to + MINUTES_A_DAY])
    if (overlap(today) || overlap([...today, ...tomorrow]))
      faults.push({ pointer: `/monitoredHours/week/${day}`, message: 'has spans that overlap' })
  })
  value.exceptions.forEach((exception, at) => {
    if (overlap(exception.spans.map(boundsOf)))
      faults.push({ pointer: `/monitoredHours/exceptions/${at}`, message: 'has spans that overlap' })
  })
  return faults
}

function overlap(bounds: readonly (readonly [number, number])[]): boolean {
  const sorted = [...bounds].sort(([a], [b]) => a - b)
  return sorted.some(([from], at) => at > 0 && from < (sorted[at - 1]?.[1] ?? 0))
}

export const exceptionOn = (hours: MonitoredHours, date: Temporal.PlainDate) =>
  hours.exceptions.find((exception) => exception.date === date.toString()) ?? null

/** The public holiday that the hours go by on a date, by name. */
export const holidayIn = ({ holidays }: MonitoredHours, date: Temporal.PlainDate): string | null =>
  holidays ? holidayOn(holidays.country, holidays.eves === true, date) : null

function spansOn(hours: MonitoredHours, date: Temporal.PlainDate): readonly Span[] {
  const exception = exceptionOn(hours, date)
  if (exception) return exception.spans
  if (holidayIn(hours, date) !== null) return hours.holidays?.hours === 'sunday' ? hours.week.sunday : []
  return hours.week[DAYS[date.dayOfWeek - 1] ?? 'monday']
}

/**
 * Whether the hours hold at a moment, by the local wall clock. So hours that fall into the gap of a spring night begin
 * at its end, and in the overlap of an autumn night both passes count.
 */
export function isWithinHours(hours: MonitoredHours, timeZone: string, at: Temporal.Instant): boolean {
  const local = at.toZonedDateTimeISO(timeZone)
  const minute = local.hour * 60 + local.minute
  const date = local.toPlainDate()
  const holds = (on: Temporal.PlainDate, wall: number) =>
    spansOn(hours, on)
      .map(boundsOf)
      .some(([from, to]) => wall >= from && wall < to)
  return holds(date, minute) || holds(date.subtract({ days: 1 }), minute + MINUTES_A_DAY)
}

const LOOK_AHEAD_DAYS = 400

/** The first moment after `at` at which the hours start or stop holding; null when they never change. */
export function nextChange(hours: MonitoredHours, timeZone: string, at: Temporal.Instant): Temporal.Instant | null {
  const before = isWithinHours(hours, timeZone, at)
  let date = at.toZonedDateTimeISO(timeZone).toPlainDate().subtract({ days: 1 })
  for (let day = 0; day <= LOOK_AHEAD_DAYS; day++, date = date.add({ days: 1 })) {
    for (const moment of candidatesOn(hours, timeZone, date)) {
      if (Temporal.Instant.compare(moment, at) > 0 && isWithinHours(hours, timeZone, moment) !== before) return moment
    }
  }
  return null
}

/** Every moment of a local day at which something could change: both readings of each wall time, and the clock change. */
export function candidatesOn(hours: MonitoredHours, timeZone: string, date: Temporal.PlainDate): Temporal.Instant[] {
  const walls = [
    ...spansOn(hours, date).flatMap(boundsOf),
    ...spansOn(hours, date.subtract({ days: 1 }))
      .flatMap(boundsOf)
      .map((minute) => minute - MINUTES_A_DAY),
  ]
  const moments = walls
    .filter((minute) => minute >= 0 && minute <= MINUTES_A_DAY)
    .flatMap((minute) => {
      const wall = date.toPlainDateTime().add({ minutes: minute })
      return (['earlier', 'later'] as const).map((disambiguation) =>
        wall.toZonedDateTime(timeZone, { disambiguation }).toInstant(),
      )
    })
  const jump = date.toZonedDateTime(timeZone).getTimeZoneTransition('next')
  if (jump?.toPlainDate().equals(date)) moments.push(jump.toInstant())
  return moments.sort(Temporal.Instant.compare)
}

/** The next moment from `from` on at which the hours hold; null when none is found. */
export function nextOpening(hours: MonitoredHours, timeZone: string, from: Temporal.Instant): Temporal.Instant | null {
  if (isWithinHours(hours, timeZone, from)) return from
  return nextChange(hours, timeZone, from)
}
