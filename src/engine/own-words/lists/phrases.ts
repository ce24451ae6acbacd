import { cutUp, type Denial, isDenial, readWords, type Word } from '../read.ts'
import type { LanguageRules } from '../rules.ts'
import { createLexicon, type Hit, type Lexicon } from './lexicon.ts'

/** One written phrase, ready to be found in a text: its units, each denied or not. */
export interface Phrase {
  readonly owner: number
  /** It contains small words ("pain in the side"), so all of it must stand close together. */
  readonly close: boolean
  readonly units: readonly { readonly unit: number; readonly denial: Denial | undefined }[]
}

/** A phrase found in a text. */
export interface Found {
  readonly phrase: Phrase
  /** Which unit was found where; units that are missing are left out. */
  readonly at: readonly { readonly unit: number; readonly word: Word; readonly sureness: number }[]
}

export interface PhraseBook {
  readonly lexicon: Lexicon
  readonly phrases: readonly Phrase[]
  /** How many owners have a phrase with each unit. */
  readonly owners: readonly number[]
  find(words: readonly Word[], tolerant: boolean, window: (units: number) => number): Found[]
}

/** A word that is repeated over and over says no more. */
const MOST_PLACES = 8

type Places = Map<number, { word: Word; sureness: number }[]>

export interface PhraseBookSettings {
  /** Words match by their beginning, every word but glue counts, and only complete phrases are found. */
  readonly strict: boolean
}

/** Builds the index of many owners' phrases; `owned[n]` are the phrases of owner n. */
export function createPhraseBook(
  owned: readonly (readonly string[])[],
  rules: LanguageRules,
  { strict }: PhraseBookSettings,
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
      if (strict && last && isDenial(last.form, rules)) {
        phrases.push({
          ...phrase,
          units: [...words, last].map((word) => ({ unit: lexicon.add(word), denial: undefined })),
        })
      }
      compounds.push({ phrase, words })
    }
  }
  // Only now are all words known that a compound may consist of.
  if (!strict) {
    const partsOf = remembered(lexicon.parts)
    for (const { phrase, words } of compounds) phrases.push(...takenApart(phrase, words, partsOf))
  }
  const byUnit: number[][] = Array.from({ length: lexicon.units }, () => [])
  const ownersOf = Array.from({ length: lexicon.units }, () => new Set<number>())
  for (const [place, phrase] of phrases.entries()) {
    for (const { unit } of phrase.units) {
      byUnit[unit]?.push(place)
      ownersOf[unit]?.add(phrase.owner)
    }
  }
  return {
    lexicon,
    phrases,
    owners: ownersOf.map((owners) => owners.size),
    find(words, tolerant, window) {
      const places = placesOf(words, lexicon, tolerant)
      const touched = new Set<number>()
      for (const unit of places.keys()) for (const place of byUnit[unit] ?? []) touched.add(place)
      return [...touched].flatMap((place) => {
        const phrase = phrases[place]
        if (!phrase || (strict && !phrase.units.every(({ unit }) => places.has(unit)))) return []
        return findPhrase(phrase, places, phrase.close ? phrase.units.length : window(phrase.units.length))
      })
    },
  }
}

/** What a phrase is about. A single word without its small words ("pain" of "pain since") would match too much. */
function meaningOf(words: readonly Word[], strict: boolean): readonly Word[] {
  const telling = words.filter(({ weight }) => weight !== 'glue')
  const meaning = telling.filter(({ weight }) => weight === 'meaning')
  const kept = strict || meaning.length < 2 ? telling : meaning
  return kept.length > 0 ? kept : words
}

/** The same words stand in many phrases. */
function remembered<T>(work: (form: string) => T): (form: string) => T {
  const known = new Map<string, T>()
  return (form) => {
    if (!known.has(form)) known.set(form, work(form))
    return known.get(form) as T
  }
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

function placesOf(words: readonly Word[], lexicon: Lexicon, tolerant: boolean): Places {
  const found = new Map<string, Hit[]>()
  const places: Places = new Map()
  for (const word of words) {
    const hits = found.get(word.form) ?? lexicon.find(word, tolerant)
    found.set(word.form, hits)
    for (const { unit, sureness } of hits) {
      const here = places.get(unit)
      if (here && here.length < MOST_PLACES) here.push({ word, sureness })
      else if (!here) places.set(unit, [{ word, sureness }])
    }
  }
  return places
}

/** The closest places of a phrase's units around its rarest one. */
function findPhrase(phrase: Phrase, places: Places, window: number): Found[] {
  const fitting = phrase.units.map(({ unit, denial }) => ({
    unit,
    here: (places.get(unit) ?? []).filter(({ word }) => means(denial, word.denial)),
  }))
  const anchors = fitting.filter(({ here }) => here.length > 0).sort((a, b) => a.here.length - b.here.length)
  let best: Found['at'] = []
  for (const anchor of anchors[0]?.here ?? []) {
    const at = fitting.flatMap(({ unit, here }) => {
      const near = nearestTo(anchor.word, here, window)
      return near ? [{ unit, ...near }] : []
    })
    if (at.length > best.length) best = at
  }
  return best.length > 0 ? [{ phrase, at: best }] : []
}

function nearestTo(anchor: Word, here: readonly { word: Word; sureness: number }[], window: number) {
  let nearest: { word: Word; sureness: number } | undefined
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
