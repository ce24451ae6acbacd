export const HOLIDAY_COUNTRIES = ['FI', 'NO', 'SE'] as const
export type HolidayCountry = (typeof HOLIDAY_COUNTRIES)[number]

type When =
  | { kind: 'fixed'; month: number; day: number }
  | { kind: 'easter'; days: number }
  /** The first such weekday from a date on; Monday is 1. */
  | { kind: 'weekday'; weekday: number; month: number; day: number }

type Holiday = { name: string; when: When; isEve?: true }

const on = (month: number, day: number): When => ({ kind: 'fixed', month, day })
const easter = (days: number): When => ({ kind: 'easter', days })
const friday = (month: number, day: number): When => ({ kind: 'weekday', weekday: 5, month, day })
const saturday = (month: number, day: number): When => ({ kind: 'weekday', weekday: 6, month, day })
const eve = (name: string, when: When): Holiday => ({ name, when, isEve: true })

/**
 * Public holidays as the laws stand in 2026, named as people there name them. Eves are no holidays by law, but most
 * offices are closed on them. A test compares the days with a library that is kept up to date.
 */
const HOLIDAYS: Record<HolidayCountry, readonly Holiday[]> = {
  FI: [
    { name: 'uudenvuodenpäivä', when: on(1, 1) },
    { name: 'loppiainen', when: on(1, 6) },
    { name: 'pitkäperjantai', when: easter(-2) },
    { name: 'pääsiäispäivä', when: easter(0) },
    { name: 'toinen pääsiäispäivä', when: easter(1) },
    { name: 'vappu', when: on(5, 1) },
    { name: 'helatorstai', when: easter(39) },
    { name: 'helluntaipäivä', when: easter(49) },
    eve('juhannusaatto', friday(6, 19)),
    { name: 'juhannuspäivä', when: saturday(6, 20) },
    { name: 'pyhäinpäivä', when: saturday(10, 31) },
    { name: 'itsenäisyyspäivä', when: on(12, 6) },
    eve('jouluaatto', on(12, 24)),
    { name: 'joulupäivä', when: on(12, 25) },
    { name: 'tapaninpäivä', when: on(12, 26) },
  ],
  NO: [
    { name: 'første nyttårsdag', when: on(1, 1) },
    { name: 'skjærtorsdag', when: easter(-3) },
    { name: 'langfredag', when: easter(-2) },
    { name: 'første påskedag', when: easter(0) },
    { name: 'andre påskedag', when: easter(1) },
    { name: 'arbeidernes dag', when: on(5, 1) },
    { name: 'Kristi himmelfartsdag', when: easter(39) },
    { name: 'grunnlovsdagen', when: on(5, 17) },
    { name: 'første pinsedag', when: easter(49) },
    { name: 'andre pinsedag', when: easter(50) },
    eve('julaften', on(12, 24)),
    { name: 'første juledag', when: on(12, 25) },
    { name: 'andre juledag', when: on(12, 26) },
    eve('nyttårsaften', on(12, 31)),
  ],
  SE: [
    { name: 'nyårsdagen', when: on(1, 1) },
    { name: 'trettondedag jul', when: on(1, 6) },
    { name: 'långfredagen', when: easter(-2) },
    { name: 'påskdagen', when: easter(0) },
    { name: 'annandag påsk', when: easter(1) },
    { name: 'första maj', when: on(5, 1) },
    { name: 'Kristi himmelsfärdsdag', when: easter(39) },
    { name: 'pingstdagen', when: easter(49) },
    { name: 'nationaldagen', when: on(6, 6) },
    eve('midsommarafton', friday(6, 19)),
    { name: 'midsommardagen', when: saturday(6, 20) },
    { name: 'alla helgons dag', when: saturday(10, 31) },
    eve('julafton', on(12, 24)),
    { name: 'juldagen', when: on(12, 25) },
    { name: 'annandag jul', when: on(12, 26) },
    eve('nyårsafton', on(12, 31)),
  ],
}

/** The name of the public holiday on a date, both names where two meet; null on any other day. */
export function holidayOn(country: HolidayCountry, withEves: boolean, date: Temporal.PlainDate): string | null {
  const daysFromEaster = date.since(easterSunday(date.year)).days
  const names = HOLIDAYS[country]
    .filter(({ when, isEve }) => (withEves || !isEve) && isOn(when, date, daysFromEaster))
    .map(({ name }) => name)
  return names.length > 0 ? names.join(', ') : null
}

function isOn(when: When, date: Temporal.PlainDate, daysFromEaster: number): boolean {
  switch (when.kind) {
    case 'fixed':
      return date.month === when.month && date.day === when.day
    case 'easter':
      return daysFromEaster === when.days
    case 'weekday': {
      if (date.dayOfWeek !== when.weekday) return false
      const daysAfter = date.since({ year: date.year, month: when.month, day: when.day }).days
      return daysAfter >= 0 && daysAfter < 7
    }
  }
}

/** Easter Sunday of the Gregorian calendar, by the algorithm of Meeus. */
function easterSunday(year: number): Temporal.PlainDate {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const leapOfCentury = Math.floor(century / 4)
  const moonOfCentury = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - leapOfCentury - moonOfCentury + 15) % 30
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451)
  const dayFromMarch = epact + toSunday - 7 * late + 114
  return new Temporal.PlainDate(year, Math.floor(dayFromMarch / 31), (dayFromMarch % 31) + 1)
}
