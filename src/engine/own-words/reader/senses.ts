import type { Senses } from '../../content.ts'
import { NONE } from '../numbered.ts'
import { SpelledWords } from '../spelled.ts'
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
  const spelled = new SpelledWords([...byWord.keys()])
  return (form) => {
    spelled.take(form)
    const end = form.length
    let place = spelled.between(0, end)
    for (let length = end - 1; place === NONE && length >= SHORTEST_BEGINNING; length--)
      place = spelled.between(0, length)
    for (let length = end - 1; place === NONE && length >= SHORTEST_END; length--)
      place = spelled.between(end - length, end)
    return known[place] ?? NO_SENSE
  }
}
