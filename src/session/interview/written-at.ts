import type { WrittenAt } from '../../engine/content.ts'

/** What the clock on the wall of the clinic shows at a moment: "since Tuesday" is counted from there. */
export function writtenAt(at: Date, timeZone: string): WrittenAt {
  const { dayOfWeek, month, hour } = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
  return { weekday: dayOfWeek - 1, month, hour }
}
