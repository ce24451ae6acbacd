import type { Senses } from '../../content.ts'
import { edgesOf, NONE } from '../edges.ts'
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
  const known = [...byWord.values()]
  const words = [...byWord.keys()]
  const longestBeginning = edgesOf(words, false)
  const longestEnd = edgesOf(words, true)
  return (form) => {
    const own = byWord.get(form)
    if (own) return own
    const beginning = longestBeginning(form, SHORTEST_BEGINNING, form.length)
    const place = beginning === NONE ? longestEnd(form, SHORTEST_END, form.length) : beginning
    return known[place] ?? NO_SENSE
  }
}
