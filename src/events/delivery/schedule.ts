const MINUTE = 60
const HOUR = 3_600

/** Seconds from each attempt to the next: ten attempts over about 76 hours. */
export const WAITS_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

export const MOST_TRIES = WAITS_SECONDS.length + 1
const LONGEST_RETRY_AFTER_SECONDS = HOUR
const JITTER = 0.2

/**
 * Seconds until the next attempt after `tries` of them, or null when that was the last. A receiver may ask for more
 * patience than the schedule has (up to an hour), never for less: a short Retry-After would use up three days of tries
 * in minutes. `chance` is a random number from 0 to 1.
 */
export function waitAfter(tries: number, retryAfterSeconds: number | null, chance: number): number | null {
  const planned = WAITS_SECONDS[tries - 1]
  if (planned === undefined) return null
  const jittered = planned * (1 - JITTER + 2 * JITTER * chance)
  if (retryAfterSeconds === null) return jittered
  const asked = Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER_SECONDS)
  return Math.max(jittered, Math.min(asked * (1 + JITTER * chance), LONGEST_RETRY_AFTER_SECONDS))
}

/** Retry-After as seconds from now; a date is read against the receiver's own clock when it tells it. */
export function retryAfterSeconds(retryAfter: string | undefined, date: string | undefined, now: Date): number | null {
  if (retryAfter === undefined) return null
  const text = retryAfter.trim()
  if (/^\d+$/.test(text)) return Number(text)
  const until = Date.parse(text)
  if (Number.isNaN(until)) return null
  const from = date === undefined ? Number.NaN : Date.parse(date)
  return Math.max(0, (until - (Number.isNaN(from) ? now.getTime() : from)) / 1_000)
}
