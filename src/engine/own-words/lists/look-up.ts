import { differences } from '../../text/differences.ts'
import type { Hit, KnownWord } from '../known.ts'
import { NONE } from '../numbered.ts'
import type { LanguageRules } from '../rules.ts'
import { SpelledWords } from '../spelled.ts'
import { Stems } from '../stems.ts'
import { beginsAlike, beginsRoughly, Misspelt } from './spelling.ts'

/** How certain it is that a written word is a known one. */
const EXACT = 1
const STEM = 0.95
const PART = 0.9
const SHARED_BEGINNING = 0.8
const MISSPELT = 0.75
const ONE_PART = 0.6

export const SHORTEST_PREFIX = 4
export const SHORTEST_PART = 3
/** So many letters of a word are its start: words that start like no known one are not taken apart. */
export const STARTS = 3
const SHORTEST_MISSPELT = 5
const SHORTEST_LONE_PART = 4
const LONG_WORD = 9
const LONGEST_COMPOUND = 30
const LONG_BEGINNING = 6

/** Most words are none of those that are known: one list stands for all of them. */
const NO_HITS: readonly Hit[] = []
const NO_PLACES: readonly number[] = []
/** What was not asked yet; `NONE` where there is none. */
const NOT_ASKED = -2

/** The words of a lexicon and their stems with what each means, and the starts of them all. */
interface Known {
  readonly forms: ReadonlyMap<string, number>
  readonly stems: ReadonlyMap<string, number>
  readonly starts: ReadonlySet<string>
}

/** Looks written words up among those of a lexicon. */
export class LookUp {
  private readonly rules: LanguageRules
  private readonly strict: boolean
  /** The forms, as they were added, then the stems and starts; the lists beside it tell by place what each means. */
  private readonly spelled: SpelledWords
  private readonly ofForm: Int32Array
  private readonly ofStem: Int32Array
  /** By the place of a start, the forms of some length that start so; undefined where it is none. */
  private readonly starting: readonly (readonly number[] | undefined)[]
  private readonly misspelt: Misspelt
  private readonly inflected: Stems
  /** What the beginnings of one word mean, by their length: cuts and links come to the same ones again and again. */
  private readonly begun = new Int32Array(LONGEST_COMPOUND + 1)
  /** What is found of one word; a new list only where there is something. */
  private hits: { unit: number; sureness: number }[] = []

  constructor(rules: LanguageRules, strict: boolean, { forms, stems, starts }: Known) {
    this.rules = rules
    this.strict = strict
    const words = [...new Set([...forms.keys(), ...stems.keys(), ...starts])]
    this.spelled = new SpelledWords(words)
    this.ofForm = Int32Array.from(words, (word) => forms.get(word) ?? NONE)
    this.ofStem = Int32Array.from(words, (word) => stems.get(word) ?? NONE)
    const long = [...words.keys()].slice(0, forms.size).filter((place) => lengthOf(words[place]) >= SHORTEST_MISSPELT)
    const byStart = Map.groupBy(long, (place) => words[place]?.slice(0, STARTS))
    this.starting = words.map((word) => (starts.has(word) ? (byStart.get(word) ?? NO_PLACES) : undefined))
    this.misspelt = new Misspelt(words, long)
    this.inflected = new Stems(rules)
  }

  /** The known words that a written word may be. */
  find({ form, weight }: KnownWord, tolerant: boolean): readonly Hit[] {
    const { strict, spelled } = this
    spelled.take(form)
    const own = this.formAt(0, form.length)
    this.hit(own, EXACT)
    if (weight === 'meaning' || (strict && weight === 'common'))
      this.hit(own === NONE ? this.byStem(form, form.length) : own, STEM)
    const rough = tolerant && weight === 'meaning' && this.hits.length === 0
    if (strict) this.hitBeginnings(form)
    else if (weight === 'meaning') for (const unit of this.partsTaken(form) ?? NO_PLACES) this.hit(unit, PART)
    if (rough && (strict || this.hits.length === 0)) this.hitRoughly(form)
    const mayHavePart = !strict && this.rules.joinsWords && weight === 'meaning' && own === NONE
    if (tolerant && mayHavePart && this.hits.length < 2) this.hit(this.lonePart(form), ONE_PART)
    return this.hits.length === 0 ? NO_HITS : this.hits.splice(0)
  }

