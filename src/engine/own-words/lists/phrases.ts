import { remembered } from '../../text/remembered.ts'
import type { Denial } from '../denials.ts'
import type { Hit, KnownWord } from '../known.ts'
import { readWords, type Word } from '../read.ts'
import type { Understanding } from '../understanding.ts'
import { createLexicon, type Lexicon } from './lexicon.ts'
import type { LookUp } from './look-up.ts'

/** One written phrase, ready to be found in a text: its units, each denied or not. */
export interface Phrase {
  readonly owner: number
  /** It contains small words ("pain in the side"), so all of it must stand close together. */
  readonly close: boolean
  readonly units: readonly Unit[]
  /** Its last unit is a denial and comes last in a text too: "cannot sleep, wakes" is not "wakes not". */
  readonly endsInDenial?: true
}

interface Unit {
  readonly unit: number
  readonly denial: Denial | undefined
}

/** A phrase found in a text. */
export interface Found {
  readonly phrase: Phrase
  /** Which unit was found where; units that are missing are left out. */
  readonly at: readonly Place[]
}

/** Where a text has a unit, and how surely. */
interface Place {
  readonly hit: Hit
  readonly word: Word
  /** Where the text has it next. */
  next: Place | undefined
}

export interface PhraseBook {
  /** How much each unit counts: the fewer owners have a phrase with it, the more. */
  readonly weights: readonly number[]
  /** `window` says how far apart the words of a phrase of so many units may stand. */
  find(words: readonly Word[], tolerant: boolean, window: (units: number) => number): Found[]
}

/** The lists that the words of a text are looked up in: what each makes of a word is noted at the word, in a place of its own. */
const LISTS = ['signs', 'danger', 'options', 'terms'] as const

/** A word that is repeated over and over says no more. */
const MOST_PLACES = 8

/** Sums of the same weights in another order may differ by so much. */
const ROUNDING = 1e-9

export interface PhraseBookSettings {
  readonly list: (typeof LISTS)[number]
  /** Words match by their beginning, and every word but glue counts. */
  readonly strict: boolean
  /** A phrase is looked for when the text has this much of its meaning, wherever it stands. */
  readonly leastShare: number
}

/** For words that mean something only when a phrase is there from beginning to end, in one sentence, and surely. */
export const WHOLE = { strict: true, leastShare: 1 } as const
const LEAST_SURE = 0.75

function isSureInOneSentence(at: Found['at']): boolean {
  const sentence = at[0]?.word.sentence
  return at.every(({ hit, word }) => hit.sureness >= LEAST_SURE && word.sentence === sentence)
}

