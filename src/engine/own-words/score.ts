import type { Clause } from './clauses.ts'
import { type Classes, featuresOf } from './features.ts'
import type { Model } from './model.ts'
import type { Word } from './read.ts'

/** The label of danger whatever its kind, and the beginnings of those of a kind and of a complaint. */
export const ANY_DANGER = 'danger'
export const KIND = 'danger/'
export const COMPLAINT = 'complaint/'

/** Clauses are read alone and together with those beside them, up to so many, and all of a short text together. */
const MOST_TOGETHER = 4
const SHORT_TEXT = 12

/** Clauses that were read together, and what they say by label. */
export interface Reading {
  readonly from: number
  readonly to: number
  readonly scores: Float64Array
}

/** Everything a text says, piece by piece; the whole text, or the beginning of a long one, comes last. */
export function readingsOf(model: Model, classes: Classes, clauses: readonly Clause[]): Reading[] {
  const sums = clauses.map((clause) => sumOf(model, classes, clause))
  const readings: Reading[] = []
  const whole = Math.min(SHORT_TEXT, sums.length)
  for (let from = 0; from < sums.length; from++) {
    for (let to = from + 1; to <= Math.min(from + MOST_TOGETHER, sums.length); to++) {
      if (to - from < whole || from > 0) readings.push(together(model, sums, from, to))
    }
  }
  if (whole > 0) readings.push(together(model, sums, 0, whole))
  return readings
}

interface Sum {
  readonly scores: Float64Array
  /** The squares of all weights of features, known ones or not. */
  readonly squares: number
}

function sumOf(model: Model, classes: Classes, { words, isPast }: Clause): Sum {
  const scores = new Float64Array(model.labels.length)
  let squares = 0
  featuresOf(words, isPast, classes, (feature, weight) => {
    model.add(feature, weight, scores)
    squares += weight * weight
  })
  return { scores, squares }
}

function together({ biases }: Model, sums: readonly Sum[], from: number, to: number): Reading {
  const scores = new Float64Array(biases.length)
  let squares = 0
  for (let at = from; at < to; at++) {
    const sum = sums[at] as Sum
    squares += sum.squares
    for (let label = 0; label < scores.length; label++)
      scores[label] = (scores[label] as number) + (sum.scores[label] as number)
  }
  const length = Math.sqrt(squares) || 1
  for (let label = 0; label < scores.length; label++)
    scores[label] = (scores[label] as number) / length + (biases[label] as number)
  return { from, to, scores }
}

/** The words in a row that say most for a label. */
export function tellingWords(model: Model, classes: Classes, clauses: readonly Clause[], label: number): Word[] {
  const words: Word[] = []
  const says: number[] = []
  for (const clause of clauses) {
    const first = words.length
    words.push(...clause.words)
    for (const _ of clause.words) says.push(0)
    featuresOf(clause.words, clause.isPast, classes, (feature, weight, word) => {
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
