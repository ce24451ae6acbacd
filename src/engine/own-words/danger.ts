import { type CompiledRelease, LANGUAGES, type Language } from '../content.ts'
import { perRelease } from './per-release.ts'
import { createPhraseBook, type Found } from './phrases.ts'
import { readWords } from './read.ts'
import { LANGUAGE_RULES } from './rules.ts'

const LEAST_SURE = 0.75

const dangerOf = perRelease((release, language) =>
  createPhraseBook([release.danger[language]], LANGUAGE_RULES[language], { strict: true }),
)

/** Whether the words mean danger in any language; misspelt ones count in the patient's own (in all when it is not known). */
export function meansDanger(release: CompiledRelease, text: string, language?: Language): boolean {
  return LANGUAGES.some((one) => {
    const words = readWords(text, LANGUAGE_RULES[one])
    const tolerant = language === undefined || language === one
    return dangerOf(release, one)
      .find(words, tolerant, (units) => units + 2)
      .some(isWholeAndSure)
  })
}

function isWholeAndSure({ phrase, at }: Found): boolean {
  const sentence = at[0]?.word.sentence
  const sure = at.every(({ sureness, word }) => sureness >= LEAST_SURE && word.sentence === sentence)
  return sure && at.length === phrase.units.length
}
