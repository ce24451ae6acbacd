import type { RedFlag } from '../../engine/content.ts'
import { type Content, NONE } from '../../engine/load.ts'
import type { Interview } from '../interview/interview.ts'

/** Red flags as a clinician reads them: first those of the complaints' own rules, the most urgent rule first; then the rest as it was asked. */
export function byPertinence(content: Content, complaints: readonly string[], flags: readonly RedFlag[]): RedFlag[] {
  const ranks = new Map<number, number>()
  for (const id of complaints)
    for (const { rank, when } of content.complaints.get(id)?.rules ?? [])
      for (const slot of content.conditions.slotsIn(when)) ranks.set(slot, Math.min(rank, ranks.get(slot) ?? NONE))
  const rankOf = ({ question }: RedFlag) => ranks.get(content.slotOf.get(question) ?? -1) ?? NONE
  return flags.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Red flags, each finding once: one that nobody was asked about and that only follows from another is told by that one. */
export function toldOnce({ content, step }: Pick<Interview, 'content' | 'step'>, flags: readonly RedFlag[]): RedFlag[] {
  const isThere = ({ state, option }: RedFlag) => state === 'present' && option === undefined
  const implied = new Set(
    flags.filter(isThere).flatMap(({ question }) => content.release.questions[question]?.implies ?? []),
  )
  const said = new Set(step.ledger.map(({ question }) => question))
  return flags.filter((flag) => !isThere(flag) || said.has(flag.question) || !implied.has(flag.question))
}
