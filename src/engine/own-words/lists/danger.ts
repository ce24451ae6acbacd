import { type CompiledRelease, LANGUAGES, type Language } from '../../content.ts'
import { perLanguage } from '../../languages.ts'
import { perRelease } from '../per-release.ts'
import { readWords, type Word } from '../read.ts'
import { understandingIn } from '../understanding.ts'
import { createPhraseBook, type Found, type PhraseBook, WHOLE } from './phrases.ts'

const dangerOf = perRelease((release, language) =>
  createPhraseBook([release.danger[language]], understandingIn(release, language), { list: 'danger', ...WHOLE }),
)

/** A text as each language understands it. */
export type Readings = Readonly<Record<Language, readonly Word[]>>

export const readInAll = (release: CompiledRelease, text: string): Readings =>
  perLanguage((language) => readWords(text, understandingIn(release, language)))

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
  const book = createPhraseBook(Object.values(release.heard[language]), understandingIn(release, language), {
    list: 'signs',
    ...WHOLE,
  })
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
  return LANGUAGES.flatMap((one) => {
    const words = readings[one]
    // The lists of a language that the text is not read in need not be taken up.
    if (one !== language && words.length === 0) return []
    // International words ("stroke") are in several lists, but only the text's own language knows what it denies.
    if (one !== language && smallWords(own) >= smallWords(words)) takeDenials(words, own)
    const { book, signs } = bookOf(one)
    return book
      .find(one === language ? words : withoutSmall(words, own), one === language, (units) => units + 2)
      .map(({ phrase, at }) => tellingOf(signs[phrase.owner], at))
  })
}

function tellingOf(sign: string | undefined, at: Found['at']): Telling {
  const words = new Map(at.map(({ word }) => [word.place, word.written]))
  const places = [...words.keys()].sort((a, b) => a - b)
  const written = places.map((place) => words.get(place) ?? '').join(' ')
  return { ...(sign !== undefined && { sign }), places, words: written }
}

const smallWords = (words: readonly Word[]) => words.filter(({ weight }) => weight !== 'meaning').length

/** "not … and" in English is not "nötter … andas" in Swedish, nor "do" to die: a small word of the text's own language is no word of another. */
function withoutSmall(words: readonly Word[], own: readonly Word[]): Word[] {
  return words.filter(({ weight }, place) => weight !== 'meaning' || (own[place]?.weight ?? 'meaning') === 'meaning')
}

function takeDenials(words: readonly Word[], from: readonly Word[]): void {
  for (const [place, word] of words.entries()) word.denial ??= from[place]?.denial
}
