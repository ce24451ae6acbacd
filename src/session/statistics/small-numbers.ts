/** Fewer than this are not told apart from others: who knows one of a few knows what to think of them. */
export const SMALLEST = 5

type Counted = { count: number }

/**
 * Puts groups that are too small together. What is put together is never a single group and never fewer than SMALLEST,
 * unless there is no more: else the total less what is shown would tell what is not.
 */
export function putTogether<T extends Counted>(groups: readonly T[]): { shown: T[]; together: T[] } {
  const growing = groups.toSorted((a, b) => a.count - b.count)
  let most = growing.filter(({ count }) => count < SMALLEST).length
  const isTelling = () => most > 0 && most < groups.length && (most < 2 || sumOf(growing.slice(0, most)) < SMALLEST)
  while (isTelling()) most++
  const together = new Set(growing.slice(0, most))
  return { shown: groups.filter((group) => !together.has(group)), together: [...together] }
}

/**
 * The parts of a known sum, null where they are withheld: every one from 1 up to SMALLEST, and the next larger ones
 * until those withheld make SMALLEST together. Nobody is in a part of 0, so that one is told. Of a small sum nothing is.
 */
export function withheld(parts: readonly number[]): (number | null)[] {
  if (parts.reduce((sum, part) => sum + part, 0) < SMALLEST) return parts.map(() => null)
  const hidden = new Set<number>()
  let sum = 0
  for (const [at, part] of [...parts.entries()].filter(([, part]) => part > 0).sort((a, b) => a[1] - b[1])) {
    if (part >= SMALLEST && (hidden.size === 0 || (hidden.size > 1 && sum >= SMALLEST))) continue
    hidden.add(at)
    sum += part
  }
  return parts.map((part, at) => (hidden.has(at) ? null : part))
}

const sumOf = (groups: readonly Counted[]): number => groups.reduce((sum, { count }) => sum + count, 0)
