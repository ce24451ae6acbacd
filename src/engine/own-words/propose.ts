import type { CompiledRelease, Language } from '../content.ts'
import { WAY_TO } from '../intake.ts'
import { candidatesIn, complaintsIn } from './complaints.ts'
import { dangersHeard } from './dangers.ts'
import type { Proposal } from './lists/rank.ts'
import { searchTerms } from './lists/search-box.ts'
import { tell } from './told.ts'

export type { Proposal } from './lists/rank.ts'

interface Released {
  readonly release: CompiledRelease
}

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
  const told = tell(release, text, language)
  return {
    danger: dangersHeard(release, told).length > 0,
    complaints: complaintsIn(release, candidatesIn(release, told), accepts).map(({ id, score, matched }) => ({
      id,
      score,
      matched,
    })),
  }
}

/** The ids of complaints for what was typed so far into the search box, best first; all of them by name while nothing is. */
export function search(
  { release }: Released,
  query: string,
  language: Language,
  accepts: (id: string) => boolean = isMedical(release),
): string[] {
  const found = searchTerms(release, query, language, accepts)
  if (found.length > 0) return found
  // What no term begins with is read as own words are; nothing heard is nothing found.
  const heard = propose({ release }, query, language, accepts).complaints
  return heard.flatMap(({ id, score }) => (score > 0 ? id : []))
}

function isMedical({ complaints }: CompiledRelease): (id: string) => boolean {
  const medical = new Set(complaints.filter(({ kind }) => WAY_TO[kind].isMedical).map(({ id }) => id))
  return (id) => medical.has(id)
}
