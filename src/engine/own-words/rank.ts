import type { CompiledRelease, Language } from '../content.ts'
import { perRelease } from './per-release.ts'
import { createPhraseBook, type Found, type PhraseBook } from './phrases.ts'
import { readWords } from './read.ts'
import { LANGUAGE_RULES } from './rules.ts'

export interface Proposal {
  readonly id: string
  readonly score: number
  /** The patient's words that led here. */
  readonly matched: readonly string[]
}

/** A phrase counts when this much of its meaning is in the text … */
const LEAST_SHARE = 0.6
/** … and a complaint when it scores this part of the best one. */
const LEAST_OF_BEST = 0.3
/** What a first, second and third phrase of the same complaint add. */
const FURTHER = [1, 0.35, 0.15]

interface Book {
  readonly phrases: PhraseBook
  /** What a unit tells: much when few complaints have it. */
  readonly weights: readonly number[]
}

const bookOf = perRelease((release, language): Book => {
  const terms = release.complaints.map(({ id, kind }) => (kind === 'emergency' ? [] : termsOf(release, id, language)))
  const phrases = createPhraseBook(terms, LANGUAGE_RULES[language], { strict: false })
  const weights = phrases.owners.map((owners) => Math.log(1 + release.complaints.length / Math.max(owners, 1)))
  return { phrases, weights }
})

/** The name of a complaint and the words by which people look for it. */
export function termsOf(release: CompiledRelease, id: string, language: Language): string[] {
  const name = release.words[language][`complaint.${id}.name`]
  return [...(name ? [name] : []), ...(release.search[language][id] ?? [])]
}

/** Complaints whose terms are in the text, best first. */
export function rank(
  release: CompiledRelease,
  text: string,
  language: Language,
  accepts: (id: string) => boolean,
): Proposal[] {
  const { phrases, weights } = bookOf(release, language)
  const words = readWords(text, LANGUAGE_RULES[language])
  const scored = new Map<string, { score: number; found: Found }[]>()
  for (const found of phrases.find(words, true, (units) => 2 * units + 4)) {
    const id = release.complaints[found.phrase.owner]?.id ?? ''
    const score = accepts(id) ? scoreOf(found, weights, words.length) : 0
    if (score > 0) scored.set(id, [...(scored.get(id) ?? []), { score, found }])
  }
  const proposals = [...scored].map(([id, found]) => gather(id, found))
  proposals.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  return proposals.filter(({ score }) => score >= LEAST_OF_BEST * (proposals[0]?.score ?? 0))
}

function scoreOf({ phrase, at }: Found, weights: readonly number[], words: number): number {
  const weigh = (unit: number) => weights[unit] ?? 0
  const whole = phrase.units.reduce((sum, { unit }) => sum + weigh(unit), 0)
  const share = at.reduce((sum, { unit }) => sum + weigh(unit), 0) / whole
  if (!(share >= LEAST_SHARE)) return 0
  const sureness = at.reduce((sum, one) => sum + one.sureness, 0) / at.length
  const places = at.map(({ word }) => word.place)
  const first = Math.min(...places)
  const spread = Math.max(...places) - first - (at.length - 1)
  // What comes first is what the patient comes for.
  const early = 1 + 0.1 * (1 - first / Math.max(words, 1))
  return whole * share ** 2 * sureness ** 2 * early * (1 - 0.02 * Math.max(spread, 0))
}

/** One complaint's score: its best phrase, and a little for every further one that says something new. */
function gather(id: string, scored: { score: number; found: Found }[]): Proposal {
  scored.sort((a, b) => b.score - a.score)
  const matched = new Map<number, string>()
  let score = 0
  let counted = 0
  for (const one of scored) {
    if (one.found.at.every(({ word }) => matched.has(word.place))) continue
    score += one.score * (FURTHER[counted++] ?? 0)
    for (const { word } of one.found.at) matched.set(word.place, word.written)
    if (counted === FURTHER.length) break
  }
  const inOrder = [...matched].sort(([a], [b]) => a - b).map(([, written]) => written)
  return { id, score, matched: [...new Set(inOrder)] }
}
