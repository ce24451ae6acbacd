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

/** For every question what depends on its answer, the question itself included. */
export function dependentsOf(
  conditions: Conditions,
  questions: readonly Asked[],
  gates: readonly Gate[],
  relations: readonly Relations[],
): Dependents[] {
  const wholesOf = wholesByPart(conditions)
  const atomsOf = atomsBySlot(conditions, questions.length)
  const askedBy = slotsByTest(conditions, questions)
  for (const [slot, when] of gates) askedBy[when]?.push(slot)
  const { toldBy, speakingOf } = relatedSlots(relations)

  function dependentsOn(first: number): Dependents {
    const tests = new Set<Test>()
    const slots = new Set<number>()
    const addSlot = (slot: number) => {
      if (slots.has(slot)) return
      slots.add(slot)
      for (const atom of atomsOf[slot] ?? []) addTest(atom)
    }
    // What it tells of another sign decides whether a denial of that one counts.
    const touched = new Set([first, ...(relations[first]?.implies ?? [])])
    const addRelated = () => {
      const related = [...(toldBy[first] ?? []), ...[...touched].flatMap((other) => speakingOf[other] ?? [])]
      for (const slot of related.sort((a, b) => a - b)) addSlot(slot)
    }
    const addTest = (test: Test) => {
      if (tests.has(test)) return
      tests.add(test)
      for (const whole of wholesOf[test] ?? []) addTest(whole)
      for (const slot of askedBy[test] ?? []) addSlot(slot)
    }
    addSlot(first)
    addRelated()
    return { tests: Uint32Array.from(tests), slots: Uint32Array.from(slots) }
  }
  return questions.map((_, slot) => dependentsOn(slot))
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
