import { Refusal } from './print.ts'

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const
const LONGEST_DAYS = 3_650

/** A duration as people write it: 30s, 15m, 24h, 90d. */
export function durationSeconds(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? []
  const seconds = Number(amount) * (SECONDS[unit as keyof typeof SECONDS] ?? Number.NaN)
  if (amount === '' || !(seconds <= LONGEST_DAYS * SECONDS.d))
    throw new Refusal(`${text} is not a duration such as 30s, 15m, 24h or 90d.`)
  return seconds
}