  /** The units of the parts when the word is made of known words. */
  parts(form: string): number[] | undefined {
    this.spelled.take(form)
    return this.partsTaken(form)
  }

  private formAt(from: number, to: number): number {
    const place = this.spelled.between(from, to)
    return place === NONE ? NONE : (this.ofForm[place] as number)
  }

  private byStem(form: string, length: number): number {
    const letters = this.inflected.read(form, length)
    const place = this.spelled.findLetters(this.inflected.letters, letters)
    return place === NONE ? NONE : (this.ofStem[place] as number)
  }

  /** The forms that start as the word that was taken up; undefined when no known word does. */
  private startsOf(form: string): readonly number[] | undefined {
    const place = this.spelled.between(0, Math.min(STARTS, form.length))
    return place === NONE ? undefined : this.starting[place]
  }

  private knownBeginning(form: string, length: number): number {
    const before = this.begun[length] as number
    if (before !== NOT_ASKED) return before
    const own = this.formAt(0, length)
    const unit = own === NONE ? this.byStem(form, length) : own
    this.begun[length] = unit
    return unit
  }

  private partsTaken(form: string): number[] | undefined {
    this.begun.fill(NOT_ASKED)
    if (form.length > LONGEST_COMPOUND || this.startsOf(form) === undefined) return undefined
    for (let cut = form.length - SHORTEST_PART; cut >= SHORTEST_PART; cut--) {
      const left = this.leftPart(form, cut)
      if (left === NONE) continue
      const rest = form.slice(cut)
      if (this.rules.endings.get(form.slice(-1))?.includes(rest)) continue
      const own = this.formAt(cut, form.length)
      const right = own === NONE ? this.byStem(rest, rest.length) : own
      if (right !== NONE && Math.max(cut, rest.length) >= SHORTEST_LONE_PART) return [left, right]
    }
    return undefined
  }

  /** What the word means up to a cut, with or without letters that link it to the rest. */
  private leftPart(form: string, cut: number): number {
    for (const link of this.rules.links) {
      if (cut - link.length < SHORTEST_PART || !form.startsWith(link, cut - link.length)) continue
      const unit = this.knownBeginning(form, cut - link.length)
      if (unit !== NONE) return unit
    }
    return NONE
  }

  private lonePart(form: string): number {
    if (form.length > LONGEST_COMPOUND) return NONE
    const begins = this.startsOf(form) !== undefined
    for (let cut = form.length - SHORTEST_PART; begins && cut >= SHORTEST_LONE_PART; cut--) {
      const left = this.leftPart(form, cut)
      if (left !== NONE) return left
    }
    for (let cut = SHORTEST_PART; cut <= form.length - SHORTEST_LONE_PART; cut++) {
      const right = this.formAt(cut, form.length)
      if (right !== NONE) return right
    }
    return NONE
  }

  private hit(unit: number, sureness: number): void {
    if (unit === NONE) return
    for (const one of this.hits) {
      if (one.unit !== unit) continue
      if (one.sureness < sureness) one.sureness = sureness
      return
    }
    this.hits.push({ unit, sureness })
  }

  private hitBeginnings(form: string): void {
    let begins: number[] | undefined
    for (let length = SHORTEST_PREFIX; length < form.length; length++) {
      const place = this.spelled.between(0, length)
      if (place === NONE || this.ofForm[place] === NONE) continue
      if (begins) begins.push(place)
      else begins = [place]
    }
    for (const place of begins?.sort((a, b) => a - b) ?? NO_PLACES) this.hit(this.ofForm[place] as number, STEM)
  }

  private hitRoughly(form: string): void {
    if (form.length < SHORTEST_MISSPELT - 1) return
    const { spelled, strict, rules } = this
    this.misspelt.find(form, (place) => this.hit(this.ofForm[place] as number, MISSPELT))
    for (const place of this.startsOf(form) ?? NO_PLACES) {
      const near = spelled.words[place] as string
      const unit = this.ofForm[place] as number
      if (rules.sharedBeginning && !strict && beginsAlike(near, form)) this.hit(unit, SHARED_BEGINNING)
      else if (form.length >= LONG_WORD && differences(near, form, 2) <= 2) this.hit(unit, MISSPELT)
      else if (strict && near.length >= LONG_BEGINNING && beginsRoughly(near, form)) this.hit(unit, MISSPELT)
    }
  }
}

const lengthOf = (word = ''): number => word.length
