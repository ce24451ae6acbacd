import { remembered } from '../../text/remembered.ts'
import type { Denial } from '../denials.ts'
import { type KnownWord, MOST_WORDS } from '../known.ts'
import { noted } from '../noted.ts'
import { readWords, type Word } from '../read.ts'
import type { LanguageRules } from '../rules.ts'
import { cutUp } from '../written.ts'
import { createLexicon, type Hit, type Lexicon } from './lexicon.ts'

/** One written phrase, ready to be found in a text: its units, each denied or not. */
export interface Phrase {
  readonly owner: number
  /** It contains small words ("pain in the side"), so all of it must stand close together. */
  readonly close: boolean
  readonly units: readonly { readonly unit: number; readonly denial: Denial | undefined }[]
  /** Its last unit is a denial and comes last in a text too: "cannot sleep, wakes" is not "wakes not". */
  readonly endsInDenial?: true
}

/** A phrase found in a text. */
export interface Found {
  readonly phrase: Phrase
  /** Which unit was found where; units that are missing are left out. */
  readonly at: readonly Place[]
}

/** Where a text has a unit, and how surely. */
interface Place {
  readonly unit: number
  readonly word: Word
  readonly sureness: number
}

export interface PhraseBook {
  readonly lexicon: Lexicon
  readonly phrases: readonly Phrase[]
  /** How much each unit counts: the fewer owners have a phrase with it, the more. */
  readonly weights: readonly number[]
  /** `window` says how far apart the words of a phrase of so many units may stand. */
  find(words: readonly Word[], tolerant: boolean, window: (units: number) => number): Found[]
}

/** A word that is repeated over and over says no more. */
const MOST_PLACES = 8

/** Sums of the same weights in another order may differ by so much. */
const ROUNDING = 1e-9

/** By unit: where the text has it. */
type Places = (Place[] | undefined)[]

export interface PhraseBookSettings {
  /** Words match by their beginning, and every word but glue counts. */
  readonly strict: boolean
  /** A phrase is looked for when the text has this much of its meaning, wherever it stands. */
  readonly leastShare: number
}

/** For words that mean something only when a phrase is there from beginning to end. */
export const WHOLE: PhraseBookSettings = { strict: true, leastShare: 1 }
const LEAST_SURE = 0.75

/** Whether a phrase stands in one sentence, all of it, and surely. */
export function isWholeAndSure({ phrase, at }: Found): boolean {
  const sentence = at[0]?.word.sentence
  const sure = at.every(({ sureness, word }) => sureness >= LEAST_SURE && word.sentence === sentence)
  return sure && at.length === phrase.units.length
}

/** Builds the index of many owners' phrases; `owned[n]` are the phrases of owner n. */
export function createPhraseBook(
  owned: readonly (readonly string[])[],
  rules: LanguageRules,
  { strict, leastShare }: PhraseBookSettings,
): PhraseBook {
  const lexicon = createLexicon(rules, strict)
  const phrases: Phrase[] = []
  const compounds: { phrase: Phrase; words: readonly Word[] }[] = []
  for (const [owner, texts] of owned.entries()) {
    for (const text of texts) {
      const read = readWords(cutUp(text), rules)
      const words = meaningOf(read, strict)
      const units = words.map((word) => ({ unit: lexicon.add(word), denial: word.denial }))
      if (units.length === 0) continue
      const close = !strict && words.some(({ weight }) => weight === 'common')
      const phrase = { owner, close, units }
      phrases.push(phrase)
      const last = read.at(-1)
      // "the blood does not": what is denied may follow in the text, so that the denial itself is all there is to find.
      if (strict && last?.known.role.denies) {
        phrases.push({
          ...phrase,
          endsInDenial: true,
          units: [...words, last].map((word) => ({ unit: lexicon.add(word), denial: undefined })),
        })
      }
      compounds.push({ phrase, words })
    }
  }
  // Only now are all words known that a compound may consist of.
  if (!strict) {
    const partsOf = remembered(Number.POSITIVE_INFINITY, lexicon.parts)
    for (const { phrase, words } of compounds) phrases.push(...takenApart(phrase, words, partsOf))
  }
  const ownersOf = Array.from({ length: lexicon.units }, () => new Set<number>())
  for (const { owner, units } of phrases) for (const { unit } of units) ownersOf[unit]?.add(owner)
  const weights = ownersOf.map((owners) => Math.log(1 + owned.length / Math.max(owners.size, 1)))
  const needed = phrases.map(({ units }) => {
    return leastShare * units.reduce((sum, { unit }) => sum + (weights[unit] ?? 0), 0) - ROUNDING
  })
  const byUnit = rarestFirst(phrases, weights, needed)
  const tolerantly = noted(MOST_WORDS, (word) => lexicon.find(word, true))
  const strictly = noted(MOST_WORDS, (word) => lexicon.find(word, false))
  // Empty between two texts: a list as long as there are units would be most of what a text costs.
  const places: Places = new Array(lexicon.units).fill(undefined)
  // In which text a phrase was last looked for.
  const lookedFor = new Uint32Array(phrases.length)
  let texts = 0
  return {
    lexicon,
    phrases,
    weights,
    find(words, tolerant, window) {
      const found: Found[] = []
      const units = notePlaces(words, tolerant ? tolerantly : strictly, places)
      texts++
      for (const unit of units) {
        for (const place of byUnit[unit] as readonly number[]) {
          if (lookedFor[place] === texts) continue
          lookedFor[place] = texts
          const phrase = phrases[place] as Phrase
          if (presentOf(phrase, places, weights) < (needed[place] as number)) continue
          const one = findPhrase(phrase, places, phrase.close ? phrase.units.length : window(phrase.units.length))
          if (one && (!phrase.endsInDenial || deniesLast(one.at))) found.push(one)
        }
      }
      for (const unit of units) places[unit] = undefined
      return found
    },
  }
}

