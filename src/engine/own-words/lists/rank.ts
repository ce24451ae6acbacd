import type { CompiledRelease, Language } from '../../content.ts'
import { perRelease } from '../per-release.ts'
import type { Word } from '../read.ts'
import { LANGUAGE_RULES } from '../rules.ts'
import { understandingIn } from '../understanding.ts'
import { createPhraseBook, type Found, type PhraseBook } from './phrases.ts'

export interface Proposal {
  readonly id: string
  readonly score: number
  /** The patient's words that led here. */
  readonly matched: readonly string[]
}

/** A phrase counts when this much of its meaning is in the text … */
const LEAST_SHARE = 0.65
/** … and a complaint when it scores this part of the best one. */
const LEAST_OF_BEST = 0.3
/** A whole phrase found with this certainty is proposed even beside a much better one, if it explains other words. */
const SURE = 0.75
/** The general complaint's words count less, so that it ranks behind a specific complaint. */
const OF_GENERAL = 0.4
/** The weights of the first, second and third phrase of the same complaint. */
const FURTHER = [1, 0.35, 0.15]

const bookOf = perRelease((release, language): PhraseBook => {
  const terms = release.complaints.map(({ id, kind }) => (kind === 'emergency' ? [] : termsOf(release, id, language)))
  return createPhraseBook(terms, understandingIn(release, language), {
    list: 'terms',
    strict: false,
    leastShare: LEAST_SHARE,
  })
})

/** The name of a complaint and the words by which people look for it. */
export function termsOf(release: CompiledRelease, id: string, language: Language): string[] {
  const name = release.words[language][`complaint.${id}.name`]
  return [...(name ? [name] : []), ...(release.search[language][id] ?? [])]
}

/** Complaints whose terms occur in the text, best first. */
export function rank(release: CompiledRelease, words: readonly Word[], language: Language): Proposal[] {
  const book = bookOf(release, language)
  const scored = new Map<number, Scored[]>()
  for (const found of book.find(words, true, (units) => 2 * units + 4)) {
    const { owner } = found.phrase
    const part = release.complaints[owner]?.kind === 'general' ? OF_GENERAL : 1
    const score = part * scoreOf(found, book.weights, words.length)
    if (score <= 0) continue
    const before = scored.get(owner)
    if (before) addInOrder(before, { score, found })
    else scored.set(owner, [{ score, found }])
  }
  const gathered = [...scored].map(([owner, found]) => gather(release.complaints[owner]?.id ?? '', found))
  gathered.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  const least = LEAST_OF_BEST * (gathered[0]?.score ?? 0)
  const explained = new Set<number>()
  const proposals: Proposal[] = []
  for (const { id, score, words: own, whole } of gathered) {
    if (score < least && !(whole && own.some(({ place }) => !explained.has(place)))) continue
    for (const { place } of own) explained.add(place)
    const inOrder = own.sort((a, b) => a.place - b.place).map(({ written }) => written)
    proposals.push({ id, score, matched: [...new Set(inOrder)] })
  }
  return proposals
}

/** The patient's words, without those that are small words in the language of the page. */
export function withoutSmallWords(words: readonly Word[], page: Language): Word[] {
  const { glue, common } = LANGUAGE_RULES[page]
  return words.filter(({ form }) => !glue.has(form) && !common.has(form))
}

interface Scored {
  readonly score: number
  readonly found: Found
}

function scoreOf({ phrase, at }: Found, weights: readonly number[], words: number): number {
  let whole = 0
  for (const { unit } of phrase.units) whole += weights[unit] as number
  let [weight, sure, first, last] = [0, 0, Number.POSITIVE_INFINITY, 0]
  for (const { hit, word } of at) {
    weight += weights[hit.unit] as number
    sure += hit.sureness
    first = Math.min(first, word.place)
    last = Math.max(last, word.place)
  }
  const share = weight / whole
  if (!(share >= LEAST_SHARE)) return 0
  const sureness = sure / at.length
  const spread = last - first - (at.length - 1)
  // What comes first is what the patient comes for.
  const early = 1 + 0.1 * (1 - first / Math.max(words, 1))
  return whole * share ** 2 * sureness ** 2 * early * (1 - 0.02 * Math.max(spread, 0))
}

/** The best first, and of those that are alike the one that was found first. */
function addInOrder(scored: Scored[], one: Scored): void {
  let at = scored.length
  scored.push(one)
  for (; at > 0 && (scored[at - 1] as Scored).score < one.score; at--) scored[at] = scored[at - 1] as Scored
  scored[at] = one
}

/** One complaint's score: its best phrase, and a little for every further one that says something new. */
function gather(id: string, scored: readonly Scored[]) {
  const words: Word[] = []
  let score = 0
  let counted = 0
  for (const one of scored) {
    const before = words.length
    for (const { word } of one.found.at) if (!words.includes(word)) words.push(word)
    if (words.length === before) continue
    score += one.score * (FURTHER[counted++] ?? 0)
    if (counted === FURTHER.length) break
  }
  const best = scored[0]?.found
  const whole =
    best !== undefined &&
    best.at.length === best.phrase.units.length &&
    best.at.every(({ hit }) => hit.sureness >= SURE)
  return { id, score, words, whole }
}
