import type { Atom } from './atoms.ts'
import type { Expression } from './content.ts'
import type { Test } from './evaluate.ts'

/** What conditions speak of, by name. */
export interface Names {
  /** The slot of a question. */
  question(id: string): number
  /** What a finding stands for. */
  finding(id: string): Expression
  /** When this option is offered; undefined when it always is. */
  offered(question: string, option: string): Expression | undefined
}

/** The conditions of a release, numbered. */
export interface Conditions {
  /** The test of a compiled condition. What says the same is the same test, so that its mark is worked out once for all who ask. */
  prepare(expression: Expression): Test
  /** How many there are so far. */
  count(): number
}

export function createConditions(names: Names): Conditions {
  const tests = new Map<string, Test>()
  const findings = new Map<string, Test>()

  function prepare(expression: Expression): Test {
    switch (expression[0]) {
      case 'const':
        return testOf(String(expression[1]), { kind: expression[1] ? 'always' : 'never' })
      case 'finding':
        return prepareFinding(expression[1])
      case 'not':
        return join('not', [prepare(expression[1])])
      case 'and':
        return join(
          'and',
          expression.slice(1).map((part) => prepare(part as Expression)),
        )
      case 'or':
        return prepareOr(expression.slice(1) as Expression[])
      case 'atLeast':
        return join(
          'atLeast',
          expression.slice(2).map((part) => prepare(part as Expression)),
          { least: expression[1] },
        )
      case 'eq':
      case 'has':
        return prepareAtom(expression[1], expression, names.offered(expression[1], expression[2]))
      case 'is':
      case 'any':
      case 'known':
        return prepareAtom(expression[1], expression)
      case 'compare':
        return prepareAtom(expression[1][1], expression)
    }
  }

  function prepareFinding(id: string): Test {
    const test = findings.get(id) ?? prepare(names.finding(id))
    findings.set(id, test)
    return test
  }

  function prepareAtom(question: string, atom: Atom, offered?: Expression): Test {
    const slot = names.question(question)
    return testOf(JSON.stringify(atom), { kind: 'atom', slot, atom, offered: offered && prepare(offered) })
  }

  /** Alternatives about options of the same question are run as one: most rules are long lists of these. */
  function prepareOr(expressions: readonly Expression[]): Test {
    const lists = new Map<string, string[]>()
    const parts: Test[] = []
    for (const expression of expressions) {
      if (expression[0] === 'has' && !names.offered(expression[1], expression[2])) {
        const [, question, option] = expression
        lists.set(question, [...(lists.get(question) ?? []), option])
      } else parts.push(prepare(expression))
    }
    for (const [question, options] of lists) {
      const [option = '', ...others] = options
      const atom: Atom = others.length > 0 ? ['hasSome', question, options] : ['has', question, option]
      parts.push(prepareAtom(question, atom))
    }
    return join('or', expressions.map(prepare), { parts })
  }

  function join(kind: 'not' | 'and' | 'or' | 'atLeast', written: readonly Test[], rest: Partial<Test> = {}): Test {
    const key = `${kind} ${rest.least ?? ''} ${written.map(({ number }) => number).join(' ')}`
    return testOf(key, { kind, parts: written, written, ...rest })
  }

  function testOf(key: string, says: Partial<Test> & Pick<Test, 'kind'>): Test {
    const known = tests.get(key)
    if (known) return known
    const { kind, parts = [], written = [], least = 0, slot = -1, atom, offered } = says
    const test: Test = { number: tests.size, kind, parts, written, least, slot, atom, offered }
    tests.set(key, test)
    return test
  }

  return { prepare, count: () => tests.size }
}
