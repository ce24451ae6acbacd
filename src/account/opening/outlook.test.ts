import { describe, expect, test } from 'vitest'
import type { AccessRow } from '../../store/access.ts'
import type { ClosedReason, SeenAccess } from '../access.ts'
import { type Cap, DAYS, type MonitoredHours } from '../hours.ts'
import { outlookOf } from './outlook.ts'
import { daysAhead } from './preview.ts'

const ZONE = 'Europe/Helsinki'
const OFFICE: MonitoredHours = {
  week: {
    ...(Object.fromEntries(DAYS.map((day) => [day, [{ from: '08:00', to: '16:00' }]])) as MonitoredHours['week']),
    saturday: [],
    sunday: [{ from: '10:00', to: '12:00' }],
  },
  exceptions: [],
}
const date = (text: string): Date => new Date(Temporal.PlainDateTime.from(text).toZonedDateTime(ZONE).epochMilliseconds)
const local = (at: Date | null | undefined): string | undefined =>
  at ? Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(ZONE).toString().slice(0, 16) : undefined

/** An account as it is seen at a local moment; whether it is open is what the caller says the gate decided. */
function seenAt(now: string, open: true | ClosedReason, given: Partial<AccessRow> & { cap?: Cap } = {}): SeenAccess {
  const { cap = null, ...rest } = given
  const row: AccessRow = {
    active: true,
    time_zone: ZONE,
    monitored_hours: OFFICE,
    now: date(now),
    kind: null,
    closed_reason: null,
    until: null,
    at: null,
    was_below: null,
    seen: '',
    ...rest,
    cap,
  }
  const closedReason = open === true ? null : open
  const state = { active: true, open: open === true, closedReason, opensAt: null, timeZone: ZONE }
  return { state, row, seen: '', cap, midnight: date(now.slice(0, 10)) }
}

describe('why it is open or closed, since when, and what comes next', () => {
  const told = (seen: SeenAccess, recorded: Parameters<typeof outlookOf>[1] = null) => {
    const { because, since, next, holds, closedUntil } = outlookOf(seen, recorded)
    return {
      because,
      since: local(since),
      next: next && `${next.open ? 'opens' : 'closes'} ${local(next.at)}`,
      holds: holds.map(({ against, until }) => `${against} ${local(until)}`),
      closedUntil: local(closedUntil),
    }
  }

  test('by the hours', () => {
    expect(told(seenAt('2026-11-16T10:00', true))).toEqual({
      because: 'within-hours',
      since: '2026-11-16T08:00',
      next: 'closes 2026-11-16T16:00',
      holds: [],
    })
    expect(told(seenAt('2026-11-20T18:00', 'OutsideMonitoredHours'))).toMatchObject({
      because: 'outside-hours',
      since: '2026-11-20T16:00',
      next: 'opens 2026-11-22T10:00',
    })
    expect(told(seenAt('2026-11-16T10:00', true, { monitored_hours: null }))).toMatchObject({
      because: 'no-limits',
      since: undefined,
      next: null,
    })
  })

  test('a manual opening says until when it holds: against hours until they change, and then they go on', () => {
    const opened = { kind: 'opened', at: date('2026-11-16T20:00') } as const
    expect(told(seenAt('2026-11-16T21:00', true, opened))).toEqual({
      because: 'opened-by-hand',
      since: '2026-11-16T20:00',
      next: 'closes 2026-11-17T16:00', // at 08:00 the hours take over, and it stays open
      holds: ['hours 2026-11-17T08:00'],
    })
    expect(told(seenAt('2026-11-17T09:00', true, opened)).holds).toEqual([])
    expect(told(seenAt('2026-11-16T21:00', true, { ...opened, cap: { kind: 'daily', most: 5 } })).holds).toEqual([
      'hours 2026-11-17T08:00',
      'daily-cap 2026-11-17T00:00',
    ])
    const ongoing: Cap = { kind: 'ongoing', most: 5 }
    expect(told(seenAt('2026-11-17T09:00', true, { ...opened, was_below: false, cap: ongoing })).holds).toEqual([
      'ongoing-cap undefined',
    ])
    expect(told(seenAt('2026-11-17T09:00', true, { ...opened, was_below: true, cap: ongoing })).holds).toEqual([])
  })

  test('a manual closing holds until its end, and what comes then is the hours', () => {
    const closed = { kind: 'closed', closed_reason: 'Other', at: date('2026-11-16T10:00') } as const
    expect(told(seenAt('2026-11-16T11:00', 'Other', closed))).toMatchObject({
      because: 'closed-by-hand',
      since: '2026-11-16T10:00',
      next: null,
    })
    const untilNoon = { ...closed, until: date('2026-11-16T12:00') }
    expect(told(seenAt('2026-11-16T11:00', 'Other', untilNoon))).toMatchObject({
      closedUntil: '2026-11-16T12:00',
      next: 'opens 2026-11-16T12:00',
    })
    const untilNight = { ...closed, until: date('2026-11-16T22:00') }
    expect(told(seenAt('2026-11-16T11:00', 'Other', untilNight)).next).toBe('opens 2026-11-17T08:00')
    expect(told(seenAt('2026-11-16T13:00', true, untilNoon))).toMatchObject({
      because: 'within-hours',
      since: '2026-11-16T12:00',
    })
  })

  test('by a cap: a daily one ends at midnight, when an ongoing one ends is not known', () => {
    const recorded = { closed_reason: 'CapLimitReached', at: date('2026-11-16T11:00') }
    const daily: Cap = { kind: 'daily', most: 5 }
    expect(told(seenAt('2026-11-16T12:00', 'CapLimitReached', { cap: daily }), recorded)).toMatchObject({
      because: 'cap',
      since: '2026-11-16T11:00',
      next: 'opens 2026-11-17T08:00',
    })
    const ongoing: Cap = { kind: 'ongoing', most: 5 }
    expect(told(seenAt('2026-11-16T12:00', 'CapLimitReached', { cap: ongoing }))).toMatchObject({
      since: undefined,
      next: null,
    })
  })
})

