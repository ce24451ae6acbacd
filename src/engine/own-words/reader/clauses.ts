import type { Word } from '../read.ts'

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

/** The clauses of a text. What is told of long ago goes on as long as it tells of what was, or until it is about now; what came before it is not of long ago. */
export function clausesOf(text: string, words: readonly Word[], listed: Listed): Clause[] {
  const clauses: Clause[] = []
  let at = 0
  while (at < words.length) {
    const from = at
    const sentence = words[at]?.sentence
    while (at < words.length && words[at]?.sentence === sentence) at++
    const last = words[at - 1]
    const end = last ? last.at + last.written.length : 0
    const asks = text.slice(end, words[at]?.at ?? end + LONGEST_MARKS).includes('?')
    clauses.push(...ofSentence(words.slice(from, at), listed, asks))
  }
  return clauses
}

function ofSentence(words: readonly Word[], listed: Listed, asks: boolean): Clause[] {
  const groups = inClauses(words)
  const [begin, past] = pastWords(words)
  const groupOf = (word: number) => groups.findIndex((group) => group.some(({ place }) => place === word))
  // The words of a time may be cut apart: "fem år | sedan hade jag stroke".
  const [first, own] = past < 0 ? [groups.length, groups.length] : [groupOf(begin), groupOf(past)]
  // "I had a stroke, years ago": a time that stands alone belongs to what came before it.
  const firstPast = past >= 0 && isTimeAlone(groups[first], begin) ? first - 1 : first
  let over = false
  return groups.map((group, place) => {
    if (place >= own) {
      // "Last year I had a stroke, but now …"
      const isOfNow = group.some(({ known, place: word }) => word > past && known.role.isPresent)
      if (place === own) over = isOfNow || group.some(({ known }) => known.role.isAsThen)
      else over ||= isOfNow || !group.some(({ known }) => known.role.tellsOfThen)
    }
    return {
      words: group,
      isPast: place >= firstPast && !over,
      isListed: listed.size > 0 && group.some(({ place: word }) => listed.has(word)),
      asks: asks && place === groups.length - 1,
    }
  })
}

function inClauses(words: readonly Word[]): (readonly Word[])[] {
  const groups: (readonly Word[])[] = []
  for (let from = 0, to = 1; from < words.length; from = to++) {
    while (to < words.length && words[to]?.clause === words[from]?.clause) to++
    groups.push(words.slice(from, to))
  }
  return groups
}

/** Whether a clause says nothing before the words of a time, and nothing after them. */
function isTimeAlone(group: readonly Word[] = [], begin: number): boolean {
  const isSmall = ({ form, weight }: Word) => weight !== 'meaning' || /^\d+$/.test(form)
  const before = group.filter(({ place }) => place < begin)
  const [, end] = pastWords(group)
  return before.every(isSmall) && (end < 0 || end === group.at(-1)?.place)
}

/** The places of the first and the last word of "years ago", "as a child"; -1 when there is nothing of the kind. */
function pastWords(words: readonly Word[]): readonly [first: number, last: number] {
  for (let at = 0; at < words.length; at++) {
    const { past } = (words[at] as Word).known.role
    if (past.length === 0) continue
    for (const phrase of past) {
      if (isAt(phrase, words, at)) return [words[at]?.place ?? -1, words[at + phrase.length - 1]?.place ?? -1]
    }
  }
  return [-1, -1]
}

function isAt(phrase: readonly string[], words: readonly Word[], at: number): boolean {
  if (at + phrase.length > words.length) return false
  for (let ahead = 0; ahead < phrase.length; ahead++)
    if (!isForm(phrase[ahead] as string, (words[at + ahead] as Word).form)) return false
  return true
}

/** `YEAR` stands for any: "in 2015" is long ago. */
const isForm = (wanted: string, form: string): boolean =>
  wanted === 'YEAR' ? /^(?:19[3-9]\d|20[0-2]\d)$/.test(form) : wanted === form
