import type { Outcome } from '../../engine/content.ts'
import type { Interview } from '../interview/interview.ts'

/** A longer sentence is told by what stands around the words. */
const LONGEST_QUOTE = 240
/** Letters on either side of the words; more where the other side has fewer. */
const AROUND = 100
const SENTENCE_END = /[.!?…](?=\s|$)|\n/g

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
  const sentence = sentenceWith(text, words)
  return sentence.length <= LONGEST_QUOTE ? sentence : around(sentence, words)
}

/** The words with whole words on either side of them, and a mark where it goes on. */
function around(sentence: string, words: string): string {
  const from = sentence.indexOf(words)
  const before = sentence.slice(0, from)
  const after = sentence.slice(from + words.length)
  const room = (other: string) => Math.max(AROUND, LONGEST_QUOTE - words.length - other.length)
  const [left, right] = [room(after), room(before)]
  const opening = before.length <= left ? before : `… ${before.slice(-left).split(' ').slice(1).join(' ')}`
  const close = after.length <= right ? after : `${after.slice(0, right).split(' ').slice(0, -1).join(' ')} …`
  return `${opening}${words}${close}`
}

/** The words with what stands before and after them, up to the marks on either side. */
function sentenceWith(text: string, words: string): string {
  const from = text.indexOf(words)
  const ends = [...text.matchAll(SENTENCE_END)].map(({ index, 0: mark }) => ({ index, after: index + mark.length }))
  const begin = ends.findLast(({ after }) => after <= from)?.after ?? 0
  const close = ends.find(({ after }) => after >= from + words.length)?.after ?? text.length
  return text.slice(begin, close).trim()
}
