import Holidays from 'date-holidays'
import { describe, expect, test } from 'vitest'
import { HOLIDAY_COUNTRIES, type HolidayCountry, holidayOn } from './holidays.ts'

const FIRST_YEAR = 2020
const LAST_YEAR = 2060

function daysOf(country: HolidayCountry, withEves: boolean, year: number): string[] {
  const days: string[] = []
  for (let date = new Temporal.PlainDate(year, 1, 1); date.year === year; date = date.add({ days: 1 }))
    if (holidayOn(country, withEves, date)) days.push(date.toString())
  return days
}

/** The library's own days of a kind. In Finland it counts New Year's Eve as an eve off, which it is only at banks. */
function libraryDays(country: HolidayCountry, kinds: readonly string[], year: number): string[] {
  const days = new Holidays(country)
    .getHolidays(year)
    .filter(({ type }) => kinds.includes(type))
    .map(({ date }) => date.slice(0, 10))
    .filter((date) => !(country === 'FI' && date.endsWith('-12-31')))
  return [...new Set(days)].sort()
}

describe.each(HOLIDAY_COUNTRIES)('holidays of %s', (country) => {
  test(`are those of the library in every year from ${FIRST_YEAR} to ${LAST_YEAR}, with and without eves`, () => {
    for (let year = FIRST_YEAR; year <= LAST_YEAR; year++) {
      expect(daysOf(country, false, year), `${year}`).toEqual(libraryDays(country, ['public'], year))
      expect(daysOf(country, true, year), `${year} with eves`).toEqual(libraryDays(country, ['public', 'bank'], year))
    }
  })
})

/** From published calendars. */
test.each([
  ['FI', '2026-04-03', 'pitkäperjantai'],
  ['FI', '2026-06-19', 'juhannusaatto'],
  ['FI', '2026-06-20', 'juhannuspäivä'],
  ['FI', '2027-06-25', 'juhannusaatto'],
  ['FI', '2026-10-31', 'pyhäinpäivä'],
  ['FI', '2027-11-06', 'pyhäinpäivä'],
  ['FI', '2028-05-25', 'helatorstai'],
  ['FI', '2026-12-06', 'itsenäisyyspäivä'],
  ['NO', '2026-04-02', 'skjærtorsdag'],
  ['NO', '2026-05-25', 'andre pinsedag'],
  ['NO', '2027-05-17', 'grunnlovsdagen, andre pinsedag'],
  ['NO', '2038-04-25', 'første påskedag'], // the latest day that Easter can have
  ['SE', '2024-06-21', 'midsommarafton'],
  ['SE', '2025-11-01', 'alla helgons dag'],
  ['SE', '2029-04-02', 'annandag påsk'],
  ['SE', '2027-06-06', 'nationaldagen'],
] as const)('%s %s is %s', (country, date, name) => {
  expect(holidayOn(country, true, Temporal.PlainDate.from(date))).toBe(name)
})

test('an eve is a holiday only where eves are wanted, and a working day never', () => {
  const midsummerEve = Temporal.PlainDate.from('2027-06-25')
  expect(holidayOn('FI', false, midsummerEve)).toBeNull()
  expect(holidayOn('SE', true, midsummerEve)).toBe('midsommarafton')
  expect(holidayOn('NO', true, midsummerEve)).toBeNull()
  expect(holidayOn('FI', true, Temporal.PlainDate.from('2026-12-31'))).toBeNull()
})
