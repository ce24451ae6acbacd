import { type CompiledRelease, LANGUAGES, type Language } from '../content.ts'
import { likelyLanguage, type Readings, readInAll } from './danger.ts'
import { cutUp } from './read.ts'
import { type Reader, readerOf, readTrained, type TrainedReading } from './trained.ts'

/** A text as it is written, as each language understands it, and as the trained readers read it. */
export interface Told {
  readonly text: string
  readonly page: Language
  readonly likely: Language
  readonly readings: Readings
  readonly trained: readonly {
    readonly language: Language
    readonly reader: Reader
    readonly reading: TrainedReading
  }[]
}

/** People write in the language they think in, whatever language the page has: both are read. */
export function tell(release: CompiledRelease, text: string, page: Language): Told {
  const readings = readInAll(cutUp(text))
  const likely = likelyLanguage(readings, page)
  const trained = LANGUAGES.filter((language) => language === page || language === likely).flatMap((language) => {
    const reader = readerOf(release, language)
    return reader ? [{ language, reader, reading: readTrained(reader, readings[language], language) }] : []
  })
  return { text, page, likely, readings, trained }
}

/** The piece of a text from one word to another, as it was written. */
export function pieceOf(text: string, words: readonly { readonly at: number; readonly written: string }[]): string {
  const from = Math.min(...words.map(({ at }) => at))
  const to = Math.max(...words.map(({ at, written }) => at + written.length))
  return words.length === 0 ? '' : text.slice(from, to)
}
