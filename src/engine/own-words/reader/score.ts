import { noted } from '../noted.ts'
import type { KnownWord, Word } from '../read.ts'
import type { Clause } from './clauses.ts'
import {
  DENIED,
  flagsOf,
  type Meaning,
  meaningOf,
  newPairs,
  PAST,
  PLAIN,
  type Vocabulary,
  wayOf,
  wordFeatures,
} from './features.ts'
import type { Model } from './model.ts'

/** The label of danger whatever its kind, and the beginnings of those of a kind and of a complaint. */
export const ANY_DANGER = 'danger'
export const KIND = 'danger/'
export const COMPLAINT = 'complaint/'

/** A text of so many words is read as a whole; a longer one also in pieces of about so many words each, cut between clauses. */
const SHORT_TEXT = 30
const PIECES = [5, 12, 24]

/** As much as some four words count: so much of a text that says nothing is added to each, for two words alone say little. */
const SILENCE = 1_000_000

/** By what a sum of weights is divided, so that long texts say no more than short ones. A square root is rounded the same way everywhere, as + − × ÷ are. */
export const lengthOf = (squares: number): number => Math.sqrt(squares + SILENCE)

/** So many words are kept in mind with what they say, and fewer with what they say when they are denied or of long ago. */
const MOST_WORDS = 16_000
const MOST_OTHERWISE = 4_000

/** What a word says by itself, and what it is beside others. */
interface Saying extends Meaning {
  /** By label. Half as precise as what they are summed up in: thousands of words are kept. */
  readonly scores: Float32Array
  /** The squares of what all its features count, known ones or not. */
  readonly squares: number
}

/** What a word says, by the way it is said. */
export type Says = (word: KnownWord, way: number) => Saying

export function sayingsOf(model: Model, vocabulary: Vocabulary): Says {
  const sums = new Float64Array(model.labels.length)
  const inWay = (way: number, most: number) =>
    noted(most, ({ form, stem }): Saying => {
      sums.fill(0)
      let squares = 0
      wordFeatures(form, stem, way, vocabulary, (feature, weight) => {
        const slot = model.find(feature)
        const much = model.rarenessOf(slot) * weight
        model.add(slot, much, sums)
        squares += much * much
      })
      const { stemmed, alike, meant } = meaningOf(form, stem, way, vocabulary)
      return { stemmed, alike, meant, scores: new Float32Array(sums), squares }
    })
  const [plain, denied, past] = [inWay(PLAIN, MOST_WORDS), inWay(DENIED, MOST_OTHERWISE), inWay(PAST, MOST_OTHERWISE)]
  return (word, way) => (way === PLAIN ? plain(word) : way === DENIED ? denied(word) : past(word))
}

/** Clauses that were read together: from which one on, before which one, and by what their sums count. */
interface Pieces {
  readonly length: number
  readonly from: Int32Array
  readonly to: Int32Array
  readonly part: Float64Array
}

/** Everything a text says, piece by piece; the whole text comes last. */
export interface TrainedReading {
  readonly words: readonly Word[]
  readonly pieces: Pick<Pieces, 'length'>
  /** Writes what each piece says for a label into a list as long as there are pieces. */
  scoresOf(label: number, into: Float64Array): void
  /** What one piece says for a label. */
  scoreOf(label: number, piece: number): number
  /** The words in a row of a piece that say most for a label. */
  tellingWords(piece: number, label: number): Word[]
}

export function readingsOf(model: Model, says: Says, clauses: readonly Clause[]): TrainedReading {
  const { biases } = model
  const sums = sumUp(model, says, clauses)
  const pieces = piecesIn(clauses, sums.squares)
  const width = clauses.length + 1
  return {
    words: sums.words,
    pieces,
    scoresOf: (label, into) => writeScores(sums.scores, label * width, pieces, biases[label] as number, into),
    scoreOf: (label, piece) => pieceScore(sums.scores, label * width, pieces, piece, biases[label] as number),
    tellingWords(piece, label) {
      const from = sums.begins[pieces.from[piece] as number] as number
      return tellingWords(model, sums, from, sums.begins[pieces.to[piece] as number] as number, label)
    },
  }
}

/** What a piece says for the label whose sums begin at `base`. */
function pieceScore(sums: Float64Array, base: number, { from, to, part }: Pieces, piece: number, bias: number): number {
  const sum = (sums[base + (to[piece] as number)] as number) - (sums[base + (from[piece] as number)] as number)
  return sum * (part[piece] as number) + bias
}

