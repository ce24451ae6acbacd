import { type CompiledRelease, LANGUAGES, type Language } from '../content.ts'
import { WAY_TO } from '../intake.ts'
import { meansDanger, type Readings, readInAll } from './danger.ts'
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
  const readings = readInAll(cutUp(text))
  const complaints = complaintsIn(release, readings, language, accepts)
  return { danger: meansDanger(release, readings, language), complaints }
}

/** The complaints that a text speaks of, as it was read. */
export function complaintsIn(
  release: CompiledRelease,
  readings: Readings,
  language: Language,
  accepts: (id: string) => boolean,
): Proposal[] {
  // People write in the language they think in, whatever language the page has.
  let complaints = rank(release, readings[language], language, accepts)
  for (const other of LANGUAGES) {
    if (complaints.length > 0) break
    if (other !== language) complaints = rank(release, withoutSmallWords(readings[other], language), other, accepts)
  }
  const general = release.complaints.find(({ id, kind }) => kind === 'general' && accepts(id))
  if (complaints.length === 0 && general) complaints = [{ id: general.id, score: 0, matched: [] }]
  return complaints.slice(0, MOST_PROPOSALS)
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
