import type { Expression } from '../content.ts'
import type { Atom } from './atoms.ts'
import { numberKeys } from './number-keys.ts'

/** A condition ready to run: its number in the content. */
export type Test = number
/** The first condition of any content: it always holds. */
export const TRUE: Test = 0

/** Kinds of conditions as small numbers: they are read for every rule after every answer. */
export const ALWAYS = 0
export const NEVER = 1
export const NOT = 2
export const AND = 3
export const OR = 4
export const AT_LEAST = 5
/** A condition about one answer; its only part, if any, says whether the option it asks for is offered. */
export const ATOM = 6
/** An atom about how many options were chosen. */
export const COUNT = 7
/** An atom that asks whether there is an answer at all. */
export const KNOWN = 8
/** An atom that asks whether the answer was "don't know". */
export const DOUBTED = 9
/** An atom that asks whether the answer was yes: most are about signs. */
export const IS = 10

/**
 * All conditions of a release by number, in flat arrays close together in memory: evaluating them is mostly reading
 * them, and scattered objects would be far slower.
 */
export interface Conditions {
  readonly count: number
  readonly kinds: Uint8Array
  /** Where the parts of a condition begin; they end where those of the next one begin. */
  readonly begins: Int32Array
  readonly parts: Int32Array
  /** How many parts AT_LEAST asks for. */
  readonly leasts: Uint16Array
  /** The question that an atom is about. */
  readonly slots: Uint16Array
  /** Kind and slot of a condition in one number, since the evaluator reads both for each: see `kindIn` and `slotIn`. */
  readonly heads: Int32Array
  readonly atoms: readonly (Atom | undefined)[]
  /** The parts of alternatives as they were written. */
  readonly written: ReadonlyMap<Test, readonly Test[]>
  /** The questions that a condition is about. */
  readonly slotsIn: (test: Test) => readonly number[]
}

const KIND_BITS = 4
const headOf = (kind: number, slot: number) => (slot << KIND_BITS) | kind
export const kindIn = (head: number) => head & ((1 << KIND_BITS) - 1)
export const slotIn = (head: number) => head >> KIND_BITS

/** What conditions refer to, by name. */
export interface Names {
  /** The slot of a question. */
  question(id: string): number
  /** The expression that a finding stands for. */
  finding(id: string): Expression
  /** When this option is offered; undefined when it always is. */
  offered(question: string, option: string): Expression | undefined
}

const NOTHING: readonly number[] = []

