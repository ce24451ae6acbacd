import type { KnownWord } from './known.ts'

/**
 * What was worked out of a word is noted at its number: looking it up is one step, where a map of words takes many, and
 * these were most of what a text costs. A word whose number is that of another takes its place, so that never more than
 * `most` are kept.
 */
export function noted<Worked>(most: number, work: (word: KnownWord) => Worked): (word: KnownWord) => Worked {
  // Each word and what was worked out of it side by side, since both are wanted at once.
  const notes: (KnownWord | Worked | undefined)[] = []
  return (word) => {
    const place = 2 * (word.number % most)
    if (notes[place] === word) return notes[place + 1] as Worked
    const worked = work(word)
    // Places are taken in order, so that the list has no gaps.
    for (let next = notes.length; next < place; next++) notes.push(undefined)
    notes[place] = word
    notes[place + 1] = worked
    return worked
  }
}
