import type { CompiledRelease, Language, Senses } from '../../content.ts'
import { perRelease } from '../per-release.ts'
import type { Word } from '../read.ts'
import { LANGUAGE_RULES } from '../rules.ts'
import type { Clause } from './clauses.ts'
import { type Vocabulary, vocabularyOf } from './features.ts'
import { decodeModel, type Model } from './model.ts'
import { ANY_DANGER, COMPLAINT, KIND, type Reading, readingsOf, tellingWords } from './score.ts'

/** How much the kind counts beside how much like danger the words are. */
const OF_KIND = 0.5

/** A trained reader with its labels sorted out. */
export interface Reader {
  readonly model: Model
  readonly vocabulary: Vocabulary
  readonly anyDanger: number
  readonly kinds: readonly Label[]
  readonly complaints: readonly Label[]
}

interface Label {
  readonly id: string
  readonly label: number
}

/** What a label scores, and the clauses that it scores most in. */
export interface Score {
  readonly id: string
  readonly score: number
  readonly label: number
  readonly reading: Reading
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
  return {
    model,
    vocabulary: vocabularyOf(LANGUAGE_RULES[language], senses),
    anyDanger: model.labels.indexOf(ANY_DANGER),
    kinds: below(KIND),
    complaints: below(COMPLAINT),
  }
}

/** A text as a trained reader reads it. */
export interface TrainedReading {
  readonly clauses: readonly Clause[]
  readonly readings: readonly Reading[]
}

export const readTrained = ({ model, vocabulary }: Reader, clauses: readonly Clause[]): TrainedReading => ({
  clauses,
  readings: readingsOf(model, vocabulary, clauses),
})

/** Every kind of danger with its score, best first: how much like danger the words are, and how much like this kind. */
export function dangerScores({ anyDanger, kinds }: Reader, { readings }: TrainedReading): Score[] {
  return kinds
    .flatMap(({ id, label }) => {
      const scored = ({ scores }: Reading) => (scores[anyDanger] as number) + OF_KIND * (scores[label] as number)
      const reading = best(readings, scored)
      return reading ? [{ id, label, reading, score: scored(reading) }] : []
    })
    .sort(byScore)
}

/** Every complaint with its score, best first: by its best clauses, and more by all of the text. */
export function complaintScores({ complaints }: Reader, { readings }: TrainedReading): Score[] {
  const whole = readings.at(-1)
  if (!whole) return []
  return complaints
    .map(({ id, label }) => {
      const reading = best(readings, ({ scores }) => scores[label] as number) ?? whole
      const score = ((reading.scores[label] as number) + 2 * (whole.scores[label] as number)) / 3
      return { id, label, reading, score }
    })
    .sort(byScore)
}

const byScore = (a: Score, b: Score) => b.score - a.score || (a.id < b.id ? -1 : 1)

function best(readings: readonly Reading[], scored: (reading: Reading) => number): Reading | undefined {
  let found: Reading | undefined
  let most = Number.NEGATIVE_INFINITY
  for (const reading of readings) {
    const score = scored(reading)
    if (score > most) [found, most] = [reading, score]
  }
  return found
}

/** The piece of the text that says most for a label. */
export function piecesOf(
  { model, vocabulary }: Reader,
  { clauses }: TrainedReading,
  { label, reading }: Score,
): Word[] {
  return tellingWords(model, vocabulary, clauses.slice(reading.from, reading.to), label)
}
