import { checkAnswers } from '../../src/engine/answers.ts'
import type { Answer, Heard, Language, Step, Value } from '../../src/engine/content.ts'
import { type Given, interview } from '../../src/engine/interview.ts'
import type { Content } from '../../src/engine/load.ts'
import { withHearing } from '../../src/engine/own-words/hearing.ts'
import { denyAll } from './denying.ts'

const ADULT = { for_whom: 'self', age: 30, sex: 'female' }
export const NOTHING: Heard = { complaints: [], dangers: [], facts: [] }

export const idsOf = (step: Step): string[] => (step.kind === 'ask' ? step.questions.map(({ id }) => id) : [])

/** A woman of 30 who writes what is the matter, as tests of what is heard need her. */
export const writerOf = (content: Content) => ({
  /** What has been said by someone who has just written this, or of whom this was heard. */
  written(matter: string, heard?: Heard, issueType = 'regular', language: Language = 'en'): Answer[] {
    const before = Object.entries(ADULT).map(([question, value]): Answer => ({ question, value }))
    const words: Answer = { question: 'matter', value: matter }
    return [
      ...before,
      heard ? { ...words, heard } : withHearing(content, before, words, language),
      { question: 'issue_type', value: issueType },
      ...(issueType === 'regular' ? [] : [{ question: 'new_trouble', value: false }]),
    ]
  },

  /** Takes answers as the service does; what is left out of the screen is left out. */
  take(said: readonly Answer[], given: Record<string, Value>, told: Given = {}): Answer[] {
    const answers = Object.entries(given).map(([question, value]) => ({ question, value }))
    const checked = checkAnswers(content, said, answers, interview(content, said, told))
    if (!checked.ok) throw new Error(checked.message)
    return [...said, ...checked.answers]
  },

  /** Answers "no" to everything until the end, of a sore throat unless told otherwise. */
  denyAll: (said: readonly Answer[], told: Record<string, Value> = {}) =>
    denyAll(content, said, { complaints: ['sore-throat'], ...told }),
})
