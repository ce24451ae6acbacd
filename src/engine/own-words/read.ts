import { type Denial, markDenials, type Token } from './denials.ts'
import { type KnownWord, understandingOf } from './known.ts'
import type { LanguageRules } from './rules.ts'
import type { Pieces } from './written.ts'

/** A word of a text as one language understands it. */
export interface Word extends Pick<KnownWord, 'form' | 'stem' | 'weight'> {
  readonly known: KnownWord
  /** As the patient wrote it. */
  readonly written: string
  /** Place among all words of the text. */
  readonly place: number
  /** Where it begins in the text. */
  readonly at: number
  /** Which clause of the text it stands in. */
  readonly clause: number
  readonly sentence: number
  denial: Denial | undefined
}

/** The words as one language understands them: their stems, their weight, and what is denied. */
export function readWords(pieces: Pieces, rules: LanguageRules): Word[] {
  const words: Word[] = []
  const understand = understandingOf(rules)
  let clause = 0
  for (const [sentence, ofSentence] of pieces.entries()) {
    const tokens: Token[] = []
    let begun = words.length
    for (const piece of ofSentence) {
      const known = piece === 'comma' ? undefined : understand(piece.word)
      if (words.length > begun && (!known || known.role.ends)) {
        clause++
        begun = words.length
      }
      if (piece === 'comma' || !known) {
        tokens.push('comma')
        continue
      }
      const { at } = piece
      const { written } = piece.word
      const { form, stem, weight } = known
      const word = { known, written, form, stem, place: words.length, at, clause, sentence, weight, denial: undefined }
      tokens.push(word)
      words.push(word)
    }
    if (words.length > begun) clause++
    markDenials(tokens)
  }
  return words
}
