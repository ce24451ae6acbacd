import type { Senses } from '../../content.ts'
import type { Word } from '../read.ts'
import type { LanguageRules } from '../rules.ts'
import { fold, stemOf } from '../stem.ts'
import type { Clause } from './clauses.ts'

/** What is said of long ago or denied is heard as something else than what is there: its features are others. */
const PLAIN = 0x811c9dc5
const DENIED = 0x2b5f1c37
const PAST = 0x5d1a9e03

/** Kinds of features, so that a word and letters inside a word never count as the same. */
const LETTERS = 1
const FORM = 2
const STEM = 3
const CLASS = 4
const PAIR = 5
const FLAG = 6
const SENSE = 9

/** A whole word tells more than one of its pieces. */
const WEIGHT_OF_PIECE = 1
const WEIGHT_OF_WORD = 2
const WEIGHT_OF_PAIR = 1.5
const WEIGHT_OF_SENSE = 3
const WEIGHT_OF_FLAG = 2
const WEIGHT_OF_LISTED = 6

/** Flags; those of numbers come before. */
const LISTED = 10
const ASKED = 11

const SHORTEST_PIECE = 3
const LONGEST_PIECE = 5
const EDGE = 0x5f

/** Takes one feature, how much it counts, and the word (by its place in the list) that it comes from. */
export type Take = (feature: number, weight: number, word: number) => void

/** What is known of words: which stand for each other, by stem, and in which sense they point. */
export interface Vocabulary {
  readonly alike: ReadonlyMap<string, number>
  readonly senses: ReadonlyMap<string, readonly number[]>
}

const SHORTEST_BEGINNING = 4
const SHORTEST_END = 5

export function vocabularyOf(rules: LanguageRules, senses: Senses): Vocabulary {
  const groups = [...rules.alike, ...rules.alikeInDanger]
  return {
    alike: new Map(groups.flatMap((group, number) => group.map((word) => [stemOf(word, rules), number] as const))),
    senses: sensesByWord(senses),
  }
}

function sensesByWord(senses: Senses): Map<string, number[]> {
  const byWord = new Map<string, number[]>()
  for (const [sense, words] of Object.entries(senses)) {
    const number = hashOf(sense, PLAIN, SENSE)
    for (const word of words.map(fold)) byWord.set(word, [...(byWord.get(word) ?? []), number])
  }
  return byWord
}

const NO_SENSE: readonly number[] = []

/** The senses of a word: its own, those of its longest known beginning, or those of its longest known end. */
function sensesOf(form: string, senses: Vocabulary['senses']): readonly number[] {
  const own = senses.get(form)
  if (own !== undefined) return own
  for (let length = form.length - 1; length >= SHORTEST_BEGINNING; length--) {
    const found = senses.get(form.slice(0, length))
    if (found !== undefined) return found
  }
  for (let from = 1; from <= form.length - SHORTEST_END; from++) {
    const found = senses.get(form.slice(from))
    if (found !== undefined) return found
  }
  return NO_SENSE
}

/** Tells the features of the words of one clause: their letters, the words, what they stand for, and pairs of them. */
export function featuresOf(
  { words, isPast, isListed, asks }: Clause,
  { alike: classes, senses }: Vocabulary,
  take: Take,
): void {
  let before = 0
  let beforeClass: number | undefined
  let meantBefore: readonly number[] = []
  let meantOnce: readonly number[] = []
  if (isPast) take(mix(PAST, FLAG, 0), WEIGHT_OF_FLAG, 0)
  if (isListed) take(mix(isPast ? PAST : PLAIN, FLAG, LISTED), WEIGHT_OF_LISTED, 0)
  if (asks) take(mix(PLAIN, FLAG, ASKED), WEIGHT_OF_FLAG, 0)
  for (let at = 0; at < words.length; at++) {
    const { form, stem, weight, denial } = words[at] as Word
    const salt = isPast ? PAST : denial ? DENIED : PLAIN
    piecesOf(form, salt, at, take)
    const number = numberClass(form)
    if (number !== undefined) take(mix(salt, FLAG, number), WEIGHT_OF_FLAG, at)
    take(hashOf(form, salt, FORM), WEIGHT_OF_WORD, at)
    const stemmed = hashOf(stem, salt, STEM)
    take(stemmed, WEIGHT_OF_WORD, at)
    const alike = classes.get(stem)
    if (alike !== undefined) take(mix(salt, CLASS, alike), WEIGHT_OF_WORD, at)
    const meant = sensesOf(form, senses).map((sense) => mix(salt, SENSE, sense))
    for (const sense of meant) {
      take(sense, WEIGHT_OF_SENSE, at)
      for (const other of meantBefore) take(mix(other ^ sense, PAIR + 2, 0), WEIGHT_OF_PAIR, at)
    }
    if (meant.length > 0) {
      meantBefore = [...meant, ...meantOnce]
      meantOnce = meant
    }
    if (weight === 'glue' && !denial) continue
    if (before !== 0) {
      take(mix(before, PAIR, stemmed), WEIGHT_OF_PAIR, at)
      if (alike !== undefined || beforeClass !== undefined)
        take(mix(beforeClass ?? before, PAIR + 1, alike ?? stemmed), WEIGHT_OF_PAIR, at)
    }
    before = stemmed
    beforeClass = alike
  }
}

/** Every run of three to five letters inside a word, its edges included. */
function piecesOf(form: string, salt: number, at: number, take: Take): void {
  const end = form.length + 1
  for (let from = 0; from <= end - SHORTEST_PIECE + 1; from++) {
    let hash = salt
    for (let length = 1; length <= LONGEST_PIECE && from + length <= end + 1; length++) {
      const place = from + length - 1
      const letter = place === 0 || place === end ? EDGE : form.charCodeAt(place - 1)
      hash = Math.imul(hash ^ letter, 0x01000193)
      if (length >= SHORTEST_PIECE) take(mix(hash, LETTERS, length), WEIGHT_OF_PIECE, at)
    }
  }
}

/** Years, degrees of fever, and other numbers by their size. */
function numberClass(form: string): number | undefined {
  const first = form.charCodeAt(0)
  if (first < 48 || first > 57) return undefined
  const value = Number.parseInt(form, 10)
  if (value >= 1900 && value <= 2100) return 1
  if (value >= 36 && value <= 42) return 2
  return value < 10 ? 3 : value < 100 ? 4 : value < 1000 ? 5 : 6
}

function hashOf(text: string, salt: number, kind: number): number {
  let hash = salt
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mix(hash, kind, text.length)
}

/** Spreads three numbers over 32 bits; never 0, which means that there is no feature. */
function mix(a: number, b: number, c: number): number {
  let hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1) ^ Math.imul(c, 0x85ebca6b), 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f)
  return (hash ^ (hash >>> 13)) >>> 0 || 1
}
