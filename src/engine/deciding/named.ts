import type { Value } from '../content.ts'
import type { Content } from '../load.ts'

/** What names that were typed tell, by the slot of the question that they answer: the options of a choice, or that a sign is there. */
export function namedIn(
  { named }: Content,
  values: readonly (Value | undefined)[],
): ReadonlyMap<number, readonly string[]> {
  const words = named.from.flatMap((slot) => wordsIn(values[slot]))
  const told = new Map<number, string[]>()
  if (words.length === 0) return told
  for (const { slot, option, names } of named.groups) {
    if (!words.some((word) => names.some((name) => word.startsWith(name)))) continue
    told.set(slot, [...(told.get(slot) ?? []), ...(option === undefined ? [] : [option])])
  }
  return told
}

const wordsIn = (value: Value | undefined): string[] =>
  typeof value === 'string'
    ? value
        .toLowerCase()
        .replaceAll('-', '')
        .split(/[^\p{L}]+/u)
    : []
