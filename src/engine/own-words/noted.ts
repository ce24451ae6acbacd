import type { KnownWord } from './known.ts'

/**
 * What was worked out of a word is noted at its number: looking it up is one step, where a map of words takes many, and
 * these were most of what a text costs. A word whose number is that of another takes its place, so that never more than
 * `most` are kept.
 */
export function noted<Worked>(most: number, work: (word: KnownWord) => Worked): (word: KnownWord) => Worked {
  const words: (KnownWord | undefined)[] = []
  const notes: Worked[] = []
  return (word) => {
    const place = word.number % most
    if (words[place] === word) return notes[place] as Worked
    const worked = work(word)
    // Places are taken in order, so that no list has gaps.
    for (let next = words.length; next < place; next++) {
      words.push(undefined)
      notes.push(worked)
    }
    words[place] = word
    notes[place] = worked
    return worked
  }
}
