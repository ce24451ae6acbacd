import type { Question } from './content.ts'

/** What other signs imply about a sign, directly or through others. */
export interface Relations {
  /** Any of these true: it is true. */
  readonly impliedBy: readonly number[]
  /** Any of these false: it is false. */
  readonly implies: readonly number[]
  /** All of these false: it is false. Empty when nothing is known of its parts. */
  readonly parts: readonly number[]
  /** Its answer is the answer to this one as well; where this one is its own, only while there is a single complaint. */
  readonly same: number | undefined
  readonly isOwn: boolean
  /** Those of which its own answer may tell something. */
  readonly concerns: readonly number[]
}

/** What most signs imply. */
const NOTHING: ReadonlySet<number> = new Set()

/** For every question, by slot, what other signs imply about it. */
export function relationsOf(questions: readonly Question[], slotOf: (id: string) => number): Relations[] {
  const direct = questions.map(({ implies = [] }) => implies.map(slotOf))
  const closure = (slot: number, found = new Set<number>()): Set<number> => {
    for (const next of direct[slot] ?? []) {
      if (found.has(next)) continue
      found.add(next)
      closure(next, found)
    }
    return found
  }
  const implied = questions.map((_, slot) => (direct[slot]?.length ? closure(slot) : NOTHING))
  const impliedBy: number[][] = questions.map(() => [])
  for (const [other, slots] of implied.entries()) for (const slot of slots) impliedBy[slot]?.push(other)
  const relations = questions.map(({ parts = [], sameAs, own }, slot) => ({
    impliedBy: impliedBy[slot] ?? [],
    implies: [...(implied[slot] ?? [])],
    parts: parts.map(slotOf),
    same: sameAs === undefined ? undefined : slotOf(sameAs),
    isOwn: own === true,
    concerns: [] as number[],
  }))
  for (const [slot, { impliedBy, implies, parts, same }] of relations.entries()) {
    for (const other of [...impliedBy, ...implies, ...parts]) relations[other]?.concerns.push(slot)
    if (same !== undefined) relations[same]?.concerns.push(slot)
  }
  return relations
}
