import type { RedFlag } from '../../engine/content.ts'
import { type Content, NONE } from '../../engine/load.ts'

/** Red flags as a clinician reads them: first those of the complaints' own rules, the most urgent rule first; then the rest as it was asked. */
export function byPertinence(content: Content, complaints: readonly string[], flags: readonly RedFlag[]): RedFlag[] {
  const ranks = new Map<number, number>()
  for (const id of complaints)
    for (const { rank, when } of content.complaints.get(id)?.rules ?? [])
      for (const slot of content.conditions.slotsIn(when)) ranks.set(slot, Math.min(rank, ranks.get(slot) ?? NONE))
  const rankOf = ({ question }: RedFlag) => ranks.get(content.slotOf.get(question) ?? -1) ?? NONE
  return flags.toSorted((a, b) => rankOf(a) - rankOf(b))
}
