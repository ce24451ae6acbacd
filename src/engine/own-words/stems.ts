import type { LanguageRules } from './rules.ts'

const SHORTEST = 3
/** From here on a letter may be written in two units. */
const FIRST_OF_TWO = 0xd800
const ROOM = 64
const A = 0x61
const LETTERS = 26

const unitsOf = (letters: string): readonly number[] => Array.from(letters, (letter) => letter.charCodeAt(0))
const noted = (letters: string): Uint8Array => {
  const are = new Uint8Array(0x80)
  for (const unit of unitsOf(letters)) are[unit] = 1
  return are
}

const VOWELS = noted('aeiouy')

/** Consonant gradation changes the end of a Finnish stem: rinta, rinnan; kipu, kivun; jalka, jalan. Both become the same. */
const GRADES = (
  [
    ['nt', 'n'],
    ['mp', 'm'],
    ['nk', 'n'],
    ['ng', 'n'],
    ['lt', 'l'],
    ['rt', 'r'],
    ['rk', 'r'],
    ['lk', 'l'],
    ['hk', 'h'],
    ['p', 'v'],
    ['t', 'd'],
  ] as const
).map(([strong, weak]) => ({ strong: unitsOf(strong), weak: unitsOf(weak) }))
const END_OF_STRONG = noted('pgkt')

/** Finds the stem of a folded word: the word without its inflection, rough, but the same for every form of it. */
export class Stems {
  /** Those of the stem that was read last, as many as were told. */
  letters = new Uint16Array(ROOM)
  private readonly rounds: number
  private readonly isGraded: boolean
  /** The endings from their last letter on: for each step where the next goes on by its letter, and whether an ending begins there. */
  private readonly steps: Uint16Array
  private readonly begins: Uint8Array

  constructor({ endings, rounds, sharedBeginning }: LanguageRules) {
    this.rounds = rounds
    this.isGraded = sharedBeginning
    const all = [...endings.values()].flat()
    const most = all.reduce((sum, { length }) => sum + length, 1)
    this.steps = new Uint16Array(most * LETTERS)
    this.begins = new Uint8Array(most)
    let steps = 0
    for (const ending of all) {
      let step = 0
      for (let at = ending.length - 1; at >= 0; at--) {
        const way = step * LETTERS + ending.charCodeAt(at) - A
        if (this.steps[way] === 0) this.steps[way] = ++steps
        step = this.steps[way] as number
      }
      this.begins[step] = 1
    }
  }

  stemOf(form: string): string {
    const length = this.read(form, form.length)
    for (let at = 0; at < length; at++)
      if (this.letters[at] !== form.charCodeAt(at)) return String.fromCharCode(...this.letters.subarray(0, length))
    return form.slice(0, length)
  }

  /** Reads the stem of so much of the beginning of a word; tells how many letters it has. */
  read(form: string, length: number): number {
    let end = length
    for (let round = 0; round < this.rounds; round++) {
      const ending = this.endingOf(form, end)
      if (ending === 0) break
      end -= ending
    }
    while (end > SHORTEST && VOWELS[form.charCodeAt(end - 1)] === 1) end--
    const letters = this.single(form, end)
    return this.isGraded ? this.weaken(letters) : letters
  }

  /** How long the longest ending is that the word has up to a place; 0 when it has none. */
  private endingOf(form: string, end: number): number {
    const { steps, begins } = this
    let longest = 0
    for (let at = end - 1, step = 0; at >= SHORTEST; at--) {
      const letter = form.charCodeAt(at) - A
      if (letter < 0 || letter >= LETTERS) break
      step = steps[step * LETTERS + letter] as number
      if (step === 0) break
      if (begins[step] === 1) longest = end - at
    }
    return longest
  }

  /** Takes the letters up to a place, doubled ones once. */
  private single(form: string, end: number): number {
    if (end > this.letters.length) this.letters = new Uint16Array(2 * end)
    const { letters } = this
    let length = 0
    let before = 0
    for (let at = 0; at < end; at++) {
      const unit = form.charCodeAt(at)
      if (unit >= FIRST_OF_TWO) return this.singleOfTwo(form.slice(0, end))
      if (unit !== before) letters[length++] = unit
      before = unit
    }
    return length
  }

  /** A letter of two units may be doubled without two of the same side by side. */
  private singleOfTwo(form: string): number {
    let single = ''
    for (const letter of form) if (!single.endsWith(letter)) single += letter
    for (let at = 0; at < single.length; at++) this.letters[at] = single.charCodeAt(at)
    return single.length
  }

  private weaken(length: number): number {
    const { letters } = this
    if (length === 0 || END_OF_STRONG[letters[length - 1] as number] !== 1) return length
    for (const { strong, weak } of GRADES) {
      const from = length - strong.length
      if (from < 0 || !strong.every((unit, at) => letters[from + at] === unit)) continue
      weak.forEach((unit, at) => {
        letters[from + at] = unit
      })
      return from + weak.length
    }
    return length
  }
}
