import { type CompiledRelease, LANGUAGES, type Language } from '../content.ts'
import { WAY_TO } from '../intake.ts'
import { likelyLanguage, meansDanger, readInAll, signsIn } from './danger.ts'
import { type Proposal, rank, withoutSmallWords } from './rank.ts'
import { cutUp, readWords } from './read.ts'
import { LANGUAGE_RULES } from './rules.ts'
import { searchTerms } from './search-box.ts'

export type { Proposal } from './rank.ts'

interface Released {
  readonly release: CompiledRelease
}

const MOST_PROPOSALS = 5

/**
 * The complaints that the patient's own words suggest, best first, and whether the words mean danger. Words that match
 * nothing lead to the general complaint. `accepts` leaves out complaints that do not apply to this patient.
 */
export function propose(
  { release }: Released,
  text: string,
  language: Language,
  accepts: (id: string) => boolean = isMedical(release),
): { danger: boolean; complaints: Proposal[] } {
  // People write in the language they think in, whatever language the page has.
  const readings = readInAll(cutUp(text))
  let complaints = rank(release, readings[language], language, accepts)
  for (const other of LANGUAGES) {
    if (complaints.length > 0) break
    if (other !== language) complaints = rank(release, withoutSmallWords(readings[other], language), other, accepts)
  }
  const general = release.complaints.find(({ id, kind }) => kind === 'general' && accepts(id))
  if (complaints.length === 0 && general) complaints = [{ id: general.id, score: 0, matched: [] }]
  return { danger: meansDanger(release, readings, language), complaints: complaints.slice(0, MOST_PROPOSALS) }
}

/** Whether the words mean danger, when their language is not known. */
export function soundsDangerous({ release }: Released, text: string): boolean {
  const readings = readInAll(cutUp(text))
  return meansDanger(release, readings, likelyLanguage(readings))
}

/** The signs recognised in a text, when its language is not known. */
export function hearSigns({ release }: Released, text: string): string[] {
  const readings = readInAll(cutUp(text))
  return signsIn(release, readings, likelyLanguage(readings))
}

/** The ids of complaints for the text in the search box, best first; all of them by name while it is empty. */
export function search(
  { release }: Released,
  query: string,
  language: Language,
  accepts: (id: string) => boolean = isMedical(release),
): string[] {
  const found = searchTerms(release, query, language, accepts)
  if (found.length > 0) return found
  return rank(release, readWords(cutUp(query), LANGUAGE_RULES[language]), language, accepts).map(({ id }) => id)
}

function isMedical({ complaints }: CompiledRelease): (id: string) => boolean {
  const medical = new Set(complaints.filter(({ kind }) => WAY_TO[kind].isMedical).map(({ id }) => id))
  return (id) => medical.has(id)
}
