import type { HeardFact, Language, Value, WrittenAt } from '../../content.ts'
import type { Clause } from '../reader/clauses.ts'
import { durationIn } from './duration.ts'
import { plainLetters } from './letters.ts'
import { measuredIn } from './measured.ts'
import { personIn, someAgeIn } from './person.ts'
import { pregnancyIn } from './pregnancy.ts'
import { temperatureIn } from './temperature.ts'

/** A fact, and where the text tells it. */
export interface Found {
  readonly question: string
  readonly value: Value
  readonly at: number
  readonly length: number
  readonly several?: true
  readonly moment?: true
}

const LONGEST_TEXT = 4000

/** What a text tells that some question would ask: how long, how warm, who, how old, pregnant, what was measured; `clauses` are those that its language cuts it into. Each is to be confirmed, never taken for an answer. */
export function factsIn(
  given: string,
  clauses: readonly Clause[],
  language: Language,
  writtenAt?: WrittenAt,
): HeardFact[] {
  const text = given.slice(0, LONGEST_TEXT)
  const plain = plainLetters(text)
  const past = clauses
    .filter(({ isPast }) => isPast)
    .map(({ words }) => [words[0]?.at ?? 0, (words.at(-1)?.at ?? 0) + (words.at(-1)?.written.length ?? 0)] as const)
  const isPast = (at: number) => past.some(([from, to]) => at >= from && at < to)
  const temperature = temperatureIn(plain, language)
  const measured = temperature.map((one): Found => ({ ...one, question: 'fever', value: 'measured' }))
  const pregnancy = pregnancyIn(plain, language, isPast, writtenAt)
  // "Väntar barn" tells of no child, and the week of a pregnancy is not how long it has lasted.
  const isOfPregnancy = (at: number) => pregnancy.some((one) => at >= one.at && at < one.at + one.length)
  const isMother = pregnancy.some(({ value }) => value === 'yes' || value === 'recent')
  const person = personIn(plain, language, isPast, isMother).filter(({ at }) => !isOfPregnancy(at))
  const ages = [...person.filter(({ question }) => question === 'age'), someAgeIn(plain, language)]
  const isAge = (at: number) => ages.some((age) => age !== undefined && at >= age.at && at < age.at + age.length)
  const duration = durationIn(plain, language, (at) => isPast(at) || isAge(at) || isOfPregnancy(at), writtenAt)
  const found = [...person, ...duration, ...measured, ...temperature, ...measuredIn(plain, language), ...pregnancy]
  return found.map(({ at, length, ...fact }) => ({ ...fact, words: text.slice(at, at + length) }))
}