/**
 * By unit, the phrases that are looked for when a text has it: each under as few of its units as one that is there cannot be
 * without, the rarest ones. "Pain" alone would have hundreds looked for.
 */
function rarestFirst(
  phrases: readonly Phrase[],
  weights: readonly number[],
  needed: readonly number[],
): readonly (readonly number[])[] {
  const counts = weights.map(() => 0)
  for (const { units } of phrases) for (const { unit } of units) counts[unit] = (counts[unit] ?? 0) + 1
  const byUnit: number[][] = weights.map(() => [])
  for (const [place, { units }] of phrases.entries()) {
    const rarest = units.map(({ unit }) => unit).sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0))
    let rest = rarest.reduce((sum, unit) => sum + (weights[unit] ?? 0), 0)
    for (const unit of rarest) {
      if (rest < (needed[place] ?? 0)) break
      if (byUnit[unit]?.at(-1) !== place) byUnit[unit]?.push(place)
      rest -= weights[unit] ?? 0
    }
  }
  return byUnit
}

/** How much of the meaning of a phrase the text has, wherever it stands. */
function presentOf({ units }: Phrase, places: Places, weights: readonly number[]): number {
  let present = 0
  for (const { unit } of units) if (places[unit] !== undefined) present += weights[unit] as number
  return present
}

/** What a phrase is about. A single word without its small words ("pain" of "pain since") would match too much. */
function meaningOf(words: readonly Word[], strict: boolean): readonly Word[] {
  const telling = words.filter(({ weight }) => weight !== 'glue')
  const meaning = telling.filter(({ weight }) => weight === 'meaning')
  const kept = strict || meaning.length < 2 ? telling : meaning
  return kept.length > 0 ? kept : words
}

/** "bröstsmärta" also as "bröst" and "smärta", so that "smärta i bröstet" finds it. */
function takenApart(phrase: Phrase, words: readonly Word[], partsOf: Lexicon['parts']): Phrase[] {
  let apart = false
  const units = phrase.units.flatMap((one, place) => {
    const parts = partsOf(words[place]?.form ?? '')
    if (!parts) return [one]
    apart = true
    return parts.map((unit) => ({ unit, denial: one.denial }))
  })
  return apart ? [{ ...phrase, units }] : []
}

type HitsOf = (word: KnownWord) => readonly Hit[]

/** Notes where the text has which units, and tells these, the first in the text first. */
function notePlaces(words: readonly Word[], hitsOf: HitsOf, places: Places): number[] {
  const units: number[] = []
  for (const word of words) {
    for (const { unit, sureness } of hitsOf(word.known)) {
      const here = places[unit]
      if (here === undefined) {
        places[unit] = [{ unit, word, sureness }]
        units.push(unit)
      } else if (here.length < MOST_PLACES) here.push({ unit, word, sureness })
    }
  }
  return units
}

/** The closest places of a phrase's units around its rarest one. */
function findPhrase(phrase: Phrase, places: Places, window: number): Found | undefined {
  const fitting: (readonly Place[])[] = []
  let rarest: readonly Place[] = NOWHERE
  for (const { unit, denial } of phrase.units) {
    const here = fittingPlaces(places[unit], denial)
    fitting.push(here)
    if (here.length > 0 && (rarest.length === 0 || here.length < rarest.length)) rarest = here
  }
  let best: Found['at'] = []
  for (const anchor of rarest) {
    const at: Place[] = []
    for (const here of fitting) {
      const near = nearestTo(anchor.word, here, window)
      if (near) at.push(near)
    }
    if (at.length > best.length) best = at
  }
  return best.length > 0 ? { phrase, at: best } : undefined
}

function deniesLast(at: Found['at']): boolean {
  const last = at.at(-1)?.word.place ?? 0
  return at.every(({ word }) => word.place <= last)
}

const NOWHERE: readonly Place[] = []

function fittingPlaces(here: readonly Place[] = NOWHERE, denial: Denial | undefined): readonly Place[] {
  return here.every(({ word }) => means(denial, word.denial))
    ? here
    : here.filter(({ word }) => means(denial, word.denial))
}

function nearestTo(anchor: Word, here: readonly Place[], window: number): Place | undefined {
  let nearest: Place | undefined
  for (const one of here) {
    const distance = Math.abs(one.word.place - anchor.place)
    if (distance > window || (nearest && Math.abs(nearest.word.place - anchor.place) <= distance)) continue
    nearest = one
  }
  return nearest
}

/** Whether the denial of a word in the text agrees with that in the phrase. */
function means(inPhrase: Denial | undefined, inText: Denial | undefined): boolean {
  if (inPhrase === undefined) return inText === undefined || inText.kind === 'unable'
  if (inText === undefined) return false
  if (inText.kind === 'unable') return inPhrase.kind !== 'no' && inText.distance <= inPhrase.distance + 2
  const asStrong = inPhrase.kind === inText.kind || (inPhrase.kind === 'no' && inText.kind === 'not')
  return asStrong && inText.distance <= inPhrase.distance
}
