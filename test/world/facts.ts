import type { Language, WrittenAt } from '../../src/engine/content.ts'
import { factsIn } from '../../src/engine/own-words/facts/facts.ts'
import { readWords } from '../../src/engine/own-words/read.ts'
import { clausesOf } from '../../src/engine/own-words/reader/clauses.ts'
import { LANGUAGE_RULES } from '../../src/engine/own-words/rules.ts'
import { newUnderstanding } from '../../src/engine/own-words/understanding.ts'

/** The facts that a text tells, without a release. */
export function factsOf(text: string, language: Language, writtenAt?: WrittenAt) {
  const rules = LANGUAGE_RULES[language]
  return factsIn(text, clausesOf(text, readWords(text, newUnderstanding(rules)), new Set()), language, writtenAt)
}

export const days = (amount: number) => ({ amount, unit: 'days' })
export const weeks = (amount: number) => ({ amount, unit: 'weeks' })
export const hours = (amount: number) => ({ amount, unit: 'hours' })
export const months = (amount: number) => ({ amount, unit: 'months' })

/** Thursday at noon in October. */
export const THURSDAY: WrittenAt = { weekday: 3, month: 10, hour: 12 }

/** What a text that was written on that day tells of one question. */
export const heardAs = (text: string, language: Language, question: string) =>
  factsOf(text, language, THURSDAY).find((fact) => fact.question === question)?.value
