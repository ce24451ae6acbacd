import type { Words } from './words/words.ts'

/** When it opens next, in the clinic's time; the zone is named only for users in another one. */
export function openingText(opensAt: string, timeZone: string, words: Words): string {
  const at = new Date(opensAt)
  const when = new Intl.DateTimeFormat(words.locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(at)
  const text = words.closed.opens(when)
  return isSameClock(at, timeZone) ? text : `${text} ${words.closed.zone(placeOf(timeZone))}`
}

const placeOf = (timeZone: string): string => (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')

/** Whether the clocks here and there agree at that moment. */
function isSameClock(at: Date, timeZone: string): boolean {
  const clock = (zone?: string) =>
    new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'short',
      timeStyle: 'short',
      ...(zone && { timeZone: zone }),
    }).format(at)
  return clock(timeZone) === clock()
}
