import type { Question, Value } from '../content.ts'
import { KINDS } from '../kinds.ts'
import type { Content } from '../load.ts'

/** The other answers worth trying: those of the question's kind, and "don't know" where it is allowed. Each once, without the one given. */
export function otherValues(content: Content, question: Question, current: Value, offered: readonly string[]): Value[] {
  const { others } = KINDS[question.kind]
  if (!others) return []
  const values = [...others(content, question, current, offered), ...(question.dontKnow ? [null] : [])]
  const unique = new Map(values.map((value) => [JSON.stringify(value), value]))
  unique.delete(JSON.stringify(current))
  return [...unique.values()]
}
