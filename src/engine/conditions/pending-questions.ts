import { AND, ATOM, type Conditions, type Test } from './conditions.ts'
import { PENDING, type Truths } from './evaluate.ts'

/** What a question waits for before it can be asked. */
export interface Waiting {
  readonly conditions: Conditions
  readonly truths: Truths
  /** How many questions there are. */
  readonly slotCount: number
  /** The pending conditions that decide whether this question applies, or else which options it offers. */
  waitsFor(slot: number): readonly Test[]
}

/** Collects the questions that keep conditions pending: each once, in the order in which they are found. */
export class PendingQuestions {
  readonly slots = new Set<number>()
  private readonly waiting: Waiting
  private readonly conditions: Conditions
  private readonly truths: Truths
  /** Questions already visited: many conditions are about the same. */
  private readonly seen: boolean[]

  constructor(waiting: Waiting) {
    this.waiting = waiting
    this.conditions = waiting.conditions
    this.truths = waiting.truths
    this.seen = new Array(waiting.slotCount).fill(false)
  }

  /** Whether this question was already visited. */
  has(slot: number): boolean {
    return this.seen[slot] === true
  }

  /** What this condition waits for first: of parts that must all hold, the first open one may settle it. */
  addFirst(test: Test): void {
    this.addParts(test, true)
  }

  /** Everything that this condition waits for, if it is pending. */
  add(test: Test): void {
    this.addParts(test, false)
  }

  private addParts(test: Test, isFirstOnly: boolean): void {
    if (this.truths.of(test) !== PENDING) return
    const { kinds, begins, parts, slots } = this.conditions
    if ((kinds[test] ?? 0) >= ATOM) {
      this.addQuestion(slots[test] ?? 0)
      return
    }
    const end = begins[test + 1] ?? 0
    for (let at = begins[test] ?? 0; at < end; at++) {
      const part = parts[at] ?? 0
      if (this.truths.of(part) !== PENDING) continue
      this.addParts(part, isFirstOnly)
      if (isFirstOnly && kinds[test] === AND) return
    }
  }

  /** What this pending question waits for: its own answer, or what decides whether and how it is asked. */
  addQuestion(slot: number): void {
    if (this.seen[slot]) return
    this.seen[slot] = true
    const before = this.waiting.waitsFor(slot)
    if (before.length === 0) this.slots.add(slot)
    for (const test of before) this.add(test)
  }
}
