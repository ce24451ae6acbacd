import type { Word } from '../read.ts'
import type { LanguageRules } from '../rules.ts'

/** Spaces and marks after the last word of a text. */
const LONGEST_MARKS = 10

/** A piece of a text that says one thing. */
export interface Clause {
  readonly words: readonly Word[]
  /** Told of long ago, or as a story of the family: not of this illness. */
  readonly isPast: boolean
  /** Holds words that the lists of danger know. */
  readonly isListed: boolean
  /** Ends a question. */
  readonly asks: boolean
}

/** Places of words that the lists of danger know: the first word of each find. */
export type Listed = ReadonlySet<number>

/** The clauses of a text. What is told of long ago goes on to the end of its sentence, or until it is about now. */
export function clausesOf(text: string, words: readonly Word[], rules: LanguageRules, listed: Listed): Clause[] {
  const clauses: Clause[] = []
  let at = 0
  while (at < words.length) {
    const from = at
    const sentence = words[at]?.sentence
    while (at < words.length && words[at]?.sentence === sentence) at++
    const last = words[at - 1]
    const end = last ? last.at + last.written.length : 0
    const asks = text.slice(end, words[at]?.at ?? end + LONGEST_MARKS).includes('?')
    clauses.push(...ofSentence(words.slice(from, at), rules, listed, asks))
  }
  return clauses
}

function ofSentence(words: readonly Word[], rules: LanguageRules, listed: Listed, asks: boolean): Clause[] {
  const groups = [...Map.groupBy(words, ({ clause }) => clause).values()]
  const past = pastWords(words, rules.past)
  const firstPast = past < 0 ? groups.length : groups.findIndex((group) => group.some(({ place }) => place === past))
  let over = false
  return groups.map((group, place) => {
    // "Last year I had a stroke, but now …"
    if (place >= firstPast) over ||= group.some(({ form, place: word }) => rules.present.has(form) && word > past)
    return {
      words: group,
      isPast: firstPast < groups.length && !over,
      isListed: group.some(({ place: word }) => listed.has(word)),
      asks: asks && place === groups.length - 1,
    }
  })
}

/** The place of the last word of "years ago", "as a child"; -1 when there is nothing of the kind. */
function pastWords(words: readonly Word[], past: LanguageRules['past']): number {
  for (let at = 0; at < words.length; at++) {
    for (const phrase of past.get(words[at]?.form ?? '') ?? []) {
      if (phrase.every((form, ahead) => isForm(form, words[at + ahead]?.form ?? '')))
        return words[at + phrase.length - 1]?.place ?? -1
    }
  }
  return -1
}

/** `YEAR` stands for any: "in 2015" is long ago. */
const isForm = (wanted: string, form: string): boolean =>
  wanted === 'YEAR' ? /^(?:19[3-9]\d|20[0-2]\d)$/.test(form) : wanted === form
