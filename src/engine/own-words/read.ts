import { LANGUAGES, type Language } from '../content.ts'
import { type Denial, markDenials, type Token } from './denials.ts'
import type { KnownWord } from './known.ts'
import { COMMA, END, kindAt, LETTER } from './letters.ts'
import type { Understanding } from './understanding.ts'

/** Longer than anyone writes; bounds the work whatever is pasted. */
const LONGEST_TEXT = 4000

/** A word of a text as one language understands it. */
export interface Word extends Pick<KnownWord, 'form' | 'stem' | 'weight'> {
  readonly known: KnownWord
  /** As the patient wrote it. */
  readonly written: string
  /** Place among all words of the text. */
  readonly place: number
  /** Where it begins in the text. */
  readonly at: number
  /** Which clause of the text it stands in. */
  readonly clause: number
  readonly sentence: number
  denial: Denial | undefined
}

/** The words as one language understands them: their stems, their weight, and what is denied. */
export function readWords(given: string, { wordAt }: Understanding): Word[] {
  const text = given.slice(0, LONGEST_TEXT)
  const words: Word[] = []
  let tokens: Token[] = []
  let [sentence, clause, begun, at] = [0, 0, 0, 0]
  while (at < text.length) {
    const kind = kindAt(text, at)
    const word = kind === LETTER ? wordAt(text, at) : undefined
    const isEnd = kind === END || word?.known.form === ''
    if (words.length > begun && (isEnd || kind === COMMA || word?.known.role.ends)) {
      clause++
      begun = words.length
    }
    if (isEnd) {
      markDenials(tokens)
      tokens = []
      sentence++
    } else if (word) {
      const { known, written } = word
      const { form, stem, weight } = known
      const one = { known, written, form, stem, place: words.length, at, clause, sentence, weight, denial: undefined }
      tokens.push(one)
      words.push(one)
    } else if (kind === COMMA) tokens.push('comma')
    at += word ? word.written.length : 1
  }
  markDenials(tokens)
  return words
}

/** How many commas a text has as far as it is read. */
export function commasIn(given: string): number {
  let commas = 0
  for (let at = given.indexOf(','); at >= 0 && at < LONGEST_TEXT; at = given.indexOf(',', at + 1)) commas++
  return commas
}

/** The language whose small words the text has most of; the page's own where none has more. */
export function likelyIn(words: readonly Word[], page: Language): Language {
  const counts = { en: 0, fi: 0, no: 0, sv: 0 } satisfies Record<Language, number>
  for (const { known } of words) for (const language of known.smallIn) counts[language]++
  return LANGUAGES.reduce((likely, one) => (counts[one] > counts[likely] ? one : likely), page)
}
