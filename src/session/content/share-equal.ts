import type { CompiledRelease } from '../../engine/content.ts'

/**
 * Lets equal texts and lists of a release be one in memory: conditions repeat each other, and a release lives for long.
 * Nothing reads differently afterwards. It takes as long as loading the release, so whoever serves goes on in between.
 */
export function* shareEqual(release: CompiledRelease): Generator<void> {
  const shared = sharing()
  const { questions, findings, complaints, named, senses, search } = release
  for (const part of [questions, findings, named, senses, search, ...complaints]) {
    shared(part)
    yield
  }
}

/** Returns the first value that was equal to the one given, which it changes to hold shared parts. */
function sharing(): (value: unknown) => unknown {
  const texts = new Map<string, string>()
  const lists = new Map<string, unknown[]>()
  const numbers = new Map<unknown, number>()
  const numberOf = (part: unknown): number => {
    const known = numbers.get(part) ?? numbers.size
    numbers.set(part, known)
    return known
  }
  const firstOf = <Part>(known: Map<string, Part>, key: string, part: Part): Part => {
    const first = known.get(key)
    if (first === undefined) known.set(key, part)
    return first ?? part
  }
  const shared = (value: unknown): unknown => {
    if (typeof value === 'string') return firstOf(texts, value, value)
    if (typeof value !== 'object' || value === null) return value
    const holder = value as Record<string | number, unknown>
    for (const key of Object.keys(value)) holder[key] = shared(holder[key])
    // Objects have names and places of their own; lists are what conditions are made of.
    return Array.isArray(value) ? firstOf(lists, value.map(numberOf).join(), value) : value
  }
  return shared
}
