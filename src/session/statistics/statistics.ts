import type { Caller } from '../../account/callers.ts'
import { LEVELS } from '../../engine/content.ts'
import type { Core } from '../../events/core.ts'
import { type Period, readStatistics, type StatisticsRow } from '../../store/statistics/statistics.ts'
import { marksOf } from '../marks.ts'
import type { Releases } from '../releases.ts'
import { putTogether, SMALLEST, withheld } from './small-numbers.ts'

/** Whole hours, or whole days of the account's calendar. */
export type StatisticsRange = { start: Date; end: Date; by: Period }

type Spread = { p50: number; p90: number } | null
type Took = { durationSeconds: Spread; screens: Spread }
type Funnel = Took & { created: number; started: number; finished: number; left: number; erased: number }
/** Null is the groups that are too small to be told apart. */
type Group = Took & { value: string | null; finished: number }
type JudgementGroup = {
  complaint: string | null
  contentRelease: string | null
  judged: number
  agreed: number | null
  underTriaged: number | null
  overTriaged: number | null
}

export type Statistics = {
  start: string
  end: string
  by: Period
  timeZone: string
  smallestGroup: number
  total: Funnel
  periods: (Funnel & { start: string })[]
  urgencies: Group[]
  complaints: Group[]
  languages: Group[]
  judgements: JudgementGroup[]
}

const NO_COMPLAINT = 'none'
const UNKNOWN = 'unknown'
const NO_URGENCY = 'No urgency set'
const HOUR_MS = 3_600_000

/**
 * What became of the sessions that were created in a range. No group in it is smaller than may be told apart; yet two
 * requests compared can tell what one session was about, so each is an entry of the audit log.
 */
export async function readStatisticsOf(
  { core, releases }: { core: Core; releases: Releases },
  { accountId, configurationId, timeZone, keyId, slug }: Caller,
  range: StatisticsRange,
): Promise<Statistics> {
  await core.recorder.record({
    accountId,
    actor: `key:${keyId}`,
    action: 'statistics.read',
    subject: configurationId,
    detail: { configuration: slug, ...range },
  })
  const wish = { ...range, timeZone, judged: marksOf(core.keyring, accountId).judged() }
  const rows = await readStatistics(core.db.lists(accountId), accountId, configurationId, wish)
  const of = (part: StatisticsRow['part']) => rows.filter((row) => row.part === part)
  const names = await complaintNames(core, releases, accountId, of('release'))
  const complaintOf = ({ key }: StatisticsRow) => (key === null ? NO_COMPLAINT : (names.get(key) ?? UNKNOWN))
  const periods = new Map(of('period').map((row) => [Number(row.key), funnelOf(row)]))
  return {
    start: range.start.toISOString(),
    end: range.end.toISOString(),
    by: range.by,
    timeZone,
    smallestGroup: SMALLEST,
    total: funnelOf(of('total')[0]),
    periods: beginnings(wish).map((at) => ({ start: at.toISOString(), ...(periods.get(at.getTime()) ?? funnelOf()) })),
    urgencies: groups(of('urgency'), ({ key }) => (key === null ? NO_URGENCY : (LEVELS[Number(key) - 1] ?? UNKNOWN))),
    complaints: groups(of('complaint'), complaintOf),
    languages: groups(of('language'), ({ key }) => key ?? UNKNOWN),
    judgements: judgementGroups(of('judgement'), complaintOf),
  }
}

/** The complaints behind the hashes: those of the releases that the sessions ran on. */
async function complaintNames(
  core: Core,
  releases: Releases,
  accountId: string,
  used: readonly StatisticsRow[],
): Promise<ReadonlyMap<string, string>> {
  const versions = used.flatMap(({ release }) => release ?? [])
  const ids = new Set<string>()
  for (const version of versions) for (const id of await releases.complaintsOf(version)) ids.add(id)
  const marks = marksOf(core.keyring, accountId)
  return new Map([...ids].map((id) => [marks.complaint(id).toString('hex'), id]))
}

function funnelOf(row?: StatisticsRow): Funnel {
  return {
    created: row?.created ?? 0,
    started: row?.started ?? 0,
    finished: row?.finished ?? 0,
    left: row?.left_by_user ?? 0,
    erased: row?.erased ?? 0,
    ...tookOf(row),
  }
}

/** What a few sessions took says too much of each. */
function tookOf(row?: StatisticsRow, secondsTo = 1): Took {
  const spread = (given: StatisticsRow['seconds'], to: number): Spread => {
    const rounded = (value: number) => Number((Math.round(value / to) * to).toFixed(1))
    return row && row.finished >= SMALLEST && given ? { p50: rounded(given[0]), p90: rounded(given[1]) } : null
  }
  return { durationSeconds: spread(row?.seconds ?? null, secondsTo), screens: spread(row?.screens ?? null, 0.1) }
}

/** In a group to the minute: to the second it would be that of one session, which a list tells. */
const GROUP_SECONDS = 60

function groups(rows: readonly StatisticsRow[], nameOf: (row: StatisticsRow) => string): Group[] {
  const named = rows.map((row) => ({ count: row.finished, row, value: nameOf(row) }))
  const { shown, together } = putTogether(named.toSorted((a, b) => (a.value < b.value ? -1 : 1)))
  const rest = {
    value: null,
    finished: sumOf(together.map(({ count }) => count)),
    durationSeconds: null,
    screens: null,
  }
  return [
    ...shown.map(({ row, value }) => ({ value, finished: row.finished, ...tookOf(row, GROUP_SECONDS) })),
    ...(together.length > 0 ? [rest] : []),
  ]
}

/** There is no line for all of them: less the others it would tell the parts that one of them withholds. */
function judgementGroups(
  rows: readonly StatisticsRow[],
  complaintOf: (row: StatisticsRow) => string,
): JudgementGroup[] {
  const named = rows.map((row) => ({ count: row.finished, row, complaint: complaintOf(row) }))
  const { shown, together } = putTogether(named.toSorted((a, b) => (a.complaint < b.complaint ? -1 : 1)))
  const partsOf = ({ agreed, under, over }: StatisticsRow) => [agreed ?? 0, under ?? 0, over ?? 0] as const
  const line = (complaint: string | null, contentRelease: string | null, lines: readonly StatisticsRow[]) => {
    const sums = ([0, 1, 2] as const).map((at) => sumOf(lines.map((row) => partsOf(row)[at])))
    const [agreed = null, underTriaged = null, overTriaged = null] = withheld(sums)
    return { complaint, contentRelease, judged: sumOf(sums), agreed, underTriaged, overTriaged }
  }
  return [
    ...shown.map(({ row, complaint }) => line(complaint, row.release, [row])),
    ...(together.length > 0
      ? [
          line(
            null,
            null,
            together.map(({ row }) => row),
          ),
        ]
      : []),
  ]
}

/** When each hour or day of the range begins. A day has 23 to 25 hours. */
function beginnings({ start, end, by, timeZone }: StatisticsRange & { timeZone: string }): Date[] {
  if (by === 'hour')
    return Array.from({ length: (end.getTime() - start.getTime()) / HOUR_MS }, (_none, at) => {
      return new Date(start.getTime() + at * HOUR_MS)
    })
  const days: Date[] = []
  const first = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(timeZone)
  for (let day = first; day.epochMilliseconds < end.getTime(); day = first.add({ days: days.length }).startOfDay())
    days.push(new Date(day.epochMilliseconds))
  return days
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
