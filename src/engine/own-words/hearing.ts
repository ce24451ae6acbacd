import type { Answer, Language, WrittenAt } from '../content.ts'
import { findingsFrom } from '../deciding/findings.ts'
import { readAnswers } from '../deciding/read-answers.ts'
import type { Content } from '../load.ts'
import { hear, hearDangers } from './hear.ts'

/** An answer as it is kept: what is said in own words with what is heard in it, by what is known of the patient so far. The clock is only looked at where there are such words. */
export function withHearing(
  content: Content,
  before: readonly Answer[],
  answer: Answer,
  language: Language,
  clock?: () => WrittenAt,
): Answer {
  const { question, value } = answer
  if (typeof value !== 'string' || value.trim() === '') return answer
  if (question !== 'matter') {
    const hears = content.questions[content.slotOf.get(question) ?? -1]?.question.hears
    return hears ? { ...answer, heard: hearDangers(content.release, value, language) } : answer
  }
  const writtenAt = clock?.()
  const heardFor = (known: readonly Answer[]): Answer => {
    const offered = offeredComplaints(content, known)
    return { ...answer, heard: hear(content.release, value, language, (id) => offered.has(id), writtenAt) }
  }
  const heard = heardFor(before)
  return isSexTakenBack(content, before, heard) ? heardFor(before.filter(({ question }) => question !== 'sex')) : heard
}

/** Whether these words make us ask for the sex once more: then complaints of either are heard. */
function isSexTakenBack(content: Content, before: readonly Answer[], words: Answer): boolean {
  const sex = content.slotOf.get('sex') ?? -1
  const sexAfter = (answers: readonly Answer[]) => readAnswers(content, answers).values[sex]
  return sexAfter(before) !== undefined && sexAfter([...before, words]) === undefined
}

/** Which complaints this patient can have, as far as it is known who they are. */
export const offeredComplaints = (content: Content, answers: readonly Answer[]): ReadonlySet<string> =>
  new Set(findingsFrom(content, answers).offered(content.slotOf.get('complaints') ?? -1))
