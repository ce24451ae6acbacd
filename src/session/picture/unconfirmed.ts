import type { Outcome } from '../../engine/content.ts'
import type { Interview } from '../interview/interview.ts'

/** A longer sentence is told by its clause. */
const LONGEST_QUOTE = 240
const SENTENCE_END = /[.!?…](?=\s|$)|\n/g
const CLAUSE_END = /[.!?…,;:](?=\s|$)|\n/g

/** Danger that own words tell of and no sign has confirmed, with the whole sentence that tells it: cut inside, it could say the opposite. */
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
  return sentence.length <= LONGEST_QUOTE ? sentence : upTo(CLAUSE_END, text, words)
}

/** The words with what stands before and after them, up to the marks on either side. */
function upTo(end: RegExp, text: string, words: string): string {
  const from = text.indexOf(words)
  const ends = [...text.matchAll(end)].map(({ index, 0: mark }) => ({ index, after: index + mark.length }))
  const begin = ends.findLast(({ after }) => after <= from)?.after ?? 0
  const close = ends.find(({ after }) => after >= from + words.length)?.after ?? text.length
  return text.slice(begin, close).trim()
}
