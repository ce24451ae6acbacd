import type { KnownWord } from '../known.ts'
import { noted } from '../noted.ts'
import { MOST_WORDS } from '../understanding.ts'
import { DENIED, Features, type Meaning, meaningOf, PAST, PLAIN, type Vocabulary, wordFeatures } from './features.ts'
import type { Model } from './model.ts'

/** So many words are kept in mind with what they say when they are denied or of long ago. */
const MOST_OTHERWISE = 4_000
const WORDS_OF_SHEET = 256

/** What a word says by itself, and what it is beside others. */
export interface Saying extends Meaning {
  /** By label, from a place of the sheet on. Half as precise as what they are summed up in: thousands of words are kept. */
  readonly sheet: Float32Array
  readonly from: number
  /** The squares of what all its features count, known ones or not. */
  readonly squares: number
}

/** What a word says, by the way it is said. */
export type Says = (word: KnownWord, way: number) => Saying

export function sayingsOf(model: Model, vocabulary: Vocabulary): Says {
  const labels = model.labels.length
  const sums = new Float64Array(labels)
  const features = new Features()
  // Lists of their own for thousands of words would weigh as much again as what they hold.
  let sheet = new Float32Array(0)
  let from = 0
  const noteSums = () => {
    from += labels
    if (from >= sheet.length) {
      sheet = new Float32Array(WORDS_OF_SHEET * labels)
      from = 0
    }
    sheet.set(sums, from)
  }
  const inWay = (way: number, most: number) =>
    noted(most, ({ form, stem }): Saying => {
      features.length = 0
      wordFeatures(form, stem, way, vocabulary, features)
      model.count(features)
      const { places, much } = features
      let squares = 0
      sums.fill(0)
      for (let at = 0; at < features.length; at++) {
        const counts = much[at] as number
        model.add(places[at] as number, counts, sums, 0)
        squares += counts * counts
      }
      noteSums()
      const { stemmed, alike, meant } = meaningOf(form, stem, way, vocabulary)
      return { stemmed, alike, meant, sheet, from, squares }
    })
  const [plain, denied, past] = [inWay(PLAIN, MOST_WORDS), inWay(DENIED, MOST_OTHERWISE), inWay(PAST, MOST_OTHERWISE)]
  return (word, way) => (way === PLAIN ? plain(word) : way === DENIED ? denied(word) : past(word))
}
