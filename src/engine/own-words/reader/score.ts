import type { Word } from '../read.ts'
import type { Clause } from './clauses.ts'
import { featuresOf, type Vocabulary } from './features.ts'
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

/** Clauses that were read together, and what they say by label. */
export interface Reading {
  readonly from: number
  readonly to: number
  readonly scores: Float64Array
}

/** Everything a text says, piece by piece; the whole text comes last. */
export function readingsOf(model: Model, vocabulary: Vocabulary, clauses: readonly Clause[]): Reading[] {
  const sums = sumsOf(model, vocabulary, clauses)
  const readings = piecesIn(clauses).map(({ from, to }) => between(model, sums, from, to))
  if (clauses.length > 0) readings.push(between(model, sums, 0, clauses.length))
  return readings
}

function piecesIn(clauses: readonly Clause[]): { from: number; to: number }[] {
  if (clauses.reduce((sum, { words }) => sum + words.length, 0) <= SHORT_TEXT) return []
  return PIECES.flatMap((length) => {
    const pieces: { from: number; to: number }[] = []
    for (let from = 0, to = 0, words = 0; from < clauses.length; from++) {
      while (to < clauses.length && words < length) words += clauses[to++]?.words.length ?? 0
      pieces.push({ from, to })
      if (to === clauses.length) break
      words -= clauses[from]?.words.length ?? 0
    }
    return pieces
  })
}

/** What all clauses before one say together. */
interface Sum {
  readonly scores: Float64Array
  /** The squares of what all features count, known ones or not. */
  readonly squares: number
}

function sumsOf(model: Model, vocabulary: Vocabulary, clauses: readonly Clause[]): Sum[] {
  const sums: Sum[] = [{ scores: new Float64Array(model.labels.length), squares: 0 }]
  for (const clause of clauses) {
    const before = sums.at(-1) as Sum
    const scores = before.scores.slice()
    let { squares } = before
    featuresOf(clause, vocabulary, (feature, weight) => {
      const much = model.add(feature, weight, scores)
      squares += much * much
    })
    sums.push({ scores, squares })
  }
  return sums
}

function between({ biases }: Model, sums: readonly Sum[], from: number, to: number): Reading {
  const [before, after] = [sums[from] as Sum, sums[to] as Sum]
  const length = lengthOf(after.squares - before.squares)
  const scores = after.scores.map(
    (sum, label) => (sum - (before.scores[label] as number)) / length + (biases[label] as number),
  )
  return { from, to, scores }
}

/** The words in a row that say most for a label. */
export function tellingWords(model: Model, vocabulary: Vocabulary, clauses: readonly Clause[], label: number): Word[] {
  const words: Word[] = []
  const says: number[] = []
  for (const clause of clauses) {
    const first = words.length
    words.push(...clause.words)
    for (const _ of clause.words) says.push(0)
    featuresOf(clause, vocabulary, (feature, weight, word) => {
      says[first + word] = (says[first + word] ?? 0) + weight * model.weightOf(feature, label)
    })
  }
  let best = { from: 0, to: 0, sum: 0 }
  for (let from = 0; from < says.length; from++) {
    let sum = 0
    for (let to = from; to < says.length && to < from + LONGEST_TELLING; to++) {
      sum += says[to] ?? 0
      if (sum > best.sum) best = { from, to: to + 1, sum }
    }
  }
  return words.slice(best.from, best.to)
}

/** A longer piece no longer shows what was heard. */
const LONGEST_TELLING = 8
