import { expect, test } from 'vitest'
import { DAYS, hoursFaults, isWithinHours, type MonitoredHours, nextChange } from './hours.ts'

const everyDay = (from: string, to: string): MonitoredHours => ({
  week: Object.fromEntries(DAYS.map((day) => [day, [{ from, to }]])) as MonitoredHours['week'],
  exceptions: [],
})
const at = (text: string) => Temporal.Instant.from(text)

/** Every minute of a local day with its wall-clock time and whether the hours hold, run-length encoded. */
function dayTable(hours: MonitoredHours, zone: string, date: string): string[] {
  const start = Temporal.PlainDate.from(date).toZonedDateTime(zone)
  const end = start.add({ days: 1 })
  const runs: string[] = []
  let before: boolean | null = null
  for (
    let moment = start.toInstant();
    Temporal.Instant.compare(moment, end.toInstant()) < 0;
    moment = moment.add({ minutes: 1 })
  ) {
    const open = isWithinHours(hours, zone, moment)
    if (open !== before)
      runs.push(`${open ? 'open' : 'closed'} from ${moment.toZonedDateTimeISO(zone).toString().slice(11, 22)}`)
    before = open
  }
  return runs
}

test('F27: hours in the gap of a spring night open at its end', () => {
  expect(dayTable(everyDay('02:30', '03:30'), 'Europe/Stockholm', '2027-03-28')).toEqual([
    'closed from 00:00:00+01',
    'open from 03:00:00+02',
    'closed from 03:30:00+02',
  ])
})

test('F27: hours in the overlap of an autumn night count in both passes', () => {
  expect(dayTable(everyDay('02:30', '03:30'), 'Europe/Stockholm', '2027-10-31')).toEqual([
    'closed from 00:00:00+02',
    'open from 02:30:00+02',
    'closed from 02:00:00+01',
    'open from 02:30:00+01',
    'closed from 03:30:00+01',
  ])
})

const HOURS: MonitoredHours[] = [
  everyDay('08:00', '16:00'),
  everyDay('22:00', '06:00'),
  everyDay('00:00', '24:00'),
  everyDay('01:30', '02:30'),
  {
    ...everyDay('09:00', '17:00'),
    exceptions: [
      { date: '2027-12-24', spans: [] },
      { date: '2027-03-28', spans: [{ from: '02:15', to: '24:00' }] },
    ],
  },
]

/** The next change is exactly where a walk over every minute finds it, also over both clock changes. */
function isWhereAWalkFindsIt(zone: string): void {
  for (const hours of HOURS) {
    for (const from of [
      '2027-03-13T12:00Z',
      '2027-03-27T20:00Z',
      '2027-10-30T20:00Z',
      '2027-11-06T20:00Z',
      '2027-12-23T12:00Z',
    ]) {
      const start = at(from)
      const open = isWithinHours(hours, zone, start)
      let walked: Temporal.Instant | null = null
      for (let minute = 1; minute <= 3 * 1_440 && !walked; minute++) {
        const moment = start.add({ minutes: minute })
        if (isWithinHours(hours, zone, moment) !== open) walked = moment
      }
      const found = nextChange(hours, zone, start)
      if (walked) expect(found?.toString(), `${zone} ${from}`).toBe(walked.toString())
      else expect(found === null || Temporal.Instant.compare(found, start.add({ hours: 72 })) > 0).toBe(true)
    }
  }
}

test('F28: the next change is exactly where a walk over every minute finds it', () =>
  isWhereAWalkFindsIt('Europe/Helsinki'))

test.each(['Europe/Oslo', 'Europe/Stockholm', 'America/New_York'])(
  'F28: so it is in %s',
  { tags: 'thorough' },
  (zone) => isWhereAWalkFindsIt(zone),
)

test('B27: overlapping hours, unknown days and times are refused with a pointer', () => {
  expect(hoursFaults(everyDay('08:00', '16:00'))).toEqual([])
  expect(hoursFaults(everyDay('22:00', '06:00'))).toEqual([])
  expect(
    hoursFaults({
      ...everyDay('08:00', '16:00'),
      week: {
        ...everyDay('08:00', '16:00').week,
        monday: [
          { from: '08:00', to: '12:00' },
          { from: '11:00', to: '13:00' },
        ],
      },
    })[0]?.pointer,
  ).toBe('/monitoredHours/week/monday')
  expect(hoursFaults(everyDay('07:00', '08:00').week)[0]?.pointer).toMatch(/^\/monitoredHours/)
  expect(hoursFaults(everyDay('25:00', '26:00')).length).toBeGreaterThan(0)
  expect(
    hoursFaults({ ...everyDay('08:00', '16:00'), exceptions: [{ date: '2027-02-30', spans: [] }] })[0]?.message,
  ).toContain('2027-02-30')
})

test('a public holiday closes, or has the hours of a Sunday, and its next change is told', () => {
  const hours: MonitoredHours = {
    ...everyDay('08:00', '16:00'),
    holidays: { country: 'FI', hours: 'closed' },
  }
  expect(dayTable(hours, 'Europe/Helsinki', '2027-01-06')).toEqual(['closed from 00:00:00+02'])
  expect(nextChange(hours, 'Europe/Helsinki', at('2027-01-05T14:30Z'))).toEqual(at('2027-01-07T06:00Z'))
  const sunday: MonitoredHours = {
    week: { ...hours.week, sunday: [{ from: '10:00', to: '11:00' }] },
    exceptions: [{ date: '2027-03-26', spans: [{ from: '12:00', to: '13:00' }] }],
    holidays: { country: 'NO', hours: 'sunday', eves: false },
  }
  const open = (date: string) => dayTable(sunday, 'Europe/Oslo', date)[1]?.slice(0, 15)
  expect([open('2027-03-25'), open('2027-03-26'), open('2027-03-30')]).toEqual([
    'open from 10:00', // skjærtorsdag
    'open from 12:00', // langfredag, with hours of its own
    'open from 08:00',
  ])
  expect(hoursFaults(sunday)).toEqual([])
  expect(hoursFaults({ ...sunday, holidays: { country: 'DE', hours: 'closed' } })[0]?.pointer).toBe(
    '/monitoredHours/holidays/country',
  )
})
