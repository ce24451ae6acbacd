import { remembered } from '../text/remembered.ts'
import type { LanguageRules } from './rules.ts'
import { fold, stemOf } from './stem.ts'

/** Longer than anyone writes; bounds the work whatever is pasted. */
const LONGEST_TEXT = 4000
/** Longer than any word we know. */
const LONGEST_WORD = 40
/** "no fever, cough or pain": how far a denial reaches, in words that mean something. */
const LONGEST_DENIAL = 3
/** How far ahead of a comma an "or" may still belong to the same list. */
const LIST_AHEAD = 5

/** Why a word does not mean that the thing is there: "no fever", "does not hurt", "cannot swallow". */
export interface Denial {
  readonly kind: 'no' | 'not' | 'unable'
  /** Meaningful words between the denial and this word. */
  readonly distance: number
}

/** A word as a language knows it, wherever it stands. */
export interface KnownWord {
  readonly form: string
  readonly stem: string
  /** Holds a sentence together or says little by itself. */
  readonly weight: 'glue' | 'common' | 'meaning'
  /** Counted from the first word that was read: where others note what they work out of it. */
  readonly number: number
}

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

type Token = Word | 'comma'
type Piece = { readonly written: string; readonly form: string; readonly at: number } | 'comma'

/** So many words are kept in mind as they are written, and with their stem and weight in each language. */
const MOST_WORDS = 16_000

const formOf = remembered(MOST_WORDS, (written: string) => fold(written.slice(0, LONGEST_WORD)))

/** A text cut into sentences and words, whatever its language. */
export type Pieces = readonly (readonly Piece[])[]

export function cutUp(text: string): Pieces {
  const sentences: Piece[][] = [[]]
  for (const { 0: written, index: at } of text
    .slice(0, LONGEST_TEXT)
    .matchAll(/[\p{L}\p{N}]+(?:['’´`-][\p{L}\p{N}]+)*|[.!?;:\n]|,/gu)) {
    const form = formOf(written)
    if (written === ',') sentences.at(-1)?.push('comma')
    else if (form === '') sentences.push([])
    else sentences.at(-1)?.push({ written, form, at })
  }
  return sentences
}

/** The words as one language understands them: their stems, their weight, and what is denied. */
export function readWords(pieces: Pieces, rules: LanguageRules): Word[] {
  const words: Word[] = []
  const understand = understandingOf(rules)
  let clause = 0
  for (const [sentence, ofSentence] of pieces.entries()) {
    const tokens: Token[] = []
    let begun = words.length
    const begin = () => {
      if (words.length > begun) clause++
      begun = words.length
    }
    for (const piece of ofSentence) {
      if (piece === 'comma' || rules.ends.has(piece.form)) begin()
      if (piece === 'comma') {
        tokens.push(piece)
        continue
      }
      const { written, form, at } = piece
      const known = understand(form)
      const { stem, weight } = known
      const word = { known, written, form, stem, place: words.length, at, clause, sentence, weight, denial: undefined }
      tokens.push(word)
      words.push(word)
    }
    begin()
    markDenials(tokens, rules)
  }
  return words
}

const understandings = new WeakMap<LanguageRules, (form: string) => KnownWord>()

/** What a word is to a language, wherever it stands. */
export function understandingOf(rules: LanguageRules): (form: string) => KnownWord {
  const known = understandings.get(rules)
  if (known) return known
  let words = 0
  const made = remembered(MOST_WORDS, (form: string): KnownWord => {
    return { form, stem: stemOf(form, rules), weight: weightOf(form, rules), number: words++ }
  })
  understandings.set(rules, made)
  return made
}

function weightOf(form: string, rules: LanguageRules): Word['weight'] {
  if (rules.glue.has(form) || isDenial(form, rules)) return 'glue'
  const saysLittle = rules.common.has(form) || rules.able.has(form) || rules.ends.has(form) || rules.or.has(form)
  return saysLittle ? 'common' : 'meaning'
}

/** The words of a language that hold a sentence together or say little by themselves: all that weigh less than `meaning`. */
export function smallWordsOf({ glue, no, not, unable, common, able, ends, or }: LanguageRules): ReadonlySet<string> {
  return [no, not, unable, common, able, ends, or].reduce((all, some) => all.union(some), glue)
}

export function isDenial(form: string, rules: LanguageRules): boolean {
  return rules.no.has(form) || rules.not.has(form) || rules.unable.has(form)
}

function markDenials(tokens: readonly Token[], rules: LanguageRules): void {
  for (const [at, token] of tokens.entries()) {
    const kind = denialAt(tokens, at, rules)
    if (token === 'comma' || !kind) continue
    if (!denyAhead(tokens, at + 1, kind, rules)) denyBehind(tokens, at - 1, kind, rules)
  }
}

const formAt = (tokens: readonly Token[], at: number): string => {
  const token = tokens[at]
  return token === undefined || token === 'comma' ? '' : token.form
}

function denialAt(tokens: readonly Token[], at: number, rules: LanguageRules): Denial['kind'] | undefined {
  const form = formAt(tokens, at)
  if (rules.unable.has(form)) return 'unable'
  const kind = rules.not.has(form) ? 'not' : rules.no.has(form) ? 'no' : undefined
  if (!kind || rules.only.has(formAt(tokens, at + 1))) return undefined
  const besideAble = [at - 2, at - 1, at + 1, at + 2].some((near) => rules.able.has(formAt(tokens, near)))
  return besideAble ? 'unable' : kind
}

/** Denies what follows; false when nothing meaningful does. */
function denyAhead(tokens: readonly Token[], from: number, kind: Denial['kind'], rules: LanguageRules): boolean {
  let distance = 0
  for (let at = from; at < tokens.length && distance < LONGEST_DENIAL; at++) {
    const token = tokens[at]
    if (token === undefined) break
    if (token === 'comma') {
      if (!listGoesOn(tokens, at + 1, rules)) break
      distance = 0
    } else if (rules.or.has(token.form)) distance = 0
    else if (rules.ends.has(token.form) || denialAt(tokens, at, rules)) break
    else if (distance > 0 && rules.subjects.has(token.form)) break
    else if (token.weight === 'meaning') token.denial = { kind, distance: distance++ }
    else if (token.weight === 'common' && !rules.able.has(token.form)) token.denial = { kind, distance }
  }
  return tokens
    .slice(from)
    .some((token) => token !== 'comma' && token.weight === 'meaning' && token.denial !== undefined)
}

/** "fever, cough or pain" is one list; "no fever, my throat hurts" is not. */
function listGoesOn(tokens: readonly Token[], from: number, rules: LanguageRules): boolean {
  for (let at = from; at < Math.min(from + LIST_AHEAD, tokens.length); at++) {
    const form = formAt(tokens, at)
    if (rules.or.has(form)) return true
    if (rules.ends.has(form)) return false
  }
  return false
}

/** "kuumetta ei ole", "feber har hun ikke": the denial comes last. */
function denyBehind(tokens: readonly Token[], from: number, kind: Denial['kind'], rules: LanguageRules): void {
  let distance = 0
  for (let at = from; at >= 0 && distance < 2; at--) {
    const token = tokens[at]
    if (token === undefined || token === 'comma' || rules.ends.has(token.form) || denialAt(tokens, at, rules)) break
    if (token.weight === 'meaning') token.denial = { kind, distance: distance++ }
  }
}
