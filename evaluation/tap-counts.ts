import { readFileSync, writeFileSync } from 'node:fs'
import type { Story } from './stories.ts'

/** What one person did from the first page to the outcome: rows, options and buttons tapped, texts and numbers entered, screens seen. */
export type Count = { taps: number; entries: number; screens: number }

/** The stories that are tapped through in a browser, and what was counted. */
export type TapCounts = {
  /** The last version before the interview was built around signs, where `before` was counted. */
  firstVersion: { commit: string; date: string }
  stories: readonly { story: string; name: string; before: Count; after: Count }[]
}

const FILE = new URL('taps.json', import.meta.url)

/** Reads what was counted. A story that does not exist is a fault. */
export function readTapCounts(stories: readonly Story[]): TapCounts {
  const counts = JSON.parse(readFileSync(FILE, 'utf8')) as TapCounts
  const unknown = counts.stories.filter(({ story }) => !stories.some(({ id }) => id === story))
  if (unknown.length > 0)
    throw new Error(unknown.map(({ story }) => `evaluation/taps.json: there is no story "${story}".`).join('\n'))
  return counts
}

export const writeTapCounts = (counts: TapCounts): void => writeFileSync(FILE, `${JSON.stringify(counts, null, 2)}\n`)

/** The counts as a table. */
export function tapsTable({ stories }: TapCounts): string {
  const sum = (of: 'before' | 'after', what: keyof Count) => stories.reduce((all, one) => all + one[of][what], 0)
  const pair = (before: number, after: number) => `${before} → ${after}`
  return [
    '| Patient | Taps | Entries | Screens |',
    '|---|---|---|---|',
    ...stories.map(
      ({ name, before, after }) =>
        `| ${name} | ${pair(before.taps, after.taps)} | ${pair(before.entries, after.entries)} | ${pair(before.screens, after.screens)} |`,
    ),
    `| together | ${(['taps', 'entries', 'screens'] as const).map((what) => pair(sum('before', what), sum('after', what))).join(' | ')} |`,
  ].join('\n')
}
