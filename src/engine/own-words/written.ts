import { LANGUAGES, type Language } from '../content.ts'
import { type KnownWord, smallWordsOf } from './known.ts'
import { COMMA, END, endOfWord, kindAt, LETTER } from './letters.ts'
import { LANGUAGE_RULES } from './rules.ts'
import { fold } from './stem.ts'

/** Longer than anyone writes; bounds the work whatever is pasted. */
const LONGEST_TEXT = 4000
/** Longer than any word we know. */
const LONGEST_WORD = 40

/** So many written words are at hand, each in the place that its letters point to, until another takes it. */
const AT_HAND = 2 ** 15
const PRIME = 0x01000193

/** A word as people write it, with what is known of it: it is looked up once, and what follows goes by what it holds. */
export interface WrittenWord {
  readonly written: string
  /** Folded; empty when it is a mark. */
  readonly form: string
  /** The languages in which it holds a sentence together or says little by itself. */
  readonly smallIn: readonly Language[]
  /** What each language knows of it, once it was asked. */
  readonly known: (KnownWord | undefined)[]
}

export type Piece = { readonly word: WrittenWord; readonly at: number } | 'comma'

/** A text cut into sentences and words, whatever its language. */
export type Pieces = readonly (readonly Piece[])[]

export function cutUp(given: string): Pieces {
  const text = given.slice(0, LONGEST_TEXT)
  let sentence: Piece[] = []
  const sentences = [sentence]
  let at = 0
  while (at < text.length) {
    const kind = kindAt(text, at)
    const end = kind === LETTER ? endOfWord(text, at) : at + 1
    const word = kind === LETTER ? wordAt(text, at, end) : undefined
    if (kind === COMMA) sentence.push('comma')
    else if (word && word.form !== '') sentence.push({ word, at })
    else if (word || kind === END) {
      sentence = []
      sentences.push(sentence)
    }
    at = end
  }
  return sentences
}

const atHand = new Array<WrittenWord | undefined>(AT_HAND).fill(undefined)

/** The word from one place of a text to another. Most words were read before: their letters are compared, and nothing is made of them. */
function wordAt(text: string, from: number, to: number): WrittenWord {
  let hash = 0
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
  const place = (hash ^ (hash >>> 15)) & (AT_HAND - 1)
  const known = atHand[place]
  if (known?.written.length === to - from && text.startsWith(known.written, from)) return known
  const word = writtenWord(ownLetters(text.slice(from, to)))
  atHand[place] = word
  return word
}

function writtenWord(written: string): WrittenWord {
  const form = fold(written.slice(0, LONGEST_WORD))
  return { written, form, smallIn: SMALL_IN.get(form) ?? NOWHERE, known: [] }
}

/** A word that is kept would keep in memory the whole text that it was cut from. */
const ownLetters = (word: string): string => word.split('').join('')

const NOWHERE: readonly Language[] = []

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
    for (const piece of sentence) if (piece !== 'comma') for (const language of piece.word.smallIn) counts[language]++
  return LANGUAGES.reduce((likely, one) => (counts[one] > counts[likely] ? one : likely), page)
}
