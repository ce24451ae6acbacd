import { type CompiledRelease, LANGUAGES, type Language } from '../content.ts'
import { perLanguage } from '../languages.ts'
import { perRelease } from './per-release.ts'
import { createPhraseBook, type Found } from './phrases.ts'
import { type Pieces, readWords, type Word } from './read.ts'
import { LANGUAGE_RULES } from './rules.ts'

const LEAST_SURE = 0.75

const dangerOf = perRelease((release, language) =>
  createPhraseBook([release.danger[language]], LANGUAGE_RULES[language], { strict: true }),
)

/** A text as each language understands it. */
export type Readings = Readonly<Record<Language, readonly Word[]>>

export function readInAll(pieces: Pieces): Readings {
  return perLanguage((language) => readWords(pieces, LANGUAGE_RULES[language]))
}

/**
 * Whether the words mean danger in any language; misspelt ones count in the patient's own only. The readings of the
 * other languages take over its denials.
 */
export function meansDanger(release: CompiledRelease, readings: Readings, language: Language): boolean {
  const own = readings[language]
  const small = smallWords(own)
  return LANGUAGES.some((one) => {
    const words = readings[one]
    // International words ("stroke") are in several lists, but only the text's own language recognises its denials.
    if (one !== language && small >= smallWords(words)) takeDenials(words, own)
    return dangerOf(release, one)
      .find(words, one === language, (units) => units + 2)
      .some(isWholeAndSure)
  })
}

const heardOf = perRelease((release, language) => {
  const signs = Object.keys(release.heard[language])
  const book = createPhraseBook(Object.values(release.heard[language]), LANGUAGE_RULES[language], { strict: true })
  return { signs, book }
})

/** The signs recognised in the words, in any language. */
export function signsIn(release: CompiledRelease, readings: Readings, language: Language): string[] {
  const own = readings[language]
  const found = LANGUAGES.flatMap((one) => {
    const { signs, book } = heardOf(release, one)
    if (one !== language && smallWords(own) >= smallWords(readings[one])) takeDenials(readings[one], own)
    return book
      .find(readings[one], one === language, (units) => units + 2)
      .filter(isWholeAndSure)
      .flatMap(({ phrase }) => signs[phrase.owner] ?? [])
  })
  return [...new Set(found)]
}

/** The language whose small words are the most frequent in the text. */
export function likelyLanguage(readings: Readings): Language {
  const counts = LANGUAGES.map((language) => smallWords(readings[language]))
  return LANGUAGES[counts.indexOf(Math.max(...counts))] ?? 'en'
}

const smallWords = (words: readonly Word[]) => words.filter(({ weight }) => weight !== 'meaning').length

function takeDenials(words: readonly Word[], from: readonly Word[]): void {
  for (const [place, word] of words.entries()) word.denial ??= from[place]?.denial
}

function isWholeAndSure({ phrase, at }: Found): boolean {
  const sentence = at[0]?.word.sentence
  const sure = at.every(({ sureness, word }) => sureness >= LEAST_SURE && word.sentence === sentence)
  return sure && at.length === phrase.units.length
}
