import { differences } from '../../text/differences.ts'
import type { Hit, KnownWord } from '../known.ts'
import type { Word } from '../read.ts'
import type { LanguageRules } from '../rules.ts'
import { stemOf } from '../stem.ts'
import { beginsAlike, beginsRoughly, mayBeMisspelt } from './spelling.ts'

/** How certain it is that a written word is a known one. */
const EXACT = 1
const STEM = 0.95
const PART = 0.9
const SHARED_BEGINNING = 0.8
const MISSPELT = 0.75
const ONE_PART = 0.6

const SHORTEST_PREFIX = 4
const SHORTEST_MISSPELT = 5
const SHORTEST_PART = 3
const SHORTEST_LONE_PART = 4
const BEGINNING = 3
const LONG_WORD = 9
const LONGEST_COMPOUND = 30
const LONG_BEGINNING = 6

/** Most words are none of those that are known: one list stands for all of them. */
const NO_HITS: readonly Hit[] = []

/** The words that search terms are made of. A unit is one meaning: every form of a word, and words that mean the same. */
export interface Lexicon {
  readonly units: number
  add(word: Word): number
  /** The known words that a written word may be. */
  find(word: KnownWord, tolerant: boolean): readonly Hit[]
  /** The units of the parts when the word is made of known words. */
  parts(form: string): number[] | undefined
}

/** A word that phrases are made of. */
interface Known {
  readonly form: string
  readonly unit: number
}

