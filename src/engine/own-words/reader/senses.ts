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
    for (const word of words) {
      const form = fold(word)
      const known = byWord.get(form)
      if (known) known.push(number)
      else byWord.set(form, [number])
    }
  }
  // Most words begin and end like none of these, and need not be looked up letter by letter.
  const beginnings = new Set<string>()
  const ends = new Set<string>()
  for (const word of byWord.keys()) {
    beginnings.add(beginningOf(word))
    ends.add(endOf(word))
  }
  return (form) => {
    const own = byWord.get(form)
    if (own) return own
    if (beginnings.has(beginningOf(form)))
      for (let end = form.length - 1; end >= SHORTEST_BEGINNING; end--) {
        const known = byWord.get(form.slice(0, end))
        if (known) return known
      }
    if (ends.has(endOf(form)))
      for (let from = 1; from <= form.length - SHORTEST_END; from++) {
        const known = byWord.get(form.slice(from))
        if (known) return known
      }
    return NO_SENSE
  }
}

const beginningOf = (word: string) => word.slice(0, SHORTEST_BEGINNING)
const endOf = (word: string) => word.slice(-SHORTEST_END)
