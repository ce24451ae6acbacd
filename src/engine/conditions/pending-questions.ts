import { AND, ATOM, type Conditions, kindIn, slotIn, type Test } from './conditions.ts'
import { type Answered, PENDING, type Truths } from './evaluate.ts'

/** What a question waits for before it can be asked. */
export interface Waiting extends Answered {
  readonly conditions: Conditions
  readonly truths: Truths
  /** How many questions there are. */
  readonly slotCount: number
  /** The pending conditions that decide whether this question applies, or else which options it offers. */
  waitsFor(slot: number): readonly Test[]
}

/** Questions already visited: those that only wait for others, and those that are found. */
const VISITED = 1
const FOUND = 2

/** Collects the questions that keep conditions pending. */
export class PendingQuestions {
  /** Each once, in the order in which they are found. */
  readonly slots: number[] = []
  private readonly waiting: Waiting
  private readonly conditions: Conditions
  private readonly truths: Truths
  /** By slot, since many conditions are about the same questions. */
  private readonly visits: Uint8Array

  /** `visits`: a zero for each question. */
  constructor(waiting: Waiting, visits: Uint8Array = new Uint8Array(waiting.slotCount)) {
    this.waiting = waiting
    this.conditions = waiting.conditions
    this.truths = waiting.truths
    this.visits = visits
  }

  /** Whether this question is one of them. */
  has(slot: number): boolean {
    return this.visits[slot] === FOUND
  }

  /** What this condition waits for first: of parts that must all hold, the first open one may settle it. */
  addFirst(test: Test): void {
    if (this.truths.of(test) === PENDING) this.addPending(test, true)
  }

  /** Everything that this condition waits for, if it is pending. Most wait for questions that were visited already. */
  add(test: Test): void {
    if (this.truths.of(test) === PENDING && this.isNew(test)) this.addPending(test, false)
  }

  private isNew(test: Test): boolean {
    const slots = this.conditions.slotsIn(test)
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at] ?? 0
      if (this.visits[slot] === 0 && this.waiting.standing(slot) === PENDING) return true
    }
    return false
  }

  private addPending(test: Test, isFirstOnly: boolean): void {
    const { heads, begins, parts } = this.conditions
    const head = heads[test] ?? 0
    if (kindIn(head) >= ATOM) {
      this.addQuestion(slotIn(head))
      return
    }
    const isFirstEnough = isFirstOnly && kindIn(head) === AND
    const end = begins[test + 1] ?? 0
    for (let at = begins[test] ?? 0; at < end; at++) {
      const part = parts[at] ?? 0
      if (this.truths.of(part) !== PENDING) continue
      const partHead = heads[part] ?? 0
      if (kindIn(partHead) < ATOM) this.addPending(part, isFirstOnly)
      else if (this.visits[slotIn(partHead)] === 0) this.visit(slotIn(partHead))
      if (isFirstEnough) return
    }
  }

  /** What this pending question waits for: its own answer, or what decides whether and how it is asked. */
  addQuestion(slot: number): void {
    if (this.visits[slot] === 0) this.visit(slot)
  }

  private visit(slot: number): void {
    const before = this.waiting.waitsFor(slot)
    this.visits[slot] = before.length === 0 ? FOUND : VISITED
    if (before.length === 0) this.slots.push(slot)
    for (let at = 0; at < before.length; at++) this.add(before[at] ?? 0)
  }
}