/** Builds the index of many owners' phrases; `owned[n]` are the phrases of owner n. */
export function createPhraseBook(
  owned: readonly (readonly string[])[],
  understanding: Understanding,
  { list, strict, leastShare }: PhraseBookSettings,
): PhraseBook {
  const lexicon = createLexicon(understanding.rules, strict)
  const { phrases, lookUp } = phrasesOf(owned, understanding, lexicon, strict)
  const ownersOf = Array.from({ length: lexicon.units }, () => new Set<number>())
  for (const { owner, units } of phrases) for (const { unit } of units) ownersOf[unit]?.add(owner)
  const weights = ownersOf.map((owners) => Math.log(1 + owned.length / Math.max(owners.size, 1)))
  const needed = phrases.map(({ units }) => {
    return leastShare * units.reduce((sum, { unit }) => sum + (weights[unit] ?? 0), 0) - ROUNDING
  })
  const byUnit = rarestFirst(phrases, weights, needed)
  // Side by side, since most phrases are looked at only to see that the text has too little of them.
  const unitsOf = sideBySide(phrases.map(({ units }) => units.map(({ unit }) => unit)))
  // Empty between two texts: lists as long as there are units would be most of what a text costs.
  const first: (Place | undefined)[] = new Array(lexicon.units).fill(undefined)
  const last: (Place | undefined)[] = new Array(lexicon.units).fill(undefined)
  const counts = new Uint8Array(lexicon.units)
  // In which text a phrase was last looked for.
  const lookedFor = new Uint32Array(phrases.length)
  let texts = 0

  /** Notes where the text has which units, and tells these, the first in the text first. */
  function notePlaces(words: readonly Word[], tolerant: boolean): number[] {
    const units: number[] = []
    const asked = 2 * LISTS.indexOf(list) + (tolerant ? 1 : 0)
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as Word
      if ((word.known.hitless & (1 << asked)) !== 0) continue
      const found = word.known.hits[asked] ?? look(word.known, asked, tolerant)
      for (let one = 0; one < found.length; one++) {
        const hit = found[one] as Hit
        const { unit } = hit
        if (counts[unit] === MOST_PLACES) continue
        const place = { hit, word, next: undefined }
        const before = last[unit]
        if (before) before.next = place
        else {
          first[unit] = place
          units.push(unit)
        }
        last[unit] = place
        counts[unit] = (counts[unit] as number) + 1
      }
    }
    return units
  }

  function look(word: KnownWord, asked: number, tolerant: boolean): readonly Hit[] {
    const found = lookUp.find(word, tolerant)
    if (found.length === 0) word.hitless |= 1 << asked
    word.hits[asked] = found
    return found
  }

  function forget(units: readonly number[]): void {
    for (const unit of units) {
      first[unit] = undefined
      last[unit] = undefined
      counts[unit] = 0
    }
  }

  /** How much of the meaning of a phrase the text has, wherever it stands. */
  function presentOf(phrase: number): number {
    let present = 0
    const to = unitsOf.ends[phrase] as number
    for (let at = unitsOf.begins[phrase] as number; at < to; at++) {
      const unit = unitsOf.all[at] as number
      if (counts[unit] !== 0) present += weights[unit] as number
    }
    return present
  }

  return {
    weights,
    find(words, tolerant, window) {
      const found: Found[] = []
      const units = notePlaces(words, tolerant)
      texts++
      for (const unit of units) {
        const to = byUnit.ends[unit] as number
        for (let looked = byUnit.begins[unit] as number; looked < to; looked++) {
          const place = byUnit.all[looked] as number
          if (lookedFor[place] === texts) continue
          lookedFor[place] = texts
          if (presentOf(place) < (needed[place] as number)) continue
          const phrase = phrases[place] as Phrase
          const most = phrase.units.length
          const at = findPhrase(phrase, first, phrase.close ? most : window(most), leastShare === 1 ? most : 1)
          if (at === undefined || (leastShare === 1 && !isSureInOneSentence(at))) continue
          if (!phrase.endsInDenial || deniesLast(at)) found.push({ phrase, at })
        }
      }
      forget(units)
      return found
    },
  }
}

