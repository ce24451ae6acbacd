import type { Word } from '../read.ts'
import type { Clause } from './clauses.ts'
import { Features, flagsOf, nothingBefore, pairUp, wayOf } from './features.ts'
import type { Model } from './model.ts'
import type { Saying, Says } from './sayings.ts'

/** The label of danger whatever its kind, and the beginnings of those of a kind and of a complaint. */
export const ANY_DANGER = 'danger'
export const KIND = 'danger/'
export const COMPLAINT = 'complaint/'

/** A text of more words is long: it is read in many pieces. */
export const LONG_TEXT = 30

/**
 * Beside the whole text and its sentences, texts of more words than this are read in pieces of about so many words each, cut
 * between clauses. A piece counts so much less than the whole, which may say that it is none; the more pieces, the more
 * often one sounds like danger by chance.
 */
const READ_IN_PIECES: readonly { readonly over: number; readonly lengths: readonly number[]; readonly less: number }[] =
  [
    { over: LONG_TEXT, lengths: [5, 12, 24], less: 1 },
    { over: 14, lengths: [12], less: 0.8 },
    { over: 0, lengths: [], less: 0.8 },
  ]

/** As much as some four words count: so much of a text that says nothing is added to each, for two words alone say little. */
const SILENCE = 1_000_000

/** By what a sum of weights is divided, so that long texts say no more than short ones. A square root is rounded the same way everywhere, as + − × ÷ are. */
export const lengthOf = (squares: number): number => Math.sqrt(squares + SILENCE)

/** Clauses that were read together: from which one on, before which one, and by what their sums count. */
interface Pieces {
  readonly length: number
  readonly from: readonly number[]
  readonly to: readonly number[]
  readonly part: Float64Array
  /** How much less a piece counts than the whole text. */
  readonly less: number
}

/** Everything a text says, piece by piece; the whole text comes last. */
export interface TrainedReading {
  readonly words: readonly Word[]
  readonly pieces: Pick<Pieces, 'length' | 'less'>
  /** What one piece says for a label. */
  scoreOf(label: number, piece: number): number
  /** For each of these labels the first piece that says most for it, where this share of what a piece says is added to what it has. */
  mostFor(labels: Uint8Array, share: number, has: Float64Array): Most
  /** The words in a row of a piece that say most for a label. */
  tellingWords(piece: number, label: number): Word[]
}

interface Most {
  readonly scores: Float64Array
  readonly pieces: Int32Array
}

export function readingsOf(model: Model, says: Says, clauses: readonly Clause[]): TrainedReading {
  const sums = sumUp(model, says, clauses)
  const pieces = piecesIn(clauses, sums.squares)
  const { scores } = sums
  const { from, to, part } = pieces
  const { biases } = model
  const width = model.labels.length
  return {
    words: sums.words,
    pieces,
    scoreOf(label, piece) {
      const before = scores[(from[piece] as number) * width + label] as number
      const sum = (scores[(to[piece] as number) * width + label] as number) - before
      return sum * (part[piece] as number) + (biases[label] as number)
    },
    mostFor(labels, share, has) {
      const most = new Float64Array(labels.length).fill(Number.NEGATIVE_INFINITY)
      const mostIn = new Int32Array(labels.length)
      for (let piece = 0; piece < pieces.length; piece++) {
        const before = (from[piece] as number) * width
        const after = (to[piece] as number) * width
        const counts = part[piece] as number
        const had = has[piece] as number
        for (let place = 0; place < labels.length; place++) {
          const label = labels[place] as number
          const sum = (scores[after + label] as number) - (scores[before + label] as number)
          const score = had + share * (sum * counts + (biases[label] as number))
          if (score <= (most[place] as number)) continue
          most[place] = score
          mostIn[place] = piece
        }
      }
      return { scores: most, pieces: mostIn }
    },
    tellingWords(piece, label) {
      const first = sums.begins[from[piece] as number] as number
      return tellingWords(model, sums, first, sums.begins[to[piece] as number] as number, label)
    },
  }
}