describe('the days ahead', () => {
  const lines = (seen: SeenAccess, days = 14) =>
    daysAhead(seen, days).map(({ date: on, day, hours, open, holiday, isException, clockChange }) =>
      [
        `${on} ${day.slice(0, 3)}`,
        hours.map(({ from, to }) => `${from.toString().slice(11, 16)}–${to.toString().slice(11, 16)}`).join(' '),
        open.map(({ from, to }) => `${from.toString().slice(11, 16)}–${to.toString().slice(11, 16)}`).join(' '),
        holiday ?? '',
        isException ? 'exception' : '',
        clockChange ? `${clockChange.from}→${clockChange.to}` : '',
      ].join('|'),
    )

  test('show hours, exceptions and holidays by name; an exception comes before a holiday', () => {
    const hours: MonitoredHours = {
      ...OFFICE,
      exceptions: [
        { date: '2026-12-25', spans: [{ from: '12:00', to: '14:00' }] },
        { date: '2026-12-28', spans: [] },
      ],
      holidays: { country: 'FI', hours: 'closed', eves: true },
    }
    expect(lines(seenAt('2026-12-23T09:00', true, { monitored_hours: hours }), 6)).toEqual([
      '2026-12-23 wed|08:00–16:00|09:00–16:00|||',
      '2026-12-24 thu|||jouluaatto||',
      '2026-12-25 fri|12:00–14:00|12:00–14:00|joulupäivä|exception|',
      '2026-12-26 sat|||tapaninpäivä||',
      '2026-12-27 sun|10:00–12:00|10:00–12:00|||',
      '2026-12-28 mon||||exception|',
    ])
    const sundays: MonitoredHours = { ...OFFICE, holidays: { country: 'SE', hours: 'sunday' } }
    expect(lines(seenAt('2027-01-05T09:00', true, { monitored_hours: sundays }), 2)).toEqual([
      '2027-01-05 tue|08:00–16:00|09:00–16:00|||',
      '2027-01-06 wed|10:00–12:00|10:00–12:00|trettondedag jul||',
    ])
  })

  test('show when the clocks are set, and that the day is shorter or longer by it', () => {
    const always = { monitored_hours: null }
    const [, spring] = daysAhead(seenAt('2027-03-27T09:00', true, always), 2)
    expect([String(spring?.clockChange?.from), String(spring?.clockChange?.to)]).toEqual(['03:00:00', '04:00:00'])
    expect(spring?.hours[0]?.to.since(spring.hours[0].from).total('hours')).toBe(23)
    const [, autumn] = daysAhead(seenAt('2027-10-30T09:00', true, always), 2)
    expect([String(autumn?.clockChange?.from), String(autumn?.clockChange?.to)]).toEqual(['04:00:00', '03:00:00'])
    expect(autumn?.hours[0]?.to.since(autumn.hours[0].from).total('hours')).toBe(25)
  })

  test('show what was done by hand beside the hours', () => {
    const closed = { kind: 'closed', at: date('2026-11-16T09:30'), until: date('2026-11-17T10:00') } as const
    expect(lines(seenAt('2026-11-16T10:00', 'Other', closed), 3)).toEqual([
      '2026-11-16 mon|08:00–16:00||||',
      '2026-11-17 tue|08:00–16:00|10:00–16:00|||',
      '2026-11-18 wed|08:00–16:00|08:00–16:00|||',
    ])
    const opened = { kind: 'opened', at: date('2026-11-16T20:00') } as const
    expect(lines(seenAt('2026-11-16T21:00', true, opened), 2)).toEqual([
      '2026-11-16 mon|08:00–16:00|21:00–00:00|||',
      '2026-11-17 tue|08:00–16:00|00:00–16:00|||',
    ])
  })
})
