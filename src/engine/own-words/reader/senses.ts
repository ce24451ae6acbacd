import type { Senses } from '../../content.ts'
import { fold } from '../stem.ts'

/** A known word counts when another begins or ends with so much of it. */
const SHORTEST_BEGINNING = 4
const SHORTEST_END = 5

const NO_SENSE: readonly number[] = []

/** A word and its senses. */
interface Known {
  readonly form: string
  readonly senses: number[]
}

/** The senses of any word: its own, those of its longest known beginning, or those of its longest known end. */
export function sensesIn(senses: Senses, numberOf: (sense: string) => number): (form: string) => readonly number[] {
  const byWord = new Map<string, Known>()
  for (const [sense, words] of Object.entries(senses)) {
    const number = numberOf(sense)
    for (const word of words) {
      const form = fold(word)
      const known = byWord.get(form)
      if (known) known.senses.push(number)
      else byWord.set(form, { form, senses: [number] })
    }
  }
  // The longest first, by the letters that each begins or ends with: most words begin and end like none of these.
  const longestFirst = [...byWord.values()].sort((a, b) => b.form.length - a.form.length)
  const byBeginning = Map.groupBy(longestFirst, ({ form }) => beginningOf(form))
  const byEnd = Map.groupBy(longestFirst, ({ form }) => endOf(form))
  return (form) => {
    const own = byWord.get(form)
    if (own) return own.senses
    for (const known of byBeginning.get(beginningOf(form)) ?? [])
      if (known.form.length >= SHORTEST_BEGINNING && form.startsWith(known.form)) return known.senses
    for (const known of byEnd.get(endOf(form)) ?? [])
      if (known.form.length >= SHORTEST_END && form.endsWith(known.form)) return known.senses
    return NO_SENSE
  }
}

const beginningOf = (word: string) => word.slice(0, SHORTEST_BEGINNING)
const endOf = (word: string) => word.slice(-SHORTEST_END)
