import type { LanguageRules } from './rules.ts'

const SHORTEST = 3
/** From here on a letter may be written in two units. */
const FIRST_OF_TWO = 0xd800
const VOWELS = 'aeiouy'

/** Lower case without accents, so that "bröstsmärta" and "brostsmarta" are one word. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  return /^[a-z0-9]*$/.test(lower) ? lower : (foldedCommon(lower) ?? foldedAny(lower))
}

/** Folded letter by letter where all of them are common ones, as those of our languages are: in little of the time. */
function foldedCommon(text: string): string | undefined {
  let folded = ''
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit >= FOLDED.length) return undefined
    folded += FOLDED[unit]
  }
  return folded
}

function foldedAny(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/ø/g, 'o')
    .replace(/æ/g, 'a')
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/** By unit. */
const FOLDED: readonly string[] = Array.from({ length: 0x180 }, (_, unit) => foldedAny(String.fromCharCode(unit)))

/** A folded word without its inflection: rough, but the same for every form of a word. */
export function stemOf(form: string, rules: LanguageRules): string {
  let end = form.length
  for (let round = 0; round < rules.rounds; round++) {
    const possible = rules.endings.get(form.charAt(end - 1))
    const ending = possible === undefined ? 0 : endingOf(form, end, possible)
    if (ending === 0) break
    end -= ending
  }
  while (end > SHORTEST && VOWELS.includes(form.charAt(end - 1))) end--
  const single = withoutDoubles(form.slice(0, end))
  return rules.sharedBeginning ? weakGrade(single) : single
}

/** How long the first of these endings is that the word has up to a place; 0 when it has none. */
function endingOf(form: string, end: number, endings: readonly string[]): number {
  for (const ending of endings)
    if (end - ending.length >= SHORTEST && form.startsWith(ending, end - ending.length)) return ending.length
  return 0
}

function withoutDoubles(stem: string): string {
  if (!mayHaveDoubles(stem)) return stem
  let single = ''
  for (const letter of stem) if (!single.endsWith(letter)) single += letter
  return single
}

/** Most words have none, and a new one need not be put together. A letter of two units may be doubled without two of the same side by side. */
function mayHaveDoubles(stem: string): boolean {
  let before = 0
  for (let at = 0; at < stem.length; at++) {
    const unit = stem.charCodeAt(at)
    if (unit === before || unit >= FIRST_OF_TWO) return true
    before = unit
  }
  return false
}

/** Consonant gradation changes the end of a Finnish stem: rinta, rinnan; kipu, kivun; jalka, jalan. Both become the same. */
const GRADES: readonly (readonly [strong: string, weak: string])[] = [
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
]

function weakGrade(stem: string): string {
  const grade = GRADES.find(([strong]) => stem.endsWith(strong))
  return grade ? stem.slice(0, -grade[0].length) + grade[1] : stem
}
