import { type Atom, holds, isSaid } from './atoms.ts'
import type { Fact, Truth, Value } from './content.ts'

/** Truth as small numbers inside the evaluator: it runs for every rule after every answer. */
export const NO = 0
export const YES = 1
export const PENDING = 2
export const UNSURE = 3
export type Mark = typeof NO | typeof YES | typeof PENDING | typeof UNSURE

const TRUTHS: readonly Truth[] = ['no', 'yes', 'pending', 'unsure']
export const truthOf = (mark: Mark): Truth => TRUTHS[mark] ?? 'no'

/** How a question stands: known, still to be asked, answered with "don't know", or not for this patient. */
export const ABSENT = 4
export type Standing = typeof YES | typeof PENDING | typeof UNSURE | typeof ABSENT

/** What is not worked out yet. */
export const UNKNOWN = -1

/** What conditions read: the standing and value of every question, by slot. */
export interface Findings {
  standing(slot: number): Standing
  value(slot: number): Value
  /** The pending conditions that decide whether this question applies, or else which options it offers. */
  waitsFor(slot: number): readonly Test[]
  /** The mark of every condition that was looked at, by its number, else `UNKNOWN`: nothing is worked out twice. */
  readonly marks: Int8Array
}

/** A condition ready to run. All have the same fields, whatever they say: that is what keeps running them fast. */
export interface Test {
  /** Its place among the marks; equal conditions are one and the same. */
  readonly number: number
  readonly kind: 'always' | 'never' | 'atom' | 'not' | 'and' | 'or' | 'atLeast'
  readonly parts: readonly Test[]
  /** The parts as they were written, where they are run in another form. */
  readonly written: readonly Test[]
  /** How many parts `atLeast` asks for. */
  readonly least: number
  /** The question an atom is about. */
  readonly slot: number
  readonly atom: Atom | undefined
  /** Whether the option that an atom asks for is offered to this patient; undefined when it always is. */
  readonly offered: Test | undefined
}

/** The truth of the condition. */
export function markOf(test: Test, findings: Findings): Mark {
  const known = findings.marks[test.number]
  if (known !== undefined && known !== UNKNOWN) return known as Mark
  const mark = work(test, findings)
  findings.marks[test.number] = mark
  return mark
}

function work(test: Test, findings: Findings): Mark {
  switch (test.kind) {
    case 'atom':
      return markOfAtom(test, findings)
    case 'and':
      return markOfAll(test.parts, findings)
    case 'or':
      return markOfSome(test.parts, findings)
    case 'not':
      return markOfNot(test, findings)
    case 'atLeast':
      return markOfAtLeast(test, findings)
    case 'always':
      return YES
    case 'never':
      return NO
  }
}

function markOfAtom({ slot, atom, offered }: Test, findings: Findings): Mark {
  if (!atom) return NO
  // An option that is not offered to this patient cannot have been chosen, asked or not.
  if (offered && markOf(offered, findings) === NO) return NO
  const standing = findings.standing(slot)
  if (standing === PENDING) return PENDING
  if (atom[0] === 'known') return standing === YES && isSaid(findings.value(slot)) ? YES : NO
  if (standing === UNSURE) return UNSURE
  if (standing === YES) return holds(atom, findings.value(slot)) ? YES : NO
  // Who was not asked has chosen nothing, and nothing can be counted.
  return atom[0] === 'compare' && atom[1][0] === 'count' && holds(atom, []) ? YES : NO
}

/** No beats pending beats unsure beats yes. */
function markOfAll(parts: readonly Test[], findings: Findings): Mark {
  let result: Mark = YES
  for (const part of parts) {
    const mark = markOf(part, findings)
    if (mark === NO) return NO
    if (mark === PENDING || (mark === UNSURE && result === YES)) result = mark
  }
  return result
}

/** Yes beats pending beats unsure beats no. */
function markOfSome(parts: readonly Test[], findings: Findings): Mark {
  let result: Mark = NO
  for (const part of parts) {
    const mark = markOf(part, findings)
    if (mark === YES) return YES
    if (mark === PENDING || (mark === UNSURE && result === NO)) result = mark
  }
  return result
}

function markOfNot({ parts: [inner] }: Test, findings: Findings): Mark {
  const mark = inner ? markOf(inner, findings) : NO
  return mark === YES ? NO : mark === NO ? YES : mark
}

function markOfAtLeast({ parts, least }: Test, findings: Findings): Mark {
  let yes = 0
  let pending = 0
  let unsure = 0
  for (const part of parts) {
    const mark = markOf(part, findings)
    if (mark === YES) yes++
    else if (mark === PENDING) pending++
    else if (mark === UNSURE) unsure++
  }
  if (yes >= least) return YES
  if (yes + pending + unsure < least) return NO
  // Whatever the pending ones turn out to be, it stays undecided: asking them would not help.
  if (yes + pending < least && yes + unsure >= least) return UNSURE
  return PENDING
}

/** Collects the answers that make the condition what it is. When one part alone decides, only such parts count; otherwise all do. */
export function collectFacts(test: Test, findings: Findings, into: Fact[]): void {
  if (test.atom) collectFact(test.slot, test.atom, findings, into)
  const decisive = test.kind === 'and' ? NO : YES
  const deciding = test.written.filter((part) => markOf(part, findings) === decisive)
  for (const part of deciding.length > 0 ? deciding : test.written) collectFacts(part, findings, into)
}

function collectFact(slot: number, atom: Atom, findings: Findings, into: Fact[]): void {
  const standing = findings.standing(slot)
  if (standing === ABSENT || standing === PENDING || (standing === UNSURE && atom[0] === 'known')) return
  const question = atom[0] === 'compare' ? atom[1][1] : atom[1]
  const value = findings.value(slot)
  const state = standing === UNSURE ? 'unsure' : holds(atom, value) ? 'present' : 'denied'
  into.push({ question, value, state, ...(atom[0] === 'has' && { option: atom[2] }) })
}
