import type { Truth, Value } from '../content.ts'
import { type Atom, holds, isSaid } from './atoms.ts'
import {
  ALWAYS,
  AND,
  AT_LEAST,
  ATOM,
  COUNT,
  type Conditions,
  DOUBTED,
  IS,
  KNOWN,
  kindIn,
  NEVER,
  NOT,
  OR,
  slotIn,
  type Test,
} from './conditions.ts'

/** Truth as small numbers inside the evaluator: it runs for every rule after every answer. Zero is left for what is not known yet. */
export const YES = 1
export const PENDING = 2
export const UNSURE = 3
export const NO = 5
export type TruthMark = typeof NO | typeof YES | typeof PENDING | typeof UNSURE

const TRUTHS: Readonly<Record<TruthMark, Truth>> = {
  [YES]: 'yes',
  [PENDING]: 'pending',
  [UNSURE]: 'unsure',
  [NO]: 'no',
}
export const truthOf = (mark: TruthMark): Truth => TRUTHS[mark]

/** How a question stands: known, still to be asked, answered with "don't know", or not for this patient. */
export const ABSENT = 4
export type Standing = typeof YES | typeof PENDING | typeof UNSURE | typeof ABSENT

/** What conditions read: how every question stands and what was answered, by slot. */
export interface Answered {
  standing(slot: number): Standing
  value(slot: number): Value
}

const UNKNOWN = 0

/** The truth of a release's conditions after some answers. Each is evaluated on first use and cached. */
export class Truths {
  private readonly marks: Uint8Array
  private readonly answered: Answered
  private readonly isOver: boolean
  private readonly heads: Int32Array
  private readonly begins: Int32Array
  private readonly parts: Int32Array
  private readonly leasts: Uint16Array
  private readonly atoms: readonly (Atom | undefined)[]

  /** `marks`: a zero for each condition. `isOver`: nothing more will be asked, so what was not asked is not known, though nobody denied it either. */
  constructor(
    { count, heads, begins, parts, leasts, atoms }: Conditions,
    answered: Answered,
    marks: Uint8Array = new Uint8Array(count),
    isOver = false,
  ) {
    this.marks = marks
    this.answered = answered
    this.isOver = isOver
    this.heads = heads
    this.begins = begins
    this.parts = parts
    this.leasts = leasts
    this.atoms = atoms
  }

  /** The truth of a condition. */
  of(test: Test): TruthMark {
    const known = this.marks[test] as TruthMark | typeof UNKNOWN
    return known === UNKNOWN ? this.workOut(test) : known
  }

  /** Call when questions stand differently than before. */
  forget(): void {
    this.marks.fill(UNKNOWN)
  }

  /** Call when only these conditions may have changed. */
  forgetSome(tests: Uint32Array): void {
    for (let at = 0; at < tests.length; at++) this.marks[tests[at] ?? 0] = UNKNOWN
  }

  // One function for the kinds of nearly all conditions, which calls itself: a step has over a thousand of them to work out.
  private workOut(test: Test): TruthMark {
    const head = this.heads[test] ?? NEVER
    const kind = kindIn(head)
    const mark =
      kind === AND
        ? this.ofAll(test)
        : kind === OR
          ? this.ofSome(test)
          : kind >= ATOM
            ? this.ofAtom(test, kind, slotIn(head))
            : this.ofOther(test, kind)
    this.marks[test] = mark
    return mark
  }

  private ofOther(test: Test, kind: number): TruthMark {
    if (kind === NOT) return opposite(this.of(this.parts[this.begins[test] ?? 0] ?? 0))
    if (kind === AT_LEAST) return this.ofAtLeast(test)
    return kind === ALWAYS ? YES : NO
  }

  // Most conditions are known already: the two loops look that up themselves, which makes a step 6 % shorter.
  /** No beats pending beats unsure beats yes. */
  private ofAll(test: Test): TruthMark {
    const { marks, parts } = this
    const end = this.begins[test + 1] ?? 0
    let result: TruthMark = YES
    for (let at = this.begins[test] ?? 0; at < end; at++) {
      const part = parts[at] ?? 0
      const known = marks[part] as TruthMark | typeof UNKNOWN
      const mark = known === UNKNOWN ? this.workOut(part) : known
      if (mark === NO) return NO
      if (mark === PENDING || (mark === UNSURE && result === YES)) result = mark
    }
    return result
  }

  /** Yes beats pending beats unsure beats no. */
  private ofSome(test: Test): TruthMark {
    const { marks, parts } = this
    const end = this.begins[test + 1] ?? 0
    let result: TruthMark = NO
    for (let at = this.begins[test] ?? 0; at < end; at++) {
      const part = parts[at] ?? 0
      const known = marks[part] as TruthMark | typeof UNKNOWN
      const mark = known === UNKNOWN ? this.workOut(part) : known
      if (mark === YES) return YES
      if (mark === PENDING || (mark === UNSURE && result === NO)) result = mark
    }
    return result
  }

  private ofAtLeast(test: Test): TruthMark {
    const least = this.leasts[test] ?? 0
    const end = this.begins[test + 1] ?? 0
    let yes = 0
    let pending = 0
    let unsure = 0
    for (let at = this.begins[test] ?? 0; at < end; at++) {
      const mark = this.of(this.parts[at] ?? 0)
      if (mark === YES) yes++
      else if (mark === PENDING) pending++
      else if (mark === UNSURE) unsure++
    }
    if (yes >= least) return YES
    if (yes + pending + unsure < least) return NO
    // Whatever the pending parts turn out to be, it stays undecided, so asking them would not help.
    if (yes + pending < least && yes + unsure >= least) return UNSURE
    return PENDING
  }

  private ofAtom(test: Test, kind: number, slot: number): TruthMark {
    const standing = this.answered.standing(slot)
    if (kind === IS) {
      if (standing === YES) return this.answered.value(slot) === true ? YES : NO
      return standing === ABSENT ? NO : standing
    }
    // An option not offered to this patient cannot have been chosen; known answers were chosen from those offered.
    if (kind === ATOM && (standing === PENDING || standing === UNSURE) && this.isNotOffered(test)) return NO
    if (standing === PENDING) return this.isOver && (kind === KNOWN || kind === DOUBTED) ? NO : PENDING
    if (kind === KNOWN) return standing === YES && isSaid(this.answered.value(slot)) ? YES : NO
    if (kind === DOUBTED) return standing === UNSURE ? YES : NO
    if (standing === UNSURE) return UNSURE
    // A question that is absent has nothing chosen, so only a count of it can be true: of zero.
    if (standing === ABSENT && kind !== COUNT) return NO
    const atom = this.atoms[test]
    return atom && holds(atom, standing === YES ? this.answered.value(slot) : []) ? YES : NO
  }

  private isNotOffered(atom: Test): boolean {
    const begin = this.begins[atom] ?? 0
    return begin < (this.begins[atom + 1] ?? 0) && this.of(this.parts[begin] ?? 0) === NO
  }
}

const opposite = (mark: TruthMark): TruthMark => (mark === YES ? NO : mark === NO ? YES : mark)
