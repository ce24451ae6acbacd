const MINUTE = 60
const HOUR = 3_600

/** Attempts, in seconds after the end: close together at first, in case of a mere restart, then over about three days. */
const ATTEMPTS_AT_SECONDS = [
  ...[0, 5, 20],
  ...[1, 2, 4, 10, 30].map((minutes) => minutes * MINUTE),
  ...[2, 6, 14, 26, 50, 76].map((hours) => hours * HOUR),
]

/** Seconds from each attempt to the next. */
export const WAITS_SECONDS = ATTEMPTS_AT_SECONDS.slice(1).map((at, before) => at - (ATTEMPTS_AT_SECONDS[before] ?? 0))

export const MOST_TRIES = ATTEMPTS_AT_SECONDS.length
const LONGEST_RETRY_AFTER_SECONDS = HOUR
const JITTER = 0.2

/**
 * Seconds until the next attempt after `tries` of them, or null when that was the last. A receiver may ask for a longer
 * wait than the schedule (up to an hour), never a shorter one: a short Retry-After would use up three days of tries in
 * minutes. `chance` is a random number from 0 to 1.
 */
export function waitAfter(tries: number, retryAfterSeconds: number | null, chance: number): number | null {
  const planned = WAITS_SECONDS[tries - 1]
  if (planned === undefined) return null
  const jittered = planned * (1 - JITTER + 2 * JITTER * chance)
  if (retryAfterSeconds === null) return jittered
  const asked = Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER_SECONDS)
  return Math.max(jittered, Math.min(asked * (1 + JITTER * chance), LONGEST_RETRY_AFTER_SECONDS))
}

/** Retry-After as seconds from now; a date is compared with the receiver's own clock if it sent that. */
export function retryAfterSeconds(retryAfter: string | undefined, date: string | undefined, now: Date): number | null {
  if (retryAfter === undefined) return null
  const text = retryAfter.trim()
  if (/^\d+$/.test(text)) return Number(text)
  const until = Date.parse(text)
  if (Number.isNaN(until)) return null
  const from = date === undefined ? Number.NaN : Date.parse(date)
  return Math.max(0, (until - (Number.isNaN(from) ? now.getTime() : from)) / 1_000)
}
