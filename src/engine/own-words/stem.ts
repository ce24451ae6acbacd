import type { LanguageRules } from './rules.ts'

const SHORTEST = 3
/** From here on a letter may be written in two units. */
const FIRST_OF_TWO = 0xd800
const VOWELS = 'aeiouy'

/** Lower case without accents, so that "bröstsmärta" and "brostsmarta" are one word. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (/^[a-z0-9]*$/.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/ø/g, 'o')
    .replace(/æ/g, 'a')
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/** A folded word without its inflection: rough, but the same for every form of a word. */
export function stemOf(form: string, rules: LanguageRules): string {
  let stem = form
  for (let round = 0; round < rules.rounds; round++) {
    const possible = rules.endings.get(stem.slice(-1))
    const ending = possible === undefined ? 0 : endingOf(stem, possible)
    if (ending === 0) break
    stem = stem.slice(0, -ending)
  }
  while (stem.length > SHORTEST && VOWELS.includes(stem.charAt(stem.length - 1))) stem = stem.slice(0, -1)
  const single = withoutDoubles(stem)
  return rules.sharedBeginning ? weakGrade(single) : single
}

/** How long the first of these endings is that the word has; 0 when it has none. */
function endingOf(stem: string, endings: readonly string[]): number {
  for (const ending of endings)
    if (stem.length - ending.length >= SHORTEST && stem.endsWith(ending)) return ending.length
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