function writeScores(sums: Float64Array, base: number, pieces: Pieces, bias: number, into: Float64Array): void {
  for (let piece = 0; piece < pieces.length; piece++) into[piece] = pieceScore(sums, base, pieces, piece, bias)
}

function piecesIn(clauses: readonly Clause[], squares: readonly number[]): Pieces {
  const from: number[] = []
  const to: number[] = []
  const isLong = clauses.reduce((sum, { words }) => sum + words.length, 0) > SHORT_TEXT
  for (const length of isLong ? PIECES : []) {
    for (let first = 0, end = 0, words = 0; first < clauses.length; first++) {
      while (end < clauses.length && words < length) words += clauses[end++]?.words.length ?? 0
      from.push(first)
      to.push(end)
      if (end === clauses.length) break
      words -= clauses[first]?.words.length ?? 0
    }
  }
  if (clauses.length > 0) {
    from.push(0)
    to.push(clauses.length)
  }
  const part = Float64Array.from(
    from,
    (first, piece) => 1 / lengthOf((squares[to[piece] as number] as number) - (squares[first] as number)),
  )
  return { length: from.length, from: Int32Array.from(from), to: Int32Array.from(to), part }
}

/** A text clause by clause and word by word. What stands in a list at a place holds for all that comes before that clause or word. */
interface Sums {
  /** By label, then by clause: a label is looked at in one piece after another. */
  readonly scores: Float64Array
  readonly squares: readonly number[]
  /** The first word of each clause. */
  readonly begins: readonly number[]
  readonly words: readonly Word[]
  readonly sayings: readonly Saying[]
  /** What words say beside each other: features that the reader knows, how much each counts, and the first of each word. */
  readonly slots: readonly number[]
  readonly much: readonly number[]
  readonly firsts: readonly number[]
}

function sumUp(model: Model, says: Says, clauses: readonly Clause[]): Sums {
  const labels = model.labels.length
  const width = clauses.length + 1
  const scores = new Float64Array(width * labels)
  const sum = new Float64Array(labels)
  const squares = [0]
  const begins = [0]
  const words: Word[] = []
  const sayings: Saying[] = []
  const slots: number[] = []
  const much: number[] = []
  const firsts: number[] = []
  let square = 0
  const take = (feature: number, weight: number) => {
    const slot = model.find(feature)
    const counts = model.rarenessOf(slot) * weight
    square += counts * counts
    if (!model.knows(slot)) return
    model.add(slot, counts, sum)
    slots.push(slot)
    much.push(counts)
  }
  for (const clause of clauses) {
    const pairs = newPairs()
    for (let at = 0; at < clause.words.length; at++) {
      const word = clause.words[at] as Word
      firsts.push(slots.length)
      if (at === 0) flagsOf(clause, take)
      const saying = says(word.known, wayOf(word, clause))
      square += saying.squares
      const said = saying.scores
      for (let label = 0; label < labels; label++) sum[label] = (sum[label] as number) + (said[label] as number)
      pairs(word, saying, take)
      words.push(word)
      sayings.push(saying)
    }
    const place = squares.push(square) - 1
    for (let label = 0; label < labels; label++) scores[label * width + place] = sum[label] as number
    begins.push(words.length)
  }
  firsts.push(slots.length)
  return { scores, squares, begins, words, sayings, slots, much, firsts }
}

/** A longer piece no longer shows what was heard. */
const LONGEST_TELLING = 8

function tellingWords(model: Model, sums: Sums, from: number, to: number, label: number): Word[] {
  const says: number[] = []
  for (let at = from; at < to; at++) {
    let sum = sums.sayings[at]?.scores[label] ?? 0
    for (let place = sums.firsts[at] as number; place < (sums.firsts[at + 1] as number); place++)
      sum += (sums.much[place] as number) * model.weightOf(sums.slots[place] as number, label)
    says.push(sum)
  }
  let best = { from: 0, to: 0, sum: 0 }
  for (let begin = 0; begin < says.length; begin++) {
    let sum = 0
    for (let end = begin; end < says.length && end < begin + LONGEST_TELLING; end++) {
      sum += says[end] ?? 0
      if (sum > best.sum) best = { from: begin, to: end + 1, sum }
    }
  }
  return sums.words.slice(from + best.from, from + best.to)
}
