import type { Statistics } from '../../session/statistics/statistics.ts'

/** One table with all tables in it, told apart by the first column; what a line does not have is empty. */
const COLUMNS = [
  'table',
  'value',
  'contentRelease',
  'created',
  'started',
  'finished',
  'left',
  'erased',
  'durationSecondsP50',
  'durationSecondsP90',
  'screensP50',
  'screensP90',
  'judged',
  'agreed',
  'underTriaged',
  'overTriaged',
] as const

type Line = Partial<Record<(typeof COLUMNS)[number], string | number | null>>
type Spread = Statistics['total']['screens']

/** The groups that are too small to be told apart, where the JSON says null. */
const TOGETHER = '(small groups)'

/** The statistics as a table for a spreadsheet (RFC 4180). */
export function csvOf(statistics: Statistics): string {
  const { total, periods, judgements } = statistics
  const table = (name: string, groups: Statistics['urgencies']): Line[] =>
    groups.map(({ value, finished, ...took }) => ({
      table: name,
      value: value ?? TOGETHER,
      finished,
      ...spreads(took),
    }))
  const lines: Line[] = [
    { table: 'total', ...total, ...spreads(total) },
    ...periods.map((period) => ({ table: statistics.by, value: period.start, ...period, ...spreads(period) })),
    ...table('urgency', statistics.urgencies),
    ...table('complaint', statistics.complaints),
    ...table('language', statistics.languages),
    ...judgements.map(({ complaint, ...line }) => ({ table: 'judgement', value: complaint ?? TOGETHER, ...line })),
  ]
  const rows = [COLUMNS, ...lines.map((line) => COLUMNS.map((column) => line[column]))]
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

const spreads = ({ durationSeconds, screens }: { durationSeconds: Spread; screens: Spread }): Line => ({
  durationSecondsP50: durationSeconds?.p50 ?? null,
  durationSecondsP90: durationSeconds?.p90 ?? null,
  screensP50: screens?.p50 ?? null,
  screensP90: screens?.p90 ?? null,
})

/** Quoted where it must be; what a spreadsheet would take for a formula is text. */
function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' && /^[=+@-]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
