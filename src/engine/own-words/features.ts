import type { Word } from './read.ts'
import type { LanguageRules } from './rules.ts'
import { stemOf } from './stem.ts'

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

/** A whole word tells more than one of its pieces. */
const WEIGHT_OF_PIECE = 1
const WEIGHT_OF_WORD = 2
const WEIGHT_OF_PAIR = 1.5
const WEIGHT_OF_FLAG = 2

const SHORTEST_PIECE = 3
const LONGEST_PIECE = 5
const EDGE = 0x5f

/** Takes one feature, how much it counts, and the word (by its place in the list) that it comes from. */
export type Take = (feature: number, weight: number, word: number) => void

/** Which words stand for each other, by stem. */
export type Classes = ReadonlyMap<string, number>

export function classesOf(rules: LanguageRules): Classes {
  const groups = [...rules.alike, ...rules.alikeInDanger]
  return new Map(groups.flatMap((group, number) => group.map((word) => [stemOf(word, rules), number] as const)))
}

/** Tells the features of the words of one clause: their letters, the words, what they stand for, and pairs of them. */
export function featuresOf(words: readonly Word[], isPast: boolean, classes: Classes, take: Take): void {
  let before = 0
  let beforeClass: number | undefined
  if (isPast) take(mix(PAST, FLAG, 0), WEIGHT_OF_FLAG, 0)
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
