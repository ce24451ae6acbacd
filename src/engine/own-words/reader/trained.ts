import type { CompiledRelease, Language, Senses } from '../../content.ts'
import { perRelease } from '../per-release.ts'
import { LANGUAGE_RULES } from '../rules.ts'
import type { Clause } from './clauses.ts'
import { vocabularyOf } from './features.ts'
import { decodeModel, type Model } from './model.ts'
import { type Says, sayingsOf } from './sayings.ts'
import { ANY_DANGER, COMPLAINT, KIND, readingsOf, type TrainedReading } from './score.ts'

/** How much the kind counts beside how much like danger the words are. */
const OF_KIND = 0.5
/** A trained reader with its labels sorted out. */
export interface Reader {
  readonly model: Model
  readonly says: Says
  readonly anyDanger: number
  readonly kinds: readonly Label[]
  readonly complaints: readonly Label[]
  /** Whether an example was of this complaint. */
  readonly knowsComplaint: (id: string) => boolean
}

interface Label {
  readonly id: string
  readonly label: number
}

/** What a label scores, and the piece of the text that it scores most in. */
export interface Score {
  readonly id: string
  readonly score: number
  readonly label: number
  readonly piece: number
}

/** The trained reader of a language; undefined when the release has none. */
export const readerOf: (release: CompiledRelease, language: Language) => Reader | undefined = perRelease(
  (release, language) => {
    // Releases that were published before there were readers have no list of them.
    const bytes = release.readers?.[language]
    return bytes === undefined
      ? undefined
      : createReader(Uint8Array.fromBase64(bytes), language, release.senses[language])
  },
)

export function createReader(bytes: Uint8Array, language: Language, senses: Senses): Reader {
  const model = decodeModel(bytes)
  const below = (beginning: string) =>
    model.labels.flatMap((name, label) =>
      name.startsWith(beginning) ? [{ id: name.slice(beginning.length), label }] : [],
    )
  const complaints = below(COMPLAINT)
  const ids = new Set(complaints.map(({ id }) => id))
  return {
    model,
    says: sayingsOf(model, vocabularyOf(LANGUAGE_RULES[language], senses)),
    anyDanger: model.labels.indexOf(ANY_DANGER),
    kinds: below(KIND),
    complaints,
    knowsComplaint: (id) => ids.has(id),
  }
}

/** A text as a trained reader reads it. */
export const readTrained = ({ model, says }: Reader, clauses: readonly Clause[]): TrainedReading =>
  readingsOf(model, says, clauses)

/** Every kind of danger with its score, best first: how much like danger the words are, and how much like this kind. */
export function dangerScores({ anyDanger, kinds }: Reader, reading: TrainedReading): Score[] {
  const { length, less } = reading.pieces
  if (length === 0) return []
  const danger = new Float64Array(length)
  for (let piece = 0; piece < length; piece++)
    danger[piece] = reading.scoreOf(anyDanger, piece) - (piece < length - 1 ? less : 0)
  const most = reading.mostFor(labelsOf(kinds), OF_KIND, danger)
  return kinds
    .map(({ id, label }, place) => {
      return { id, label, piece: most.pieces[place] as number, score: most.scores[place] as number }
    })
    .sort(byScore)
}

/** How much the whole text counts for a complaint beside the piece that says most for it: a long one speaks of much else, too. */
const OF_WHOLE = 4

/** Every complaint with its score, best first: by its best clauses, and more by all of the text. */
export function complaintScores({ complaints }: Reader, reading: TrainedReading): Score[] {
  const { length } = reading.pieces
  if (length === 0) return []
  const most = reading.mostFor(labelsOf(complaints), 1, new Float64Array(length))
  return complaints
    .map(({ id, label }, place) => {
      const whole = reading.scoreOf(label, length - 1)
      const score = ((most.scores[place] as number) + OF_WHOLE * whole) / (1 + OF_WHOLE)
      return { id, label, piece: most.pieces[place] as number, score }
    })
    .sort(byScore)
}

const labelsOf = (some: readonly Label[]) => new Uint8Array(some.map(({ label }) => label))

const byScore = (a: Score, b: Score) => b.score - a.score || (a.id < b.id ? -1 : 1)
