import type { Relations } from '../relations.ts'
import { ATOM, type Conditions, type Test } from './conditions.ts'

/** What depends on one answer, directly or through others: the truth of these conditions, and how these questions stand. */
export interface Dependents {
  readonly tests: Uint32Array
  readonly slots: Uint32Array
}

interface Asked {
  readonly applies: Test | undefined
  readonly conditional: readonly Test[]
}

/** A question that some complaint asks only where a condition holds. */
export type Gate = readonly [slot: number, when: Test]

/** By question what depends on its answer, the question itself included: each is worked out when it is first asked for. */
export function dependentsOf(
  conditions: Conditions,
  questions: readonly Asked[],
  gates: Iterable<Gate>,
  relations: readonly Relations[],
): (slot: number) => Dependents {
  const wholesOf = wholesByPart(conditions)
  const atomsOf = atomsBySlot(conditions, questions.length)
  const askedBy = slotsByTest(conditions, questions)
  for (const [slot, when] of gates) askedBy[when]?.push(slot)
  const { toldBy, speakingOf } = relatedSlots(relations)

  // Marked with the question that reached them last: over a thousand questions, sets would take ten times as long.
  const reachedTests = new Int32Array(conditions.count).fill(-1)
  const reachedSlots = new Int32Array(questions.length).fill(-1)

  function dependentsOn(first: number): Dependents {
    const tests: Test[] = []
    const slots: number[] = []
    const addSlot = (slot: number) => {
      if (reachedSlots[slot] === first) return
      reachedSlots[slot] = first
      slots.push(slot)
      for (const atom of atomsOf[slot] ?? []) addTest(atom)
    }
    // What it tells of another sign decides whether a denial of that one counts.
    const touched = new Set([first, ...(relations[first]?.implies ?? [])])
    const addRelated = () => {
      const related = [...(toldBy[first] ?? []), ...[...touched].flatMap((other) => speakingOf[other] ?? [])]
      for (const slot of related.sort((a, b) => a - b)) addSlot(slot)
    }
    const addTest = (test: Test) => {
      if (reachedTests[test] === first) return
      reachedTests[test] = first
      tests.push(test)
      for (const whole of wholesOf[test] ?? []) addTest(whole)
      for (const slot of askedBy[test] ?? []) addSlot(slot)
    }
    addSlot(first)
    addRelated()
    return { tests: Uint32Array.from(tests), slots: Uint32Array.from(slots) }
  }
  const known: (Dependents | undefined)[] = questions.map(() => undefined)
  return (slot) => {
    const dependents = known[slot] ?? dependentsOn(slot)
    known[slot] = dependents
    return dependents
  }
}

/** By slot: those that its answer tells, and those that imply it or have it as a part. */
function relatedSlots(relations: readonly Relations[]): { toldBy: number[][]; speakingOf: number[][] } {
  const toldBy = emptyLists(relations.length)
  const speakingOf = emptyLists(relations.length)
  for (const [slot, { impliedBy, implies, parts, same }] of relations.entries()) {
    for (const other of impliedBy) toldBy[other]?.push(slot)
    if (same !== undefined) toldBy[same]?.push(slot)
    for (const other of [...implies, ...parts]) speakingOf[other]?.push(slot)
  }
  return { toldBy, speakingOf }
}

const emptyLists = (length: number): number[][] => Array.from({ length }, () => [])

function wholesByPart({ count, begins, parts }: Conditions): number[][] {
  const wholes = emptyLists(count)
  for (let test = 0; test < count; test++)
    for (const part of parts.subarray(begins[test], begins[test + 1])) wholes[part]?.push(test)
  return wholes
}

function atomsBySlot({ count, kinds, slots }: Conditions, slotCount: number): number[][] {
  const atoms = emptyLists(slotCount)
  for (let test = 0; test < count; test++) if ((kinds[test] ?? 0) >= ATOM) atoms[slots[test] ?? 0]?.push(test)
  return atoms
}

function slotsByTest({ count }: Conditions, questions: readonly Asked[]): number[][] {
  const slots = emptyLists(count)
  for (const [slot, { applies, conditional }] of questions.entries()) {
    if (applies !== undefined) slots[applies]?.push(slot)
    for (const offered of conditional) slots[offered]?.push(slot)
  }
  return slots
}
