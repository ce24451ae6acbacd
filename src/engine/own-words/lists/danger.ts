import { type CompiledRelease, LANGUAGES, type Language } from '../../content.ts'
import { perLanguage } from '../../languages.ts'
import { perRelease } from '../per-release.ts'
import { type Pieces, readWords, smallWordsOf, type Word } from '../read.ts'
import { LANGUAGE_RULES } from '../rules.ts'
import { createPhraseBook, type Found, isWholeAndSure, type PhraseBook, WHOLE } from './phrases.ts'

const dangerOf = perRelease((release, language) =>
  createPhraseBook([release.danger[language]], LANGUAGE_RULES[language], WHOLE),
)

/** A text as each language understands it. */
export type Readings = Readonly<Record<Language, readonly Word[]>>

export function readInAll(pieces: Pieces): Readings {
  return perLanguage((language) => readWords(pieces, LANGUAGE_RULES[language]))
}

/** Words that tell of danger: which ones, where they stand in the text, and the sign they tell of where that is known. */
export interface Telling {
  readonly sign?: string
  readonly places: readonly number[]
  readonly words: string
}

/** The words of danger in any language. */
export const dangersIn = (release: CompiledRelease, readings: Readings, language: Language): Telling[] =>
  inAnyLanguage(readings, language, (one) => ({ book: dangerOf(release, one), signs: [] }))

const heardOf = perRelease((release, language) => {
  const signs = Object.keys(release.heard[language])
  const book = createPhraseBook(Object.values(release.heard[language]), LANGUAGE_RULES[language], WHOLE)
  return { signs, book }
})

/** The words that tell of a sign, in any language. */
export const signsIn = (release: CompiledRelease, readings: Readings, language: Language): Telling[] =>
  inAnyLanguage(readings, language, (one) => heardOf(release, one))

/** The places of words that the lists of danger know: the first word of each find. */
export const listedIn = (release: CompiledRelease, readings: Readings, language: Language): ReadonlySet<number> =>
  new Set(
    [...signsIn(release, readings, language), ...dangersIn(release, readings, language)].flatMap(
      ({ places: [first] }) => first ?? [],
    ),
  )

function inAnyLanguage(
  readings: Readings,
  language: Language,
  bookOf: (one: Language) => { readonly book: PhraseBook; readonly signs: readonly string[] },
): Telling[] {
  const own = readings[language]
  const small = smallWords(own)
  return LANGUAGES.flatMap((one) => {
    const words = readings[one]
    // International words ("stroke") are in several lists, but only the text's own language knows what it denies.
    if (one !== language && small >= smallWords(words)) takeDenials(words, own)
    const { book, signs } = bookOf(one)
    return book
      .find(one === language ? words : withoutGlue(words, own), one === language, (units) => units + 2)
      .filter(isWholeAndSure)
      .map(({ phrase, at }) => tellingOf(signs[phrase.owner], at))
  })
}

function tellingOf(sign: string | undefined, at: Found['at']): Telling {
  const words = new Map(at.map(({ word }) => [word.place, word.written]))
  const places = [...words.keys()].sort((a, b) => a - b)
  const written = places.map((place) => words.get(place) ?? '').join(' ')
  return { ...(sign !== undefined && { sign }), places, words: written }
}

/** The languages in which a word holds a sentence together or says little by itself. */
const SMALL_IN: ReadonlyMap<string, readonly Language[]> = smallInLanguages()

function smallInLanguages(): Map<string, Language[]> {
  const small = new Map<string, Language[]>()
  for (const language of LANGUAGES)
    for (const form of smallWordsOf(LANGUAGE_RULES[language])) small.set(form, [...(small.get(form) ?? []), language])
  return small
}

/** The language whose small words the text has most of; the page's own where none has more. */
export function likelyIn(pieces: Pieces, page: Language): Language {
  const counts = { en: 0, fi: 0, no: 0, sv: 0 } satisfies Record<Language, number>
  for (const sentence of pieces)
    for (const piece of sentence)
      if (piece !== 'comma') for (const language of SMALL_IN.get(piece.form) ?? []) counts[language]++
  return LANGUAGES.reduce((likely, one) => (counts[one] > counts[likely] ? one : likely), page)
}

const smallWords = (words: readonly Word[]) => words.filter(({ weight }) => weight !== 'meaning').length

/** "not … and" in English is not "nötter … andas" in Swedish: what only holds a sentence together in the text's own language is no word of another. */
function withoutGlue(words: readonly Word[], own: readonly Word[]): Word[] {
  return words.filter(({ weight }, place) => weight !== 'meaning' || own[place]?.weight !== 'glue')
}

function takeDenials(words: readonly Word[], from: readonly Word[]): void {
  for (const [place, word] of words.entries()) word.denial ??= from[place]?.denial
}