/** A strict lexicon matches words as written, or by their beginning; any other also splits compounds and knows synonyms. */
export function createLexicon(rules: LanguageRules, strict: boolean): Lexicon {
  const unitOf = new Map<string, number>()
  const forms = new Map<string, number>()
  const stems = new Map<string, number>()
  const beginnings = new Map<string, Known[]>()
  const sharing = new Map<string, Known[]>()
  const long: Known[] = []
  const groupOf = new Map<string, string>()
  const starts = new Set<string>()
  for (const group of strict ? rules.alikeInDanger : rules.alike) {
    for (const word of group) {
      groupOf.set(stemOf(word, rules), `=${group[0]}`)
      starts.add(word.slice(0, BEGINNING))
    }
  }

  /** A short stem belongs to more than one word: too weak to mean danger. */
  const isTelling = (stem: string) => stem.length >= (strict ? SHORTEST_PREFIX : SHORTEST_PART)

  function unitFor({ form, stem }: Word): number {
    const key = groupOf.get(stem) ?? (isTelling(stem) ? stem : form)
    const unit = unitOf.get(key) ?? unitOf.size
    unitOf.set(key, unit)
    return unit
  }

  function add(word: Word): number {
    const unit = unitFor(word)
    const { form, stem } = word
    if (forms.has(form)) return unit
    forms.set(form, unit)
    const known = { form, unit }
    if (strict && form.length >= SHORTEST_PREFIX) gather(beginnings, form.slice(0, SHORTEST_PREFIX), known)
    if (isTelling(stem)) stems.set(stem, unit)
    starts.add(form.slice(0, BEGINNING))
    if (form.length < SHORTEST_MISSPELT) return unit
    gather(sharing, form.slice(0, BEGINNING), known)
    long.push(known)
    return unit
  }

  /** A word of a synonym group counts as known when its group is. */
  const known = (form: string): number | undefined => forms.get(form) ?? knownByStem(stemOf(form, rules))

  // Worked out once all words are known.
  let byStem: Map<string, number> | undefined
  let misspelt: ReturnType<typeof mayBeMisspelt<Known>> | undefined

  function knownByStem(stem: string): number | undefined {
    byStem ??= stemsWithGroups()
    return byStem.get(stem)
  }

  function stemsWithGroups(): Map<string, number> {
    const all = new Map(stems)
    for (const [stem, group] of groupOf) {
      const unit = unitOf.get(group)
      if (unit !== undefined && !all.has(stem)) all.set(stem, unit)
    }
    return all
  }

  // What the beginnings of one word mean, by their length: cuts and links come to the same ones again and again.
  const begun: (number | undefined)[] = []
  const isBegun: boolean[] = []

  function beginWith(form: string): void {
    for (let length = 0; length <= form.length; length++) isBegun[length] = false
  }

  function knownBeginning(form: string, length: number): number | undefined {
    if (!isBegun[length]) {
      begun[length] = known(form.slice(0, length))
      isBegun[length] = true
    }
    return begun[length]
  }

  function parts(form: string): number[] | undefined {
    beginWith(form)
    return partsBegun(form)
  }

  function partsBegun(form: string): number[] | undefined {
    if (form.length > LONGEST_COMPOUND || !starts.has(form.slice(0, BEGINNING))) return undefined
    for (let cut = form.length - SHORTEST_PART; cut >= SHORTEST_PART; cut--) {
      const left = leftPart(form, cut)
      if (left === undefined) continue
      if (rules.endings.get(form.slice(-1))?.includes(form.slice(cut))) continue
      const right = known(form.slice(cut))
      if (right !== undefined && Math.max(cut, form.length - cut) >= SHORTEST_LONE_PART) return [left, right]
    }
    return undefined
  }

  /** What the word means up to a cut, with or without letters that link it to the rest. */
  function leftPart(form: string, cut: number): number | undefined {
    for (const link of rules.links) {
      if (cut - link.length < SHORTEST_PART || !form.startsWith(link, cut - link.length)) continue
      const unit = knownBeginning(form, cut - link.length)
      if (unit !== undefined) return unit
    }
    return undefined
  }

  function lonePart(form: string): number | undefined {
    if (form.length > LONGEST_COMPOUND) return undefined
    const begins = starts.has(form.slice(0, BEGINNING))
    for (let cut = form.length - SHORTEST_PART; begins && cut >= SHORTEST_LONE_PART; cut--) {
      const left = leftPart(form, cut)
      if (left !== undefined) return left
    }
    for (let cut = SHORTEST_PART; cut <= form.length - SHORTEST_LONE_PART; cut++) {
      const right = forms.get(form.slice(cut))
      if (right !== undefined) return right
    }
    return undefined
  }

  // What is found of one word; a new list only where there is something.
  const hits: { unit: number; sureness: number }[] = []

  function hit(unit: number | undefined, sureness: number): void {
    if (unit === undefined) return
    const before = hits.find((one) => one.unit === unit)
    if (!before) hits.push({ unit, sureness })
    else if (before.sureness < sureness) before.sureness = sureness
  }

  function find({ form, stem, weight }: KnownWord, tolerant: boolean): readonly Hit[] {
    const own = forms.get(form)
    hit(own, EXACT)
    if (weight === 'meaning' || (strict && weight === 'common')) hit(own ?? knownByStem(stem), STEM)
    const rough = tolerant && weight === 'meaning' && hits.length === 0
    if (strict) hitBeginnings(form)
    else if (weight === 'meaning') {
      beginWith(form)
      for (const unit of partsBegun(form) ?? []) hit(unit, PART)
    }
    if (rough && (strict || hits.length === 0)) hitRoughly(form)
    const mayHavePart = !strict && rules.joinsWords && weight === 'meaning' && own === undefined
    if (tolerant && mayHavePart && hits.length < 2) hit(lonePart(form), ONE_PART)
    return hits.length === 0 ? NO_HITS : hits.splice(0)
  }

  function hitBeginnings(form: string): void {
    for (const known of beginnings.get(form.slice(0, SHORTEST_PREFIX)) ?? [])
      if (known.form.length < form.length && form.startsWith(known.form)) hit(known.unit, STEM)
  }

  function hitRoughly(form: string): void {
    if (form.length < SHORTEST_MISSPELT - 1) return
    misspelt ??= mayBeMisspelt(long)
    misspelt(form, (near) => {
      if (near.form[0] === form[0] && differences(near.form, form, 1) <= 1) hit(near.unit, MISSPELT)
    })
    for (const near of sharing.get(form.slice(0, BEGINNING)) ?? []) {
      if (rules.sharedBeginning && !strict && beginsAlike(near.form, form)) hit(near.unit, SHARED_BEGINNING)
      else if (form.length >= LONG_WORD && differences(near.form, form, 2) <= 2) hit(near.unit, MISSPELT)
      else if (strict && near.form.length >= LONG_BEGINNING && beginsRoughly(near.form, form)) hit(near.unit, MISSPELT)
    }
  }

  return {
    get units() {
      return unitOf.size
    },
    add,
    find,
    parts,
  }
}

function gather(into: Map<string, Known[]>, key: string, value: Known): void {
  const values = into.get(key)
  if (values) values.push(value)
  else into.set(key, [value])
}
