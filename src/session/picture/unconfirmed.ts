import type { Outcome } from '../../engine/content.ts'
import type { Interview } from '../interview/interview.ts'

/** A longer sentence is told by its clause, and a longer clause by what stands around the words. */
const LONGEST_QUOTE = 240
/** Letters on either side of the words, where no mark ends a clause in time. */
const AROUND = 100
const SENTENCE_END = /[.!?…](?=\s|$)|\n/g
const CLAUSE_END = /[.!?…,;:](?=\s|$)|\n/g

/** Danger that own words tell of and no sign has confirmed, with the sentence that tells it: cut inside, it could say the opposite, so a cut shows. */
export function unconfirmedOf(
  { answers }: Pick<Interview, 'answers'>,
  { unconfirmed }: Pick<Outcome, 'unconfirmed'>,
): Outcome['unconfirmed'] {
  const texts = answers.flatMap(({ value, heard }) => (heard && typeof value === 'string' ? [value] : []))
  return unconfirmed.map(({ kind, words }) => {
    const text = texts.find((one) => one.includes(words))
    return { kind, words: text === undefined ? words : quoted(text, words) }
  })
}

function quoted(text: string, words: string): string {
  const sentence = upTo(SENTENCE_END, text, words)
  if (sentence.length <= LONGEST_QUOTE) return sentence
  const clause = upTo(CLAUSE_END, text, words)
  return clause.length <= Math.max(LONGEST_QUOTE, words.length) ? clause : around(clause, words)
}

/** The words with whole words on either side of them, and a mark where it goes on. */
function around(clause: string, words: string): string {
  const from = clause.indexOf(words)
  const before = clause.slice(0, from)
  const after = clause.slice(from + words.length)
  const opening = before.length <= AROUND ? before : `… ${before.slice(-AROUND).split(' ').slice(1).join(' ')}`
  const close = after.length <= AROUND ? after : `${after.slice(0, AROUND).split(' ').slice(0, -1).join(' ')} …`
  return `${opening}${words}${close}`
}

/** The words with what stands before and after them, up to the marks on either side. */
function upTo(end: RegExp, text: string, words: string): string {
  const from = text.indexOf(words)
  const ends = [...text.matchAll(end)].map(({ index, 0: mark }) => ({ index, after: index + mark.length }))
  const begin = ends.findLast(({ after }) => after <= from)?.after ?? 0
  const close = ends.find(({ after }) => after >= from + words.length)?.after ?? text.length
  return text.slice(begin, close).trim()
}
