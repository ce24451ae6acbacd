import { invalid } from '../../problems.ts'

const MOMENT = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(Z|z|[+-]\d{2}:?\d{2})?$/

/** A moment: ISO 8601 with a time; UTC without an offset; a `+` that arrived as a space in a query is accepted. */
export function readMoment(name: string, text: string | undefined, pointer = `/query/${name}`): Date | null {
  if (text === undefined) return null
  const plain = text.replace(/ (?=\d{2}:?\d{2}$)/, '+')
  const parts = MOMENT.exec(plain)
  if (!parts) return invalid(pointer, 'must be a moment such as 2027-01-31T08:00:00Z')
  const [, year, month, day, hour, minute, second = '00', fraction = '', offset = 'Z'] = parts
  const zone = /^[+-]\d{4}$/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset.toUpperCase()
  try {
    const instant = Temporal.Instant.from(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`)
    // Moments are stored with three decimals; a finer bound is rounded up, so that `start ≤ t < end` stays exact.
    return new Date(Number((instant.epochNanoseconds + 999_999n) / 1_000_000n))
  } catch {
    return invalid(pointer, 'is not a moment of the calendar')
  }
}

/** Both ends of a range; a start after its end is refused. */
export function readRange(
  query: Record<string, string | undefined>,
  startName: string,
  endName: string,
): { start: Date | null; end: Date | null } {
  const [start, end] = [readMoment(startName, query[startName]), readMoment(endName, query[endName])]
  if (start && end && start > end) invalid(`/query/${startName}`, `must not be after ${endName}`)
  return { start, end }
}
