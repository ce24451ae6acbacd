import type { Because, Hold, Outlook } from '../../account/opening/outlook.ts'
import type { DayAhead, Stretch } from '../../account/opening/preview.ts'
import type { AccountRow } from '../../store/accounts.ts'
import { fields, table } from '../print.ts'

const WHY: Record<Because, string> = {
  'closed-by-hand': 'closed by hand',
  'outside-hours': 'outside the hours',
  cap: 'the cap is reached',
  'opened-by-hand': 'opened by hand',
  'within-hours': 'within the hours',
  'no-limits': 'there are no hours',
}

const HELD: Record<Hold['against'], string> = {
  hours: 'the hours',
  'daily-cap': 'the daily cap',
  'ongoing-cap': 'the cap of ongoing sessions',
}

export function outlookText(name: string, outlook: Outlook): string {
  const { active, open, closedReason, timeZone, because, since, closedUntil, holds, holiday, next } = outlook
  const local = (moment: Date) => localText(moment, timeZone)
  return fields([
    ['account', name],
    ['users', active ? 'are let in when it is open' : 'are not let in: the account is out of service'],
    ['state', open ? 'open' : `closed (${closedReason})`],
    ['because', `${WHY[because]}${holiday ? `; today is ${holiday}` : ''}`],
    ['since', since ? local(since) : because === 'cap' ? 'a moment ago' : 'the beginning'],
    ...(because === 'closed-by-hand'
      ? [['holds', closedUntil ? `until ${local(closedUntil)}` : 'until it is opened by hand'] as const]
      : []),
    ...holds.map((hold) => ['holds', `against ${HELD[hold.against]} ${untilText(hold, local)}`] as const),
    ['next change', next ? `${next.open ? 'opens' : 'closes'} ${local(next.at)}` : 'none is known'],
    ['time zone', timeZone],
  ])
}

const untilText = ({ against, until }: Hold, local: (moment: Date) => string): string =>
  until ? `until ${local(until)}` : against === 'hours' ? 'for good' : 'until fewer than the cap go on'

function localText(moment: Date, timeZone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone)
  return `${local.toLocaleString('en', { weekday: 'short' })} ${local.toPlainDate()} ${wallTime(local)}`
}

export function previewText({ name, time_zone }: AccountRow, days: readonly DayAhead[]): string {
  const rows = table(
    days,
    [
      ['date', ({ date }) => date.toString()],
      ['day', ({ day }) => day.slice(0, 3)],
      ['hours', ({ hours }) => stretchesText(hours)],
      ['remarks', remarksText],
    ],
    'There are no days.',
  )
  return `${name}, ${time_zone}\n\n${rows}`
}

const stretchesText = (stretches: readonly Stretch[]): string =>
  stretches.map(({ from, to }) => `${wallTime(from)}–${endTime(from, to)}`).join(' ') || 'closed'

const minuteText = (time: Temporal.PlainTime): string => time.toString({ smallestUnit: 'minute' })
const wallTime = (moment: Temporal.ZonedDateTime): string => minuteText(moment.toPlainTime())

/** The end of a day is 24:00 of it, not 00:00 of the next. */
const endTime = (from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime): string =>
  to.toPlainDate().equals(from.toPlainDate()) ? wallTime(to) : '24:00'

function remarksText(day: DayAhead): string {
  const { holiday, isException, clockChange } = day
  return [
    holiday,
    isException && 'exception',
    clockChange &&
      `clocks ${isForward(clockChange) ? 'forward' : 'back'} ${minuteText(clockChange.from)} → ${minuteText(clockChange.to)}`,
    differs(day) && `by hand or cap: ${stretchesText(day.open)}`,
  ]
    .filter(Boolean)
    .join('; ')
}

const isForward = ({ from, to }: NonNullable<DayAhead['clockChange']>): boolean =>
  Temporal.PlainTime.compare(from, to) < 0

/** Whether what will be differs from the hours. Of today only what is left counts. */
function differs({ hours, open, begin }: DayAhead): boolean {
  const left = hours
    .filter(({ to }) => Temporal.ZonedDateTime.compare(to, begin) > 0)
    .map(({ from, to }) => ({ from: Temporal.ZonedDateTime.compare(from, begin) < 0 ? begin : from, to }))
  return stretchesJson(left) !== stretchesJson(open)
}

const stretchesJson = (stretches: readonly Stretch[]): string =>
  stretches.map(({ from, to }) => `${from.toInstant()} ${to.toInstant()}`).join()

const asJson = ({ from, to }: Stretch) => ({
  from: from.toString({ timeZoneName: 'never' }),
  to: to.toString({ timeZoneName: 'never' }),
})

export const previewJson = ({ id, name, time_zone }: AccountRow, days: readonly DayAhead[]) => ({
  id,
  name,
  timeZone: time_zone,
  days: days.map(({ date, day, hours, open, holiday, isException, clockChange }) => ({
    date: date.toString(),
    day,
    hours: hours.map(asJson),
    open: open.map(asJson),
    holiday,
    isException,
    clockChange: clockChange && { from: minuteText(clockChange.from), to: minuteText(clockChange.to) },
  })),
})
