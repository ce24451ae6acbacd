import type { Comparison, Expression, Fact, Operand, Truth, Value } from './content.ts'
import { isDuration, minutesOf } from './values.ts'

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

/** What conditions read: the standing and value of every question, by slot, and the findings, computed once. */
export interface Findings {
  standing(slot: number): Standing
  value(slot: number): Value
  finding(slot: number): Mark
  /** Collects what has to be asked before this pending question is known: itself, or what decides whether it applies. */
  need(slot: number, into: Set<number>): void
}

/** A condition ready to run. */
export interface Test {
  /** The truth of the condition. */
  mark(findings: Findings): Mark
  /** Slots of the questions that keep a pending condition pending. */
  needs(findings: Findings, into: Set<number>): void
  /** The answers that make the condition what it is, yes or no. */
  facts(findings: Findings, into: Fact[]): void
}

export interface Slots {
  question(id: string): number
  finding(id: string): number
  findingTest(slot: number): Test
  /** Whether this option is offered to this patient; undefined when it always is. */
  offered(question: string, option: string): Test | undefined
}

/** Turns a compiled condition into closures. */
export function prepare(expression: Expression, slots: Slots): Test {
  switch (expression[0]) {
    case 'const': {
      const mark = expression[1] ? YES : NO
      return { mark: () => mark, needs: () => {}, facts: () => {} }
    }
    case 'finding':
      return prepareFinding(slots.finding(expression[1]), slots)
    case 'not':
      return prepareNot(prepare(expression[1], slots))
    case 'and':
      return prepareAll(expression.slice(1).map((part) => prepare(part as Expression, slots)))
    case 'or':
      return prepareSome(expression.slice(1) as Expression[], slots)
    case 'atLeast':
      return prepareAtLeast(
        expression[1],
        expression.slice(2).map((part) => prepare(part as Expression, slots)),
      )
    case 'is':
      return prepareAtom(expression[1], slots, (value) => value === true)
    case 'eq': {
      const [, question, wanted] = expression
      return onlyIfOffered(
        slots.offered(question, wanted),
        prepareAtom(question, slots, (value) => value === wanted),
      )
    }
    case 'has': {
      const [, question, option] = expression
      const atom = prepareAtom(question, slots, (value) => Array.isArray(value) && value.includes(option), option)
      return onlyIfOffered(slots.offered(question, option), atom)
    }
    case 'any':
      return prepareAtom(expression[1], slots, (value) => countOf(value) > 0)
    case 'known':
      return prepareKnown(expression[1], slots)
    case 'compare':
      return prepareCompare(expression[1], expression[2], expression[3], slots)
  }
}

function prepareFinding(slot: number, slots: Slots): Test {
  return {
    mark: (findings) => findings.finding(slot),
    needs: (findings, into) => slots.findingTest(slot).needs(findings, into),
    facts: (findings, into) => slots.findingTest(slot).facts(findings, into),
  }
}

function prepareNot(inner: Test): Test {
  return {
    mark(findings) {
      const mark = inner.mark(findings)
      return mark === YES ? NO : mark === NO ? YES : mark
    },
    needs: inner.needs,
    facts: inner.facts,
  }
}

/** No beats pending beats unsure beats yes. */
function prepareAll(parts: readonly Test[]): Test {
  return {
    mark(findings) {
      let result: Mark = YES
      for (const part of parts) {
        const mark = part.mark(findings)
        if (mark === NO) return NO
        if (mark === PENDING || (mark === UNSURE && result === YES)) result = mark
      }
      return result
    },
    needs: needsOfPending(parts),
    facts: factsOf(parts, NO),
  }
}

/** Yes beats pending beats unsure beats no. */
function prepareSome(expressions: readonly Expression[], slots: Slots): Test {
  const parts = joined(expressions, slots)
  return {
    mark(findings) {
      let result: Mark = NO
      for (const part of parts) {
        const mark = part.mark(findings)
        if (mark === YES) return YES
        if (mark === PENDING || (mark === UNSURE && result === NO)) result = mark
      }
      return result
    },
    needs: needsOfPending(parts),
    facts: factsOf(
      expressions.map((part) => prepare(part, slots)),
      YES,
    ),
  }
}

