import type { Expression } from '../content.ts'
import type { Atom } from './atoms.ts'

/** A condition ready to run: its number in the content. */
export type Test = number

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
  readonly atoms: readonly (Atom | undefined)[]
  /** The parts of alternatives as they were written. */
  readonly written: ReadonlyMap<Test, readonly Test[]>
}

/** What conditions refer to, by name. */
export interface Names {
  /** The slot of a question. */
  question(id: string): number
  /** The expression that a finding stands for. */
  finding(id: string): Expression
  /** When this option is offered; undefined when it always is. */
  offered(question: string, option: string): Expression | undefined
}

interface Entry {
  readonly kind: number
  readonly parts?: readonly Test[]
  readonly least?: number
  readonly slot?: number
  readonly atom?: Atom
}

/** Numbers conditions. Equal conditions get the same number, so that each is evaluated once for everyone who asks. */
export function numberConditions(names: Names): {
  prepare(expression: Expression): Test
  /** The questions that a condition is about. */
  slotsIn(test: Test): readonly number[]
  finish(): Conditions
} {
  const numbers = new Map<string, Test>()
  const entries: Entry[] = []
  const findings = new Map<string, Test>()
  const written = new Map<Test, readonly Test[]>()
  /** A rule's condition comes again with each of its modifiers and for "not sure". */
  const prepared = new Map<Expression, Test>()
  const slotsOf = new Map<Test, readonly number[]>()

  function prepare(expression: Expression): Test {
    const test = prepared.get(expression) ?? prepareNew(expression)
    prepared.set(expression, test)
    return test
  }

  function prepareNew(expression: Expression): Test {
    switch (expression[0]) {
      case 'const':
        return numberOf(String(expression[1]), { kind: expression[1] ? ALWAYS : NEVER })
      case 'finding':
        return prepareFinding(expression[1])
      case 'not':
        return join(NOT, [prepare(expression[1])])
      case 'and':
        return join(AND, prepareAll(expression.slice(1) as Expression[]))
      case 'or':
        return prepareOr(expression.slice(1) as Expression[])
      case 'atLeast':
        return join(AT_LEAST, prepareAll(expression.slice(2) as Expression[]), expression[1])
      case 'eq':
      case 'has':
        return prepareAtom(ATOM, expression[1], expression, names.offered(expression[1], expression[2]))
      case 'is':
      case 'any':
        return prepareAtom(ATOM, expression[1], expression)
      case 'known':
        return prepareAtom(KNOWN, expression[1], expression)
      case 'unsure':
        return prepareAtom(DOUBTED, expression[1], expression)
      case 'compare':
        return prepareAtom(expression[1][0] === 'count' ? COUNT : ATOM, expression[1][1], expression)
    }
  }

  const prepareAll = (expressions: readonly Expression[]) => expressions.map((part) => prepare(part))

  function prepareFinding(id: string): Test {
    const test = findings.get(id) ?? prepare(names.finding(id))
    findings.set(id, test)
    return test
  }

  function prepareAtom(kind: number, question: string, atom: Atom, offered?: Expression): Test {
    const parts = offered ? [prepare(offered)] : []
    return numberOf(JSON.stringify(atom), { kind, slot: names.question(question), atom, parts })
  }

  /** Alternatives about options of the same question are evaluated as one: most rules are long lists of these. */
  function prepareOr(expressions: readonly Expression[]): Test {
    const alternatives = prepareAll(expressions)
    const lists = new Map<string, string[]>()
    const parts: Test[] = []
    for (const [at, expression] of expressions.entries()) {
      const alternative = alternatives[at] ?? 0
      const isOnlyIfOffered = (entries[alternative]?.parts?.length ?? 0) > 0
      if (expression[0] !== 'has' || isOnlyIfOffered) parts.push(alternative)
      else lists.set(expression[1], [...(lists.get(expression[1]) ?? []), expression[2]])
    }
    for (const [question, options] of lists) parts.push(prepareAtom(ATOM, question, ['hasSome', question, options]))
    const test = join(OR, alternatives, 0, parts)
    written.set(test, alternatives)
    return test
  }

  /** Conditions written the same are the same, however they are evaluated. */
  const join = (kind: number, asWritten: readonly Test[], least = 0, parts = asWritten): Test =>
    numberOf(`${kind} ${least} ${asWritten.join(' ')}`, { kind, parts, least })

  function numberOf(key: string, entry: Entry): Test {
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, entries.length)
    return entries.push(entry) - 1
  }

  function addSlots(test: Test, into: Set<number>): Set<number> {
    const { kind = NEVER, slot = 0, parts = [] } = entries[test] ?? {}
    if (kind >= ATOM) into.add(slot)
    else for (const part of parts) addSlots(part, into)
    return into
  }

  function slotsIn(test: Test): readonly number[] {
    const slots = slotsOf.get(test) ?? [...addSlots(test, new Set())]
    slotsOf.set(test, slots)
    return slots
  }

  return { prepare, slotsIn, finish: () => flatten(entries, written) }
}

function flatten(entries: readonly Entry[], written: ReadonlyMap<Test, readonly Test[]>): Conditions {
  const begins = new Int32Array(entries.length + 1)
  for (const [test, { parts = [] }] of entries.entries()) begins[test + 1] = (begins[test] ?? 0) + parts.length
  return {
    count: entries.length,
    kinds: Uint8Array.from(entries, ({ kind }) => kind),
    begins,
    parts: Int32Array.from(entries.flatMap(({ parts = [] }) => parts)),
    leasts: Uint16Array.from(entries, ({ least = 0 }) => least),
    slots: Uint16Array.from(entries, ({ slot = 0 }) => slot),
    atoms: entries.map(({ atom }) => atom),
    written,
  }
}
