import type { Answer, Heard, Value } from '../content.ts'
import type { Content } from '../load.ts'

/** The newest answer to each question by its slot, and what else the answers tell: in which order questions were first answered, which are not of this content, what was told without being asked, and what was heard. */
export function readAnswers(content: Content, answers: readonly Answer[]) {
  const values: (Value | undefined)[] = new Array(content.questions.length)
  const answered = new Set<number>()
  const strangers: string[] = []
  const volunteered = new Set<number>()
  let heard: Heard | undefined
  for (const { question, value, from, heard: reading } of answers) {
    const slot = content.slotOf.get(question)
    if (slot === undefined) strangers.push(question)
    else {
      if (question === 'complaints' && isMore(value, values[slot]))
        for (const list of content.whereRead) values[list] = undefined
      answered.add(slot)
      values[slot] = value
      if (from !== undefined) volunteered.add(slot)
      if (question === 'matter') heard = reading
    }
  }
  const stillAnswered = [...answered].filter((slot) => values[slot] !== undefined)
  return { values, answered: stillAnswered, strangers, volunteered, heard }
}

/** Whether a complaint was added: who left an option out was perhaps not offered it, so those lists are asked again. */
const isMore = (value: Value, before: Value | undefined): boolean =>
  Array.isArray(value) && Array.isArray(before) && value.some((complaint) => !before.includes(complaint))
