import type { Answer, Heard, Value } from '../content.ts'
import type { Content } from '../load.ts'

/** The newest answer to each question by its slot, and what else the answers tell: in which order questions were first answered, which are not of this content, what was told without being asked, and what was heard. */
export function readAnswers(content: Content, answers: readonly Answer[]) {
  const values: (Value | undefined)[] = new Array(content.questions.length)
  const answered: number[] = []
  const strangers: string[] = []
  const volunteered = new Set<number>()
  let heard: Heard | undefined
  for (const { question, value, from, heard: reading } of answers) {
    const slot = content.slotOf.get(question)
    if (slot === undefined) strangers.push(question)
    else {
      if (values[slot] === undefined) answered.push(slot)
      values[slot] = value
      if (from !== undefined) volunteered.add(slot)
      if (question === 'matter') heard = reading
    }
  }
  return { values, answered, strangers, volunteered, heard }
}