/** Alternatives about options of the same question read its answer once: most rules are long lists of these. */
function joined(expressions: readonly Expression[], slots: Slots): Test[] {
  const lists = new Map<string, string[]>()
  const parts: Test[] = []
  for (const expression of expressions) {
    if (expression[0] === 'has' && !slots.offered(expression[1], expression[2])) {
      const [, question, option] = expression
      lists.set(question, [...(lists.get(question) ?? []), option])
    } else parts.push(prepare(expression, slots))
  }
  for (const [question, options] of lists) {
    const holds = (value: Value) => Array.isArray(value) && value.some((option) => options.includes(option))
    parts.push(prepareAtom(question, slots, holds))
  }
  return parts
}

function prepareAtLeast(least: number, parts: readonly Test[]): Test {
  return {
    mark(findings) {
      let yes = 0
      let pending = 0
      let unsure = 0
      for (const part of parts) {
        const mark = part.mark(findings)
        if (mark === YES) yes++
        else if (mark === PENDING) pending++
        else if (mark === UNSURE) unsure++
      }
      if (yes >= least) return YES
      if (yes + pending + unsure < least) return NO
      // Whatever the pending ones turn out to be, it stays undecided: asking them would not help.
      if (yes + pending < least && yes + unsure >= least) return UNSURE
      return PENDING
    },
    needs: needsOfPending(parts),
    facts: factsOf(parts, YES),
  }
}

const needsOfPending = (parts: readonly Test[]) => (findings: Findings, into: Set<number>) => {
  for (const part of parts) if (part.mark(findings) === PENDING) part.needs(findings, into)
}

/** When one part alone decides, only such parts are facts; otherwise all are. */
const factsOf = (parts: readonly Test[], decisive: Mark) => (findings: Findings, into: Fact[]) => {
  const deciding = parts.filter((part) => part.mark(findings) === decisive)
  for (const part of deciding.length > 0 ? deciding : parts) part.facts(findings, into)
}

function prepareAtom(question: string, slots: Slots, holds: (value: Value) => boolean, option?: string): Test {
  const slot = slots.question(question)
  return {
    mark(findings) {
      const standing = findings.standing(slot)
      if (standing === ABSENT) return NO
      return standing === YES ? (holds(findings.value(slot)) ? YES : NO) : standing
    },
    needs: (findings, into) => findings.need(slot, into),
    facts(findings, into) {
      const standing = findings.standing(slot)
      if (standing === ABSENT || standing === PENDING) return
      const value = findings.value(slot)
      const state = standing === UNSURE ? 'unsure' : holds(value) ? 'present' : 'denied'
      into.push({ question, value, state, ...(option !== undefined && { option }) })
    },
  }
}

/** An option that is not offered to this patient cannot have been chosen, asked or not. */
function onlyIfOffered(offered: Test | undefined, atom: Test): Test {
  if (!offered) return atom
  return { ...atom, mark: (findings) => (offered.mark(findings) === NO ? NO : atom.mark(findings)) }
}

function prepareKnown(question: string, slots: Slots): Test {
  const slot = slots.question(question)
  return {
    mark(findings) {
      const standing = findings.standing(slot)
      if (standing === PENDING) return PENDING
      const value = findings.value(slot)
      return standing === YES && value !== '' && !(Array.isArray(value) && value.length === 0) ? YES : NO
    },
    needs: (findings, into) => findings.need(slot, into),
    facts(findings, into) {
      if (findings.standing(slot) === YES) into.push({ question, value: findings.value(slot), state: 'present' })
    },
  }
}

const COMPARE: Record<Comparison, (value: number, limit: number) => boolean> = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '==': (value, limit) => value === limit,
  '!=': (value, limit) => value !== limit,
}

const MEASURE: Record<Operand[0], (value: Value) => number> = {
  number: (value) => Number(value),
  count: countOf,
  minutes: (value) => (isDuration(value) ? minutesOf(value) : Number.NaN),
  // Ages come as years with fractions; a month is a twelfth, whatever the last bits of the fraction say.
  months: (value) => rounded(Number(value) * 12),
  ageDays: (value) => rounded(Number(value) * 365.25),
}

const rounded = (value: number) => Math.round(value * 1e4) / 1e4

function prepareCompare([kind, question]: Operand, comparison: Comparison, limit: number, slots: Slots): Test {
  const compare = COMPARE[comparison]
  const measure = MEASURE[kind]
  const atom = prepareAtom(question, slots, (value) => compare(measure(value), limit))
  if (kind !== 'count') return atom
  const slot = slots.question(question)
  const whenAbsent = compare(0, limit) ? YES : NO
  return { ...atom, mark: (findings) => (findings.standing(slot) === ABSENT ? whenAbsent : atom.mark(findings)) }
}

function countOf(value: Value): number {
  return Array.isArray(value) ? value.filter((option) => option !== 'none').length : 0
}
