import type { Complaint, Expression, Question } from '../content.ts'
import type { FirstAction } from '../deciding/first-actions.ts'
import { WAY_TO } from '../intake.ts'

type Findings = ReadonlyMap<string, Expression>

/** The questions an expression reads, with findings resolved. */
export function questionsIn(
  expression: Expression | undefined,
  findings: Findings,
  into = new Set<string>(),
): Set<string> {
  for (const [question] of readIn(expression, findings)) into.add(question)
  return into
}

/** A question with one of its options, all of them (undefined), or only whether it was answered (null). */
type Read = readonly [question: string, option?: string | null]

/** What an expression reads of each question, with findings resolved. */
function readIn(expression: Expression | undefined, findings: Findings): readonly Read[] {
  if (expression === undefined) return []
  const partsFrom = (first: number) =>
    (expression.slice(first) as unknown as readonly Expression[]).flatMap((part) => readIn(part, findings))
  switch (expression[0]) {
    case 'const':
      return []
    case 'eq':
    case 'has':
      return [[expression[1], expression[2]]]
    case 'known':
    case 'unsure':
      return [[expression[1], null]]
    case 'is':
    case 'any':
      return [[expression[1]]]
    case 'compare':
      return [[expression[1][1]]]
    case 'finding':
      return readIn(findings.get(expression[1]), findings)
    case 'not':
    case 'and':
    case 'or':
      return partsFrom(1)
    case 'atLeast':
      return partsFrom(2)
  }
}

/** A list with some options that are offered only where they matter: to whoever has a complaint that reads them, or to everyone if the emergency check does. */
export function offeredWhereRead(
  question: Question,
  whereRead: ReadonlySet<string>,
  complaints: readonly Complaint[],
  questions: ReadonlyMap<string, Question>,
  findings: Findings,
  firstActions: readonly FirstAction[],
): Question {
  // Also those that do not ask it: beside one that does, their advice reads the answer.
  const readers = complaints.map((complaint) => {
    const reads = [...conditionsOf(complaint, questions, firstActions)]
      .flatMap((expression) => readIn(expression, findings))
      .filter(([id]) => id === question.id)
    const wanted = complaint.questions.find(({ id }) => id === question.id)?.wants ?? []
    return { complaint, options: new Set([...reads.map(([, option]) => option), ...wanted]) }
  })
  const options = question.options?.map((option) => {
    if (!whereRead.has(option.id)) return option
    const own = readers.filter(({ options }) => options.has(option.id) || options.has(undefined))
    if (own.some(({ complaint }) => complaint.kind === 'emergency')) return option
    const isRead: Expression = ['or', ...own.map(({ complaint }) => hasComplaint(complaint))]
    const applies: Expression = option.applies ? ['and', option.applies, isRead] : isRead
    return { ...option, applies, whereRead: true } as const
  })
  return { ...question, ...(options && { options }) }
}

/** That the patient has this complaint, or the matter that leads to it. */
const hasComplaint = ({ id, kind }: Complaint): Expression =>
  WAY_TO[kind].isMedical ? ['has', 'complaints', id] : ['eq', 'issue_type', WAY_TO[kind].issue]

/** Everything on which it depends what a complaint asks, decides, suggests and says. */
function* conditionsOf(
  { questions: asked, rules, reassuring, modifiers = [], calls = [], differential, advice, safetyNet }: Complaint,
  questions: ReadonlyMap<string, Question>,
  firstActions: readonly FirstAction[],
): Generator<Expression | undefined> {
  for (const { id, when } of asked) {
    const { applies, options = [], followUp } = questions.get(id) ?? {}
    // What follows whatever is chosen reads no option in particular.
    yield* [when, followUp && !followUp.options ? undefined : applies, ...options.map((option) => option.applies)]
  }
  const first = new Set(rules.flatMap((rule) => rule.first ?? []))
  const actions = firstActions.filter(({ id }) => first.has(id))
  for (const { when } of [
    ...rules,
    ...reassuring,
    ...modifiers,
    ...calls,
    ...differential,
    ...advice,
    ...safetyNet,
    ...actions,
  ])
    yield when
  for (const one of differential) yield* [...one.for, ...one.against]
}