/** Numbers conditions. Equal conditions get the same number, so that each is evaluated once for everyone who asks. */
export function numberConditions(names: Names): {
  prepare(expression: Expression): Test
  /** The condition that all of these hold. */
  all(tests: readonly Test[]): Test
  finish(): Conditions
} {
  const numberOf = numberKeys()
  const words = new Map<string | number, number>()
  const findings = new Map<string, Test>()
  const kinds: number[] = []
  const begins: number[] = [0]
  const parts: Test[] = []
  const leasts: number[] = []
  const slots: number[] = []
  const atoms: (Atom | undefined)[] = []
  const written = new Map<Test, readonly Test[]>()

  function prepare(expression: Expression): Test {
    switch (expression[0]) {
      case 'const':
        return join(expression[1] ? ALWAYS : NEVER, [])
      case 'finding':
        return prepareFinding(expression[1])
      case 'not':
        return join(NOT, [prepare(expression[1])])
      case 'and':
        return all(prepareAll(expression, 1))
      case 'or':
        return prepareOr(expression)
      case 'atLeast':
        return join(AT_LEAST, prepareAll(expression, 2), expression[1])
      case 'eq':
      case 'has':
        return prepareChosen(expression)
      case 'is':
        return numberAtom(IS, expression[1], expression, NOTHING)
      case 'any':
        return numberAtom(ATOM, expression[1], expression, [word('any')])
      case 'known':
        return numberAtom(KNOWN, expression[1], expression, NOTHING)
      case 'unsure':
        return numberAtom(DOUBTED, expression[1], expression, NOTHING)
      case 'compare': {
        const measure = expression[1][0]
        const details = [word(measure), word(expression[2]), word(expression[3])]
        return numberAtom(measure === 'count' ? COUNT : ATOM, expression[1][1], expression, details)
      }
    }
  }

  /** The parts of an expression, from the first of them on. */
  function prepareAll(whole: readonly unknown[], first: number): Test[] {
    const tests: Test[] = []
    for (let at = first; at < whole.length; at++) tests.push(prepare(whole[at] as Expression))
    return tests
  }

  function prepareFinding(id: string): Test {
    const known = findings.get(id)
    if (known !== undefined) return known
    const test = prepare(names.finding(id))
    findings.set(id, test)
    return test
  }

  function prepareChosen(expression: Extract<Expression, readonly ['eq' | 'has', ...unknown[]]>): Test {
    const offered = names.offered(expression[1], expression[2])
    const details = [word(expression[0]), word(expression[2])]
    return numberAtom(ATOM, expression[1], expression, details, offered && [prepare(offered)])
  }

  /** Alternatives about options of the same question are evaluated as one: most rules are long lists of these. */
  function prepareOr(expression: Extract<Expression, readonly ['or', ...unknown[]]>): Test {
    const alternatives = prepareAll(expression, 1)
    if (!expression.some((one) => one[0] === 'has')) return join(OR, alternatives)
    const lists = new Map<string, string[]>()
    const evaluated: Test[] = []
    for (const [at, alternative] of alternatives.entries()) {
      const one = expression[at + 1] as Expression
      const isOnlyIfOffered = begins[alternative] !== begins[alternative + 1]
      if (one[0] !== 'has' || isOnlyIfOffered) {
        evaluated.push(alternative)
        continue
      }
      const options = lists.get(one[1])
      if (options) options.push(one[2])
      else lists.set(one[1], [one[2]])
    }
    for (const [question, options] of lists)
      evaluated.push(
        numberAtom(ATOM, question, ['hasSome', question, options], [word('hasSome'), ...options.map(word)]),
      )
    const test = join(OR, alternatives, 0, evaluated)
    written.set(test, alternatives)
    return test
  }

  const all = (tests: readonly Test[]): Test => join(AND, tests)

  /** Conditions written the same are the same, however they are evaluated. */
  function join(kind: number, asWritten: readonly Test[], least = 0, evaluated = asWritten): Test {
    const test = numberOf(kind, least, asWritten)
    if (test === kinds.length) add(kind, evaluated, least, 0, undefined)
    return test
  }

  /** The details tell it from the other conditions of its kind about the same question. */
  function numberAtom(
    kind: number,
    question: string,
    atom: Atom,
    details: readonly number[],
    offered: readonly Test[] = NOTHING,
  ): Test {
    const slot = names.question(question)
    const test = numberOf(kind, slot, details)
    if (test === kinds.length) add(kind, offered, 0, slot, atom)
    return test
  }

  function add(kind: number, ofParts: readonly Test[], least: number, slot: number, atom: Atom | undefined): void {
    kinds.push(kind)
    for (let at = 0; at < ofParts.length; at++) parts.push(ofParts[at] ?? 0)
    begins.push(parts.length)
    leasts.push(least)
    slots.push(slot)
    atoms.push(atom)
  }

  /** A number for each word, so that a condition is a list of numbers. */
  function word(text: string | number): number {
    const known = words.get(text)
    if (known !== undefined) return known
    words.set(text, words.size)
    return words.size - 1
  }

  function finish(): Conditions {
    const tables = {
      count: kinds.length,
      kinds: new Uint8Array(kinds),
      begins: new Int32Array(begins),
      parts: new Int32Array(parts),
      leasts: new Uint16Array(leasts),
      slots: new Uint16Array(slots),
      heads: Int32Array.from(kinds, (kind, test) => headOf(kind, slots[test] ?? 0)),
    }
    return { ...tables, atoms, written, slotsIn: slotsByTest(tables) }
  }

  // The first of all is `TRUE`.
  join(ALWAYS, [])
  return { prepare, all, finish }
}

/** The questions that a condition is about: looked for when they are first asked for. */
function slotsByTest({
  kinds,
  begins,
  parts,
  slots,
}: Pick<Conditions, 'kinds' | 'begins' | 'parts' | 'slots'>): (test: Test) => readonly number[] {
  const known: (readonly number[] | undefined)[] = new Array(kinds.length)
  const collect = (test: Test, into: Set<number>): Set<number> => {
    if ((kinds[test] ?? 0) >= ATOM) into.add(slots[test] ?? 0)
    else for (const part of parts.subarray(begins[test], begins[test + 1])) collect(part, into)
    return into
  }
  return (test) => {
    const found = known[test] ?? [...collect(test, new Set())]
    known[test] = found
    return found
  }
}
