import type { Expression } from '../content.ts'

/** The questions an expression reads, with findings resolved. */
export function questionsIn(
  expression: Expression | undefined,
  findings: ReadonlyMap<string, Expression>,
  into = new Set<string>(),
): Set<string> {
  if (expression === undefined) return into
  switch (expression[0]) {
    case 'const':
      return into
    case 'is':
    case 'eq':
    case 'has':
    case 'any':
    case 'known':
    case 'unsure':
      return into.add(expression[1])
    case 'compare':
      return into.add(expression[1][1])
    case 'finding':
      return questionsIn(findings.get(expression[1]), findings, into)
    case 'not':
      return questionsIn(expression[1], findings, into)
    case 'and':
    case 'or':
      for (const part of expression.slice(1)) questionsIn(part as Expression, findings, into)
      return into
    case 'atLeast':
      for (const part of expression.slice(2)) questionsIn(part as Expression, findings, into)
      return into
  }
}
