import { remembered } from '../../text/remembered.ts'
import type { Word } from '../read.ts'
import type { Clause } from './clauses.ts'
import { flagsOf, type Meaning, meaningOf, newPairs, type Vocabulary, wayOf, wordFeatures } from './features.ts'
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

/** So many words are kept in mind with what they say, in each way that they may be said. */
const MOST_WORDS = 6_000

/** What a word says by itself, and what it is beside others. */
interface Saying extends Meaning {
  /** By label. Half as precise as what they are summed up in: thousands of words are kept. */
  readonly scores: Float32Array
  /** The squares of what all its features count, known ones or not. */
  readonly squares: number
}

/** What a word says, by the way it is said. */
export type Says = (form: string, way: number) => Saying

export function sayingsOf(model: Model, vocabulary: Vocabulary): Says {
  const said = remembered(Number.POSITIVE_INFINITY, (way: number) =>
    remembered(MOST_WORDS, (form: string): Saying => {
      const scores = new Float64Array(model.labels.length)
      let squares = 0
      wordFeatures(form, way, vocabulary, (feature, weight) => {
        const slot = model.find(feature)
        const much = model.rarenessOf(slot) * weight
        model.add(slot, much, scores, 0)
        squares += much * much
      })
      return { ...meaningOf(form, way, vocabulary), scores: Float32Array.from(scores), squares }
    }),
  )
  return (form, way) => said(way)(form)
}

/** Clauses that were read together. */
interface Piece {
  readonly from: number
  readonly to: number
}

/** Everything a text says, piece by piece; the whole text comes last. */
export interface TrainedReading {
  readonly words: readonly Word[]
  readonly pieces: readonly Piece[]
  /** What each piece says for a label. */
  scoresOf(label: number): Float64Array
  /** The words in a row of a piece that say most for a label. */
  tellingWords(piece: number, label: number): Word[]
}

export function readingsOf(model: Model, says: Says, clauses: readonly Clause[]): TrainedReading {
  const sums = sumUp(model, says, clauses)
  const labels = model.labels.length
  const pieces = [...piecesIn(clauses), ...(clauses.length > 0 ? [{ from: 0, to: clauses.length }] : [])]
  const scores = new Float64Array(pieces.length * labels)
  for (const [piece, { from, to }] of pieces.entries()) {
    const part = 1 / lengthOf((sums.squares[to] as number) - (sums.squares[from] as number))
    for (let label = 0; label < labels; label++) {
      const sum = (sums.scores[to * labels + label] as number) - (sums.scores[from * labels + label] as number)
      scores[label * pieces.length + piece] = sum * part + (model.biases[label] as number)
    }
  }
  return {
    words: sums.words,
    pieces,
    scoresOf: (label) => scores.subarray(label * pieces.length, (label + 1) * pieces.length),
    tellingWords(piece, label) {
      const { from, to } = pieces[piece] as Piece
      return tellingWords(model, sums, sums.begins[from] as number, sums.begins[to] as number, label)
    },
  }
}

function piecesIn(clauses: readonly Clause[]): Piece[] {
  if (clauses.reduce((sum, { words }) => sum + words.length, 0) <= SHORT_TEXT) return []
  return PIECES.flatMap((length) => {
    const pieces: Piece[] = []
    for (let from = 0, to = 0, words = 0; from < clauses.length; from++) {
      while (to < clauses.length && words < length) words += clauses[to++]?.words.length ?? 0
      pieces.push({ from, to })
      if (to === clauses.length) break
      words -= clauses[from]?.words.length ?? 0
    }
    return pieces
  })
}

/** A text clause by clause and word by word. What stands in a list at a place holds for all that comes before that clause or word. */
interface Sums {
  /** By clause, then by label. */
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
  const scores = new Float64Array((clauses.length + 1) * labels)
  const squares = [0]
  const begins = [0]
  const words: Word[] = []
  const sayings: Saying[] = []
  const slots: number[] = []
  const much: number[] = []
  const firsts: number[] = []
  let base = 0
  let square = 0
  const take = (feature: number, weight: number) => {
    const slot = model.find(feature)
    const counts = model.rarenessOf(slot) * weight
    square += counts * counts
    if (!model.knows(slot)) return
    model.add(slot, counts, scores, base)
    slots.push(slot)
    much.push(counts)
  }
  for (const clause of clauses) {
    scores.copyWithin(base + labels, base, base + labels)
    base += labels
    const pairs = newPairs()
    for (const [at, word] of clause.words.entries()) {
      firsts.push(slots.length)
      if (at === 0) flagsOf(clause, take)
      const saying = says(word.form, wayOf(word, clause))
      square += saying.squares
      for (let label = 0; label < labels; label++)
        scores[base + label] = (scores[base + label] as number) + (saying.scores[label] as number)
      pairs(word, saying, take)
      words.push(word)
      sayings.push(saying)
    }
    squares.push(square)
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
