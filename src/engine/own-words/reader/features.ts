import type { Senses } from '../../content.ts'
import type { Word } from '../read.ts'
import type { LanguageRules } from '../rules.ts'
import { Stems } from '../stems.ts'
import type { Clause } from './clauses.ts'
import { sensesIn } from './senses.ts'

/** What is said of long ago or denied is heard as something else than what is there: its features are others. */
export const PLAIN = 0x811c9dc5
export const DENIED = 0x2b5f1c37
export const PAST = 0x5d1a9e03

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

/** Features one after another, each a number of 32 bits with its sign, and how much it counts; once a model has counted them, the place where it knows each, and how much that counts there. */
export class Features {
  length = 0
  ids: Int32Array
  weights: Float64Array
  places: Int32Array
  much: Float64Array

  constructor(room = 256) {
    this.ids = new Int32Array(room)
    this.weights = new Float64Array(room)
    this.places = new Int32Array(room)
    this.much = new Float64Array(room)
  }

  add(id: number, weight: number): void {
    if (this.length === this.ids.length) this.widen()
    this.ids[this.length] = id
    this.weights[this.length++] = weight
  }

  private widen(): void {
    const { ids, weights, places, much } = new Features(2 * this.ids.length)
    ids.set(this.ids)
    weights.set(this.weights)
    this.ids = ids
    this.weights = weights
    this.places = places
    this.much = much
  }
}

/** What is known of words: which stand for each other, by stem, and in which sense they point. */
export interface Vocabulary {
  readonly alike: ReadonlyMap<string, number>
  readonly sensesOf: (form: string) => readonly number[]
}

export function vocabularyOf(rules: LanguageRules, senses: Senses): Vocabulary {
  const stems = new Stems(rules)
  const groups = [...rules.alike, ...rules.alikeInDanger]
  return {
    alike: new Map(groups.flatMap((group, number) => group.map((word) => [stems.stemOf(word), number] as const))),
    sensesOf: sensesIn(senses, (sense) => hashOf(sense, PLAIN, SENSE)),
  }
}

/** Tells the features of the words of one clause: their letters, the words, what they stand for, and pairs of them. */
export function featuresOf(clause: Clause, vocabulary: Vocabulary, into: Features): void {
  flagsOf(clause, into)
  const before = nothingBefore()
  for (const word of clause.words) {
    const way = wayOf(word, clause)
    wordFeatures(word.form, word.stem, way, vocabulary, into)
    pairUp(before, word, meaningOf(word.form, word.stem, way, vocabulary), into)
  }
}

/** What holds for a clause as a whole. */
export function flagsOf({ isPast, isListed, asks }: Omit<Clause, 'words'>, into: Features): void {
  if (isPast) into.add(mix(PAST, FLAG, 0), WEIGHT_OF_FLAG)
  if (isListed) into.add(mix(isPast ? PAST : PLAIN, FLAG, LISTED), WEIGHT_OF_LISTED)
  if (asks) into.add(mix(PLAIN, FLAG, ASKED), WEIGHT_OF_FLAG)
}

/** In which way a word is said: as it is, denied, or of long ago. */
export const wayOf = ({ denial }: Word, { isPast }: Clause): number => (isPast ? PAST : denial ? DENIED : PLAIN)

/** What a word tells by itself, wherever it stands. */
export function wordFeatures(form: string, stem: string, way: number, { alike }: Vocabulary, into: Features): void {
  piecesOf(form, way, into)
  const number = numberClass(form)
  if (number !== undefined) into.add(mix(way, FLAG, number), WEIGHT_OF_FLAG)
  into.add(hashOf(form, way, FORM), WEIGHT_OF_WORD)
  into.add(hashOf(stem, way, STEM), WEIGHT_OF_WORD)
  const group = alike.get(stem)
  if (group !== undefined) into.add(mix(way, CLASS, group), WEIGHT_OF_WORD)
}

/** What a word is beside others: its stem, the group of words that stand for each other, and its senses. */
export interface Meaning {
  readonly stemmed: number
  readonly alike: number | undefined
  readonly meant: readonly number[]
}

export function meaningOf(form: string, stem: string, way: number, { alike, sensesOf }: Vocabulary): Meaning {
  return {
    stemmed: hashOf(stem, way, STEM),
    alike: alike.get(stem),
    meant: sensesOf(form).map((sense) => mix(way, SENSE, sense)),
  }
}

/** What the words of a clause said so far that makes pairs with the next one: the last word that says more than glue, and the senses of the last two that have any. */
export interface Before {
  stemmed: number
  alike: number | undefined
  meant: readonly number[]
  meantOnce: readonly number[]
}

export const nothingBefore = (): Before => ({ stemmed: 0, alike: undefined, meant: NOTHING, meantOnce: NOTHING })

const NOTHING: readonly number[] = []

/** Told the words of a clause one after another, tells their senses and what they are in pairs. */
export function pairUp(
  before: Before,
  { weight, denial }: Pick<Word, 'weight' | 'denial'>,
  { stemmed, alike, meant }: Meaning,
  into: Features,
): void {
  if (meant.length > 0) {
    for (const sense of meant) {
      into.add(sense, WEIGHT_OF_SENSE)
      for (const other of before.meant) into.add(mix(other ^ sense, PAIR + 2, 0), WEIGHT_OF_PAIR)
      for (const other of before.meantOnce) into.add(mix(other ^ sense, PAIR + 2, 0), WEIGHT_OF_PAIR)
    }
    before.meantOnce = before.meant
    before.meant = meant
  }
  if (weight === 'glue' && !denial) return
  if (before.stemmed !== 0) {
    into.add(mix(before.stemmed, PAIR, stemmed), WEIGHT_OF_PAIR)
    if (alike !== undefined || before.alike !== undefined)
      into.add(mix(before.alike ?? before.stemmed, PAIR + 1, alike ?? stemmed), WEIGHT_OF_PAIR)
  }
  before.stemmed = stemmed
  before.alike = alike
}

/** Every run of three to five letters inside a word, its edges included. */
function piecesOf(form: string, salt: number, into: Features): void {
  const end = form.length + 1
  for (let from = 0; from <= end - SHORTEST_PIECE + 1; from++) {
    let hash = salt
    for (let length = 1; length <= LONGEST_PIECE && from + length <= end + 1; length++) {
      const place = from + length - 1
      const letter = place === 0 || place === end ? EDGE : form.charCodeAt(place - 1)
      hash = Math.imul(hash ^ letter, 0x01000193)
      if (length >= SHORTEST_PIECE) into.add(mix(hash, LETTERS, length), WEIGHT_OF_PIECE)
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
  return hash ^ (hash >>> 13) || 1
}
