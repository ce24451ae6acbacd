import { type Atom, holds } from '../conditions/atoms.ts'
import { AND, type Conditions, type Test } from '../conditions/conditions.ts'
import { ABSENT, type Answered, NO, PENDING, type Truths, UNSURE, YES } from '../conditions/evaluate.ts'
import type { Answer, Fact } from '../content.ts'

interface Judged extends Answered {
  readonly conditions: Conditions
  readonly truths: Truths
}

interface Told extends Judged {
  /** The question that was answered where its answer is taken as the answer to this one. */
  askedAs(question: string): string
  /** The signs answered with yes that make this one true; itself, when it was. */
  tellersOf(question: string): readonly string[]
  /** The typed texts whose names of medicines alone tell this, and not an answer to the question itself. */
  typedFor(question: string, option: string | undefined): readonly Answer[]
}

/** The answers behind some conditions, each once. What only follows from another answer is told by that one: nobody said more. */
export function factsOf(tests: readonly Test[], findings: Told): Fact[] {
  const facts: Fact[] = []
  for (const test of tests) collectFacts(test, findings, facts)
  const told = facts.flatMap((one): Fact[] => {
    const fact = { ...one, question: findings.askedAs(one.question) }
    const typed = fact.state === 'present' ? findings.typedFor(fact.question, fact.option) : []
    if (typed.length > 0) return typed.map(({ question, value }) => ({ question, value, state: 'present' }))
    const tellers = fact.value === true && fact.state === 'present' ? findings.tellersOf(fact.question) : []
    return tellers.length > 0 ? tellers.map((question) => ({ ...fact, question })) : [fact]
  })
  return [...new Map(told.map((fact) => [`${fact.question} ${fact.option ?? ''}`, fact])).values()]
}

/** Gathers the answers that make a condition what it is. When one part alone decides, only such parts count; otherwise all do. */
export function collectFacts(test: Test, findings: Judged, into: Fact[]): void {
  const { kinds, begins, parts, slots, atoms, written } = findings.conditions
  const atom = atoms[test]
  if (atom) {
    collectFact(slots[test] ?? 0, atom, findings, into)
    return
  }
  const all = written.get(test) ?? [...parts.subarray(begins[test], begins[test + 1])]
  const decisive = kinds[test] === AND ? NO : YES
  const deciding = all.filter((part) => findings.truths.of(part) === decisive)
  for (const part of deciding.length > 0 ? deciding : all) collectFacts(part, findings, into)
}

function collectFact(slot: number, atom: Atom, findings: Judged, into: Fact[]): void {
  const standing = findings.standing(slot)
  if (standing === ABSENT || standing === PENDING) return
  // That an answer is known, or is not in doubt, says nothing about the patient.
  if (atom[0] === (standing === UNSURE ? 'known' : 'unsure')) return
  const question = atom[0] === 'compare' ? atom[1][1] : atom[1]
  const value = findings.value(slot)
  const state = standing === UNSURE ? 'unsure' : holds(atom, value) ? 'present' : 'denied'
  into.push({ question, value, state, ...(atom[0] === 'has' && { option: atom[2] }) })
}
