import type { CompiledRelease, Heard, Language, WrittenAt } from '../content.ts'
import { candidatesIn, complaintsIn, matterIn, toldInPassing } from './complaints.ts'
import { dangersHeard } from './dangers.ts'
import { factsIn } from './facts/facts.ts'
import { optionsIn } from './facts/options.ts'
import { tell } from './told.ts'

/**
 * What a text tells: complaints to propose, dangers to ask about, facts to confirm. Pure: the same release and text give the same hearing. `accepts` leaves
 * out complaints that do not hold for this patient; weekdays are heard where `writtenAt` says which day it is.
 */
export function hear(
  release: CompiledRelease,
  text: string,
  language: Language,
  accepts: (id: string) => boolean,
  writtenAt?: WrittenAt,
): Heard {
  const told = tell(release, text, language)
  const candidates = candidatesIn(release, told)
  const matter = matterIn(release, candidates)
  const complaints = complaintsIn(release, candidates, accepts).map(({ id, score, words }) => ({ id, score, words }))
  const passing = toldInPassing(release, told, accepts)
  return {
    complaints,
    dangers: dangersHeard(release, told),
    facts: [...factsIn(text, told.clauses, told.likely, writtenAt), ...optionsIn(release, told, complaints[0])],
    ...(matter && { matter }),
    ...(passing.length > 0 && { passing }),
  }
}

/** What a text that comes later in the interview tells of danger: complaints and facts are only proposed from the matter. */
export const hearDangers = (release: CompiledRelease, text: string, language: Language): Heard => ({
  complaints: [],
  dangers: dangersHeard(release, tell(release, text, language)),
  facts: [],
})

/** Builds what own words are read with, which the first text would wait for. */
export function prepareToHear(release: CompiledRelease, language: Language): void {
  hear(release, '', language, () => false)
}
