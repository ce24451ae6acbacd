import type { Senses } from '../../content.ts'
import { fold } from '../stem.ts'

/** A known word counts when another begins or ends with so much of it. */
const SHORTEST_BEGINNING = 4
const SHORTEST_END = 5

const NO_SENSE: readonly number[] = []

/** The senses of any word: its own, those of its longest known beginning, or those of its longest known end. */
export function sensesIn(senses: Senses, numberOf: (sense: string) => number): (form: string) => readonly number[] {
  const byWord = new Map<string, number[]>()
  for (const [sense, words] of Object.entries(senses)) {
    const number = numberOf(sense)
    for (const word of words.map(fold)) byWord.set(word, [...(byWord.get(word) ?? []), number])
  }
  const longestFirst = [...byWord.keys()].sort((a, b) => b.length - a.length)
  const beginnings = Map.groupBy(
    longestFirst.filter((word) => word.length >= SHORTEST_BEGINNING),
    beginningOf,
  )
  const ends = Map.groupBy(
    longestFirst.filter((word) => word.length >= SHORTEST_END),
    endOf,
  )
  const known = (word: string | undefined) => (word === undefined ? undefined : byWord.get(word))
  return (form) =>
    byWord.get(form) ??
    known(beginnings.get(beginningOf(form))?.find((word) => form.startsWith(word))) ??
    known(ends.get(endOf(form))?.find((word) => form.endsWith(word))) ??
    NO_SENSE
}

const beginningOf = (word: string) => word.slice(0, SHORTEST_BEGINNING)
const endOf = (word: string) => word.slice(-SHORTEST_END)
