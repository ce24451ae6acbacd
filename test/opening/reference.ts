import pg from 'pg'
import { expect, inject } from 'vitest'
import { DAYS, isWithinHours, type MonitoredHours, nextChange } from '../../src/account/hours.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
const HALF_HOUR = 30

/** Helsinki as most; Stockholm an hour west; Santiago, whose clocks change at midnight; Lord Howe, where they change by half an hour. */
export const ZONES = ['Europe/Helsinki', 'Europe/Stockholm', 'America/Santiago', 'Australia/Lord_Howe']

type Spans = [from: string, to: string][]

function hoursOf(week: Spans[], exceptions: Record<string, Spans> = {}): MonitoredHours {
  const spans = (list: Spans) => list.map(([from, to]) => ({ from, to }))
  return {
    week: Object.fromEntries(DAYS.map((day, at) => [day, spans(week[at] ?? [])])) as MonitoredHours['week'],
    exceptions: Object.entries(exceptions).map(([date, list]) => ({ date, spans: spans(list) })),
  }
}

const every = (...spans: Spans): Spans[] => DAYS.map(() => spans)

/** What a clinic may ask for: a day with its lunch and holidays, nights, round the clock, and hours in the very hour that is skipped or repeated. */
export const PATTERNS: Record<string, MonitoredHours> = {
  'by day, with lunch and holidays': hoursOf(
    [
      [
        ['08:00', '11:30'],
        ['12:15', '16:00'],
      ],
      [['08:00', '16:00']],
      [['08:00', '16:00']],
      [['08:00', '18:00']],
      [['07:30', '14:00']],
      [],
      [],
    ],
    {
      '2026-12-24': [['08:00', '12:00']],
      '2026-12-25': [],
      '2027-01-01': [],
      '2027-06-25': [],
      '2028-02-29': [['10:00', '11:00']],
    },
  ),
  'by night, past midnight': hoursOf(
    [
      [['20:00', '06:30']],
      [['20:00', '06:30']],
      [['20:00', '06:30']],
      [['20:00', '06:30']],
      [['18:00', '24:00']],
      [['00:00', '24:00']],
      [
        ['00:00', '06:30'],
        ['22:15', '05:45'],
      ],
    ],
    { '2026-12-31': [['23:59', '00:01']], '2027-10-31': [['00:00', '00:00']] },
  ),
  'in the hours that clocks skip and repeat': hoursOf(
    every(['00:00', '00:30'], ['01:45', '02:15'], ['02:30', '03:30'], ['23:30', '24:00']),
  ),
}

/** Every so many minutes of some time: the wall clock of the zone as PostgreSQL's own calendar has it, in minutes since 1970 as if it were UTC. */
async function wallClock(zone: string, fromMs: number, toMs: number, stepMinutes = 1): Promise<number[]> {
  const client = new pg.Client({ connectionString: inject('serverUrl') })
  await client.connect()
  try {
    const { rows } = await client.query({
      text: `select (extract(epoch from (at at time zone $1)) / 60)::int from generate_series($2::timestamptz, $3::timestamptz - interval '1 minute', $4 * interval '1 minute') at`,
      values: [zone, new Date(fromMs), new Date(toMs), stepMinutes],
      rowMode: 'array',
    })
    return rows.map(([minute]) => minute)
  } finally {
    await client.end()
  }
}

const dayOf = (wall: number): number => Math.floor(wall / DAY_MINUTES)
const minuteOf = (text: string): number => Number(text.split(':')[0]) * 60 + Number(text.split(':')[1])

/** Paints the minutes of the wall calendar at which the hours hold, day after day, as one would with a marker on paper. */
function painted(hours: MonitoredHours, firstWall: number, lastWall: number): (wall: number) => boolean {
  const first = dayOf(firstWall) - 1
  const paper = new Uint8Array((dayOf(lastWall) - first + 3) * DAY_MINUTES)
  for (let day = first; day <= dayOf(lastWall); day++) {
    const date = new Date(day * DAY_MINUTES * MINUTE_MS)
    const name = DAYS[(date.getUTCDay() + 6) % 7] ?? 'monday'
    const exception = hours.exceptions.find((one) => one.date === date.toISOString().slice(0, 10))
    for (const { from, to } of exception ? exception.spans : hours.week[name]) {
      let minute = minuteOf(from)
      do paper[(day - first) * DAY_MINUTES + minute++] = 1
      while (minute % DAY_MINUTES !== minuteOf(to) % DAY_MINUTES)
    }
  }
  return (wall) => paper[wall - first * DAY_MINUTES] === 1
}

/** Holds the hours against the reference at every minute, and what they say of the next change at every change. */
export async function compare(zone: string, hours: MonitoredHours, from: string, to: string): Promise<number> {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  const walls = await wallClock(zone, fromMs, toMs)
  const isOpen = painted(hours, Math.min(...ends(walls)), Math.max(...ends(walls)))
  const at = (minute: number) => Temporal.Instant.fromEpochMilliseconds(fromMs + minute * MINUTE_MS)
  const wrong: string[] = []
  let lastChange = 0
  for (const [minute, wall] of walls.entries()) {
    const open = isOpen(wall)
    if (isWithinHours(hours, zone, at(minute)) !== open)
      wrong.push(`${at(minute)} should be ${open ? 'open' : 'closed'}`)
    if (minute > 0 && open !== isOpen(walls[minute - 1] ?? 0)) {
      const told = nextChange(hours, zone, at(lastChange))
      if (told?.epochMilliseconds !== at(minute).epochMilliseconds)
        wrong.push(`after ${at(lastChange)} comes ${at(minute)}, not ${told}`)
      lastChange = minute
    }
    if (wrong.length > 5) break
  }
  expect(wrong, zone).toEqual([])
  return walls.length
}

const ends = (walls: readonly number[]): number[] => [walls[0] ?? 0, walls.at(-1) ?? 0]

/** A day before and a day after each change of the zone's clocks in a year. */
export async function changesIn(zone: string, year: number): Promise<[from: string, to: string][]> {
  const [fromMs, toMs] = [Date.UTC(year), Date.UTC(year + 1)]
  const walls = await wallClock(zone, fromMs, toMs, HALF_HOUR)
  const jumps = walls.flatMap((wall, at) => (at > 0 && wall - (walls[at - 1] ?? 0) !== HALF_HOUR ? [at] : []))
  const aDayFrom = (half: number, days: number) =>
    new Date(fromMs + (half * HALF_HOUR + days * DAY_MINUTES) * MINUTE_MS)
  return jumps.map((half) => [aDayFrom(half, -1).toISOString(), aDayFrom(half, 1).toISOString()])
}