function phrasesOf(
  owned: readonly (readonly string[])[],
  understanding: Understanding,
  lexicon: Lexicon,
  strict: boolean,
): { phrases: Phrase[]; lookUp: LookUp } {
  const phrases: Phrase[] = []
  const compounds: { phrase: Phrase; words: readonly Word[] }[] = []
  for (const [owner, texts] of owned.entries()) {
    for (const text of texts) {
      const read = readWords(text, understanding)
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
  const lookUp = lexicon.lookUp()
  if (!strict) {
    const partsOf = remembered(Number.POSITIVE_INFINITY, (form: string) => lookUp.parts(form))
    for (const { phrase, words } of compounds) phrases.push(...takenApart(phrase, words, partsOf))
  }
  return { phrases, lookUp }
}

/** Many short lists of numbers in one: where each begins and ends. */
function sideBySide(lists: readonly (readonly number[])[]) {
  const begins = new Int32Array(lists.length)
  const ends = new Int32Array(lists.length)
  let end = 0
  for (const [at, list] of lists.entries()) {
    begins[at] = end
    end += list.length
    ends[at] = end
  }
  return { all: Int32Array.from(lists.flat()), begins, ends }
}

/**
 * By unit, the phrases that are looked for when a text has it: each under as few of its units as one that is there cannot be
 * without, the rarest ones. "Pain" alone would have hundreds looked for.
 */
function rarestFirst(phrases: readonly Phrase[], weights: readonly number[], needed: readonly number[]) {
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
  return sideBySide(byUnit)
}

/** What a phrase is about. A single word without its small words ("pain" of "pain since") would match too much. */
function meaningOf(words: readonly Word[], strict: boolean): readonly Word[] {
  const telling = words.filter(({ weight }) => weight !== 'glue')
  const meaning = telling.filter(({ weight }) => weight === 'meaning')
  const kept = strict || meaning.length < 2 ? telling : meaning
  return kept.length > 0 ? kept : words
}

/** "bröstsmärta" also as "bröst" and "smärta", so that "smärta i bröstet" finds it. */
function takenApart(phrase: Phrase, words: readonly Word[], partsOf: (form: string) => number[] | undefined): Phrase[] {
  let apart = false
  const units = phrase.units.flatMap((one, place) => {
    const parts = partsOf(words[place]?.form ?? '')
    if (!parts) return [one]
    apart = true
    return parts.map((unit) => ({ unit, denial: one.denial }))
  })
  return apart ? [{ ...phrase, units }] : []
}

/** By unit, the first place where the text has it. */
type Places = readonly (Place | undefined)[]

/** The closest places of a phrase's units around its rarest one; undefined when the text has fewer of them than it should. */
function findPhrase({ units }: Phrase, first: Places, window: number, least: number): Place[] | undefined {
  let rarest: Unit | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const one of units) {
    const count = countOf(one, first)
    if (count === 0 || count >= fewest) continue
    rarest = one
    fewest = count
  }
  if (rarest === undefined) return undefined
  let best: Place | undefined
  let most = least - 1
  for (let anchor = first[rarest.unit]; anchor && most < units.length; anchor = anchor.next) {
    if (!means(rarest.denial, anchor.word.denial)) continue
    let found = 0
    for (const one of units) if (nearestTo(anchor, one, first, window)) found++
    if (found <= most) continue
    best = anchor
    most = found
  }
  return best && placesAround(best, units, first, window, most)
}

function placesAround(anchor: Place, units: readonly Unit[], first: Places, window: number, many: number): Place[] {
  const places = new Array<Place>(many)
  let at = 0
  for (let one = 0; one < units.length; one++) {
    const near = nearestTo(anchor, units[one] as Unit, first, window)
    if (near) places[at++] = near
  }
  return places
}

function countOf({ unit, denial }: Unit, first: Places): number {
  let count = 0
  for (let place = first[unit]; place; place = place.next) if (means(denial, place.word.denial)) count++
  return count
}

function nearestTo(anchor: Place, { unit, denial }: Unit, first: Places, window: number): Place | undefined {
  let nearest: Place | undefined
  let least = window + 1
  for (let place = first[unit]; place; place = place.next) {
    const distance = Math.abs(place.word.place - anchor.word.place)
    if (distance >= least || !means(denial, place.word.denial)) continue
    nearest = place
    least = distance
  }
  return nearest
}

function deniesLast(at: Found['at']): boolean {
  const last = at.at(-1)?.word.place ?? 0
  return at.every(({ word }) => word.place <= last)
}

/** Whether the denial of a word in the text agrees with that in the phrase. */
function means(inPhrase: Denial | undefined, inText: Denial | undefined): boolean {
  if (inPhrase === undefined) return inText === undefined || inText.kind === 'unable'
  if (inText === undefined) return false
  if (inText.kind === 'unable') return inPhrase.kind !== 'no' && inText.distance <= inPhrase.distance + 2
  const asStrong = inPhrase.kind === inText.kind || (inPhrase.kind === 'no' && inText.kind === 'not')
  return asStrong && inText.distance <= inPhrase.distance
}