function piecesIn(clauses: readonly Clause[], squares: Float64Array): Pieces {
  const from: number[] = []
  const to: number[] = []
  const words = clauses.reduce((sum, clause) => sum + clause.words.length, 0)
  const { lengths = [], less = 0 } = READ_IN_PIECES.find(({ over }) => words > over) ?? {}
  for (const length of lengths) {
    for (let first = 0, end = 0, words = 0; first < clauses.length; first++) {
      while (end < clauses.length && words < length) words += clauses[end++]?.words.length ?? 0
      from.push(first)
      to.push(end)
      if (end === clauses.length) break
      words -= clauses[first]?.words.length ?? 0
    }
  }
  for (let first = 0, end = 0; first < clauses.length; first = end) {
    while (end < clauses.length && sentenceOf(clauses[end]) === sentenceOf(clauses[first])) end++
    if (first === 0 && end === clauses.length) break
    from.push(first)
    to.push(end)
  }
  if (clauses.length > 0) {
    from.push(0)
    to.push(clauses.length)
  }
  const part = new Float64Array(from.length)
  for (let piece = 0; piece < from.length; piece++)
    part[piece] = 1 / lengthOf((squares[to[piece] as number] as number) - (squares[from[piece] as number] as number))
  return { length: from.length, from, to, part, less }
}

const sentenceOf = (clause: Clause | undefined) => clause?.words[0]?.sentence

/** A text clause by clause and word by word. What stands in a list at a place holds for all that comes before that clause or word. */
interface Sums {
  /** By clause, then by label. */
  readonly scores: Float64Array
  readonly squares: Float64Array
  /** The first word of each clause. */
  readonly begins: readonly number[]
  readonly words: readonly Word[]
  readonly sayings: readonly Saying[]
  /** What clauses and words beside each other say, and the first of each word. */
  readonly beside: Pick<Features, 'places' | 'much'>
  readonly firsts: readonly number[]
}

function sumUp(model: Model, says: Says, clauses: readonly Clause[]): Sums {
  const begins = [0]
  const words: Word[] = []
  const sayings: Saying[] = []
  const firsts: number[] = []
  const features = new Features()
  for (const clause of clauses) {
    const before = nothingBefore()
    for (let at = 0; at < clause.words.length; at++) {
      const word = clause.words[at] as Word
      const saying = says(word.known, wayOf(word, clause))
      firsts.push(features.length)
      if (at === 0) flagsOf(clause, features)
      pairUp(before, word, saying, features)
      words.push(word)
      sayings.push(saying)
    }
    begins.push(words.length)
  }
  firsts.push(features.length)
  model.count(features)
  const labels = model.labels.length
  const scores = new Float64Array(begins.length * labels)
  const squares = new Float64Array(begins.length)
  for (let clause = 1; clause < begins.length; clause++) {
    const sum = clause * labels
    scores.copyWithin(sum, sum - labels, sum)
    let square = squares[clause - 1] as number
    for (let at = begins[clause - 1] as number; at < (begins[clause] as number); at++) {
      const saying = sayings[at] as Saying
      addSheet(saying, scores, sum, labels)
      square += saying.squares
      for (let feature = firsts[at] as number; feature < (firsts[at + 1] as number); feature++) {
        const counts = features.much[feature] as number
        model.add(features.places[feature] as number, counts, scores, sum)
        square += counts * counts
      }
    }
    squares[clause] = square
  }
  return { scores, squares, begins, words, sayings, beside: features, firsts }
}

function addSheet({ sheet, from }: Saying, scores: Float64Array, sum: number, labels: number): void {
  for (let label = 0; label < labels; label++)
    scores[sum + label] = (scores[sum + label] as number) + (sheet[from + label] as number)
}

/** A longer piece no longer shows what was heard. */
const LONGEST_TELLING = 8

function tellingWords(model: Model, sums: Sums, from: number, to: number, label: number): Word[] {
  const { firsts, beside } = sums
  const says = new Float64Array(to - from)
  for (let at = from; at < to; at++) {
    const saying = sums.sayings[at] as Saying
    let sum = saying.sheet[saying.from + label] as number
    for (let feature = firsts[at] as number; feature < (firsts[at + 1] as number); feature++)
      sum += (beside.much[feature] as number) * model.weightOf(beside.places[feature] as number, label)
    says[at - from] = sum
  }
  let [first, last, most] = [0, 0, 0]
  for (let begin = 0; begin < says.length; begin++) {
    const longest = Math.min(says.length, begin + LONGEST_TELLING)
    let sum = 0
    for (let end = begin; end < longest; end++) {
      sum += says[end] as number
      if (sum > most) [first, last, most] = [begin, end + 1, sum]
    }
  }
  return sums.words.slice(from + first, from + last)
}
