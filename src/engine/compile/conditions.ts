import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import {
  type Comparison,
  DURATION_UNITS,
  type DurationUnit,
  type Expression,
  MINUTES_IN,
  type Operand,
  type Question,
} from '../content.ts'
import { KINDS } from '../kinds.ts'
import type { Located } from './document.ts'
import { WRITTEN } from './kinds.ts'
import { nearest, type Reading } from './reading.ts'

/** What a condition may refer to: questions and findings, by id. */
export interface Scope {
  readonly questions: ReadonlyMap<string, Question>
  readonly findings: ReadonlyMap<string, Expression>
  /** Why an id may not be used here; undefined when it may. */
  refuses(id: string): string | undefined
}

export type CompileCondition = (node: Located | undefined, what: string, scope: Scope) => Expression | undefined

const isSpan = (name: string): name is DurationUnit => DURATION_UNITS.some((unit) => unit === name)
const AGES = { age_months: 'months', age_days: 'ageDays' } as const
const isAge = (name: string): name is keyof typeof AGES => name in AGES
const MIRRORED: Record<Comparison, Comparison> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==', '!=': '!=' }
const MOST_ALTERNATIVES = 12

/** Type-checks conditions with CEL's own checker, then accepts only the small part of CEL that content may use. */
export function conditionCompiler(
  questions: ReadonlyMap<string, Question>,
  findings: Iterable<string>,
  reading: Reading,
): CompileCondition {
  const environment = environmentOf(questions, findings)
  return (node, what, scope) => {
    if (node?.kind === 'scalar' && typeof node.value === 'boolean') return ['const', node.value]
    const text = reading.text(node, what)
    if (node?.kind !== 'scalar' || text === undefined) return undefined
    const fail = (message: string, token?: string) => {
      reading.problem([node.place[0], lineOfWord(node, token)], `${what}: ${message}`)
      return undefined
    }
    const unknown = unknownName(text, scope)
    if (unknown) return fail(unknown.message, unknown.name)
    try {
      const checked = environment.check(text)
      if (!checked.valid)
        return fail(
          `this condition is not right: ${checked.error?.summary ?? 'it cannot be read'}.`,
          tokenAt(text, checked.error?.range?.start),
        )
      if (checked.type !== 'bool')
        return fail('a condition must be true or false; compare the value with something (==, >=, in).')
      return lower(environment.parse(text).ast, scope, fail)
    } catch (error) {
      return fail(
        `this condition cannot be read: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
      )
    }
  }
}

function environmentOf(questions: ReadonlyMap<string, Question>, findings: Iterable<string>): Environment {
  const environment = new Environment().registerType('span', { fields: {} }).registerType('words', { fields: {} })
  const add = (name: string, type: string) => environment.registerVariable(name, type)
  const yes = () => true
  const zero = () => 0
  for (const question of questions.values()) add(question.id, WRITTEN[question.kind].type)
  for (const finding of findings) if (!questions.has(finding)) add(finding, 'bool')
  for (const name of Object.keys(AGES)) add(name, 'double')
  for (const unit of DURATION_UNITS) environment.registerFunction(`${unit}(span): double`, zero)
  environment.registerFunction('any(list<string>): bool', yes).registerFunction('count(list<string>): double', zero)
  environment.registerOperator('double == int', yes)
  for (const type of new Set(Object.values(WRITTEN).map(({ type }) => type)))
    environment.registerFunction(`known(${type}): bool`, yes).registerFunction(`unsure(${type}): bool`, yes)
  for (let n = 1; n <= MOST_ALTERNATIVES; n++) {
    environment.registerFunction(`atLeast(int, ${Array(n).fill('bool').join(', ')}): bool`, yes)
  }
  return environment
}

const FUNCTIONS = new Set<string>([
  'any',
  'count',
  'known',
  'unsure',
  'atLeast',
  'in',
  'true',
  'false',
  ...DURATION_UNITS,
])

/** Names are checked before CEL does, so that the message can suggest the nearest one. */
function unknownName(text: string, scope: Scope): { name: string; message: string } | undefined {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')
  for (const [name] of bare.matchAll(/[A-Za-z_]\w*/g)) {
    if (FUNCTIONS.has(name) || isAge(name)) continue
    if (!scope.questions.has(name) && !scope.findings.has(name)) {
      const near = nearest(name, [...scope.questions.keys(), ...scope.findings.keys(), ...FUNCTIONS])
      return {
        name,
        message: `there is no question or finding "${name}". ${near ? `Did you mean "${near}"?` : 'Add it, or correct the name.'}`,
      }
    }
    const refusal = scope.refuses(name)
    if (refusal) return { name, message: refusal }
  }
  return undefined
}

type Fail = (message: string, token?: string) => undefined

function lower(node: ASTNode, scope: Scope, fail: Fail): Expression | undefined {
  switch (node.op) {
    case 'value':
      return typeof node.args === 'boolean' ? ['const', node.args] : fail('a condition must be true or false.')
    case 'id':
      return lowerName(String(node.args), scope)
    case '!_': {
      const inner = lower(node.args as ASTNode, scope, fail)
      return inner && ['not', inner]
    }
    case '&&':
    case '||': {
      const kind = node.op === '&&' ? 'and' : 'or'
      const parts = pairOf(node).map((part) => lower(part, scope, fail))
      if (parts.some((part) => part === undefined)) return undefined
      return [
        kind,
        ...parts.flatMap((part) => (part?.[0] === kind ? (part.slice(1) as Expression[]) : part ? [part] : [])),
      ]
    }
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return lowerComparison(node.op, pairOf(node), scope, fail)
    case 'in':
      return lowerMembership(pairOf(node), scope, fail)
    case 'call':
      return lowerCall(node.args as [string, ASTNode[]], scope, fail)
    default:
      return fail(
        `"${node.op}" is not part of the conditions; use && || ! == != < <= > >= in any count known unsure atLeast and the duration functions.`,
      )
  }
}

function lowerName(name: string, scope: Scope): Expression {
  return scope.findings.has(name) ? ['finding', name] : ['is', name]
}

function lowerComparison(
  operator: Comparison,
  [left, right]: [ASTNode, ASTNode],
  scope: Scope,
  fail: Fail,
): Expression | undefined {
  if (isLiteral(left) && !isLiteral(right)) return lowerComparison(MIRRORED[operator], [right, left], scope, fail)
  if (!isLiteral(right)) return fail('compare a question with a fixed value, not with another question.')
  const value = literalOf(right)
  const negated = (expression: Expression): Expression => (operator === '!=' ? ['not', expression] : expression)
  if (typeof value === 'string' && left.op === 'id') {
    const question = scope.questions.get(String(left.args))
    if (operator !== '==' && operator !== '!=') return fail('texts can be compared with == and != only.')
    if (!question || !offers(question, value, fail)) return undefined
    return negated(['eq', question.id, value])
  }
  if (typeof value === 'boolean') {
    const inner = lower(left, scope, fail)
    return inner && (value === (operator === '==') ? inner : ['not', inner])
  }
  if (typeof value !== 'number') return fail('compare with a number, an option in quotes, or true/false.')
  const operand = operandOf(left)
  if (!operand)
    return fail(
      'only a number, a scale, a duration in hours(), days() …, count() or age can be compared with a number.',
    )
  const [kind, id, scale] = operand
  const question = scope.questions.get(id)
  if (kind === 'number' && question && outside(question, value)) {
    return fail(
      `${value} is outside what ${id} can be (${question.min ?? '…'} to ${question.max ?? '…'}), so this is never or always true.`,
      id,
    )
  }
  const compared: Expression = ['compare', [kind, id], operator === '!=' ? '==' : operator, value * scale]
  return negated(compared)
}

function operandOf(node: ASTNode): [Operand[0], id: string, scale: number] | undefined {
  if (node.op === 'id') {
    const name = String(node.args)
    return isAge(name) ? [AGES[name], 'age', 1] : ['number', name, 1]
  }
  if (node.op !== 'call') return undefined
  const [name, [argument]] = node.args as [string, ASTNode[]]
  if (argument?.op !== 'id') return undefined
  if (isSpan(name)) return ['minutes', String(argument.args), MINUTES_IN[name]]
  return name === 'count' ? ['count', String(argument.args), 1] : undefined
}

function lowerMembership([left, right]: [ASTNode, ASTNode], scope: Scope, fail: Fail): Expression | undefined {
  if (right.op === 'id' && isLiteral(left)) {
    const question = scope.questions.get(String(right.args))
    const option = String(literalOf(left))
    return question && offers(question, option, fail) ? ['has', question.id, option] : undefined
  }
  if (left.op === 'id' && right.op === 'list') {
    const question = scope.questions.get(String(left.args))
    const options = (right.args as ASTNode[]).map((item) => literalOf(item))
    if (!question || KINDS[question.kind].chooses !== 'one')
      return fail(`write "option" in ${String(left.args)}; a list on the right is for questions of kind one.`)
    const alternatives: Expression[] = []
    for (const option of options) {
      if (typeof option !== 'string' || !offers(question, option, fail)) return undefined
      alternatives.push(['eq', question.id, option])
    }
    return ['or', ...alternatives]
  }
  return fail('write "option" in question, or question in ["option", "option"].')
}

function lowerCall([name, args]: [string, ASTNode[]], scope: Scope, fail: Fail): Expression | undefined {
  if (name === 'atLeast') {
    const least = args[0] ? literalOf(args[0]) : undefined
    const parts = args.slice(1).map((part) => lower(part, scope, fail))
    if (typeof least !== 'number') return fail('atLeast begins with a fixed number: atLeast(2, a, b, c).')
    if (least < 1 || least > parts.length)
      return fail(`atLeast(${least}, …) has ${parts.length} conditions, so it is always or never true.`)
    return parts.every((part) => part !== undefined) ? ['atLeast', least, ...parts] : undefined
  }
  const argument = args[0]
  const question = argument?.op === 'id' ? scope.questions.get(String(argument.args)) : undefined
  if (!question) return fail(`${name}() takes a question.`)
  if (name === 'known' || name === 'unsure') return [name, question.id]
  if (name === 'any') return ['any', question.id]
  return fail(`compare ${name}(${question.id}) with a number.`)
}

function offers(question: Question, option: string, fail: Fail): boolean {
  if (!KINDS[question.kind].chooses) {
    fail(`${question.id} is a question of kind ${question.kind} and has no options.`, question.id)
    return false
  }
  const ids = question.options?.map((one) => one.id) ?? []
  if (ids.includes(option)) return true
  const near = nearest(option, ids)
  fail(
    `${question.id} has no option "${option}". ${near ? `Did you mean "${near}"?` : `It has: ${ids.join(', ')}.`}`,
    option,
  )
  return false
}

const outside = (question: Question, value: number) =>
  (question.min !== undefined && value < question.min) || (question.max !== undefined && value > question.max)

const pairOf = (node: ASTNode) => node.args as [ASTNode, ASTNode]
const isLiteral = (node: ASTNode) => node.op === 'value' || node.op === '-_'

function literalOf(node: ASTNode): string | number | boolean | undefined {
  if (node.op === '-_') {
    const inner = literalOf(node.args as ASTNode)
    return typeof inner === 'number' ? -inner : undefined
  }
  if (node.op !== 'value') return undefined
  const value: unknown = node.args
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}

/** The line of a long condition on which a word stands; if there is none, the line of the condition's key. */
function lineOfWord(
  { place, source, sourceLine }: Extract<Located, { kind: 'scalar' }>,
  word: string | undefined,
): number {
  const at = word ? source.indexOf(word) : -1
  return at < 0 ? place[1] : sourceLine + source.slice(0, at).split('\n').length - 1
}

const tokenAt = (text: string, start: number | undefined) =>
  start === undefined ? undefined : text.slice(start).match(/^[\w-]+|^"[^"]*"/)?.[0]
