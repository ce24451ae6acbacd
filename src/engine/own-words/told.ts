import { type CompiledRelease, LANGUAGES, type Language } from '../content.ts'
import { perLanguage } from '../languages.ts'
import { dangersIn, type Readings, signsIn, type Telling } from './lists/danger.ts'
import { commasIn, likelyIn, readWords } from './read.ts'
import { type Clause, clausesOf } from './reader/clauses.ts'
import type { TrainedReading } from './reader/score.ts'
import { type Reader, readerOf, readTrained } from './reader/trained.ts'
import { understandingIn } from './understanding.ts'

/** A text of more words and commas tells its own language; a shorter one is looked up in the lists of every language. */
const LONG_TEXT = 80

/** A text as it is written, as each language understands it, and as the trained readers read it. */
export interface Told {
  readonly text: string
  readonly page: Language
  readonly likely: Language
  readonly readings: Readings
  /** As the likely language cuts it. */
  readonly clauses: readonly Clause[]
  /** What the lists of danger find. */
  readonly listed: readonly Telling[]
  readonly trained: readonly {
    readonly language: Language
    readonly reader: Reader
    readonly reading: TrainedReading
  }[]
}

/** People write in the language they think in, whatever language the page has: both are read. */
export function tell(release: CompiledRelease, text: string, page: Language): Told {
  const own = readWords(text, understandingIn(release, page))
  const likely = likelyIn(own, page)
  const isLong = own.length > LONG_TEXT || own.length + commasIn(text) > LONG_TEXT
  const readings = perLanguage((language) => {
    if (language === page) return own
    return isLong && language !== likely ? [] : readWords(text, understandingIn(release, language))
  })
  const listed = [...signsIn(release, readings, likely), ...dangersIn(release, readings, likely)]
  const places = new Set(listed.flatMap(({ places: [first] }) => first ?? []))
  const clausesIn = (language: Language) => clausesOf(text, readings[language], places)
  const clauses = clausesIn(likely)
  const trained = LANGUAGES.filter((language) => language === page || language === likely).flatMap((language) => {
    const reader = readerOf(release, language)
    if (!reader) return []
    const reading = readTrained(reader, language === likely ? clauses : clausesIn(language))
    return [{ language, reader, reading }]
  })
  return { text, page, likely, readings, clauses, listed, trained }
}

/** The piece of a text from one word to another, as it was written. */
export function pieceOf(text: string, words: readonly { readonly at: number; readonly written: string }[]): string {
  const from = Math.min(...words.map(({ at }) => at))
  const to = Math.max(...words.map(({ at, written }) => at + written.length))
  return words.length === 0 ? '' : text.slice(from, to)
}
