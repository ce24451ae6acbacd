import type { CompiledRelease, Expression } from '../content.ts'

/** The numbers that any condition of the release compares with, by kind and question: `number` of `temperature`, `minutes` of `duration`. */
export function thresholdsOf(release: CompiledRelease): (kind: string, question: string) => readonly number[] {
  const found = new Map<string, number[]>()
  const visit = (part: unknown): void => {
    if (!Array.isArray(part)) return
    if (part[0] !== 'compare') {
      for (const inner of part) visit(inner)
      return
    }
    const [, operand, , limit] = part as unknown as Extract<Expression, readonly ['compare', ...unknown[]]>
    const key = operand.join(' ')
    const known = found.get(key) ?? []
    if (!known.includes(limit)) known.push(limit)
    found.set(key, known)
  }
  for (const expression of Object.values(release.findings)) visit(expression)
  for (const question of Object.values(release.questions)) {
    visit(question.applies)
    for (const option of question.options ?? []) visit(option.applies)
  }
  for (const complaint of release.complaints) {
    visit(complaint.applies)
    for (const { when } of complaint.questions) visit(when)
    for (const rule of [...complaint.rules, ...complaint.reassuring]) visit(rule.when)
  }
  return (kind, question) => found.get(`${kind} ${question}`) ?? []
}
