/** What a letter or mark is to the words of a text. */
export const OTHER = 0
export const LETTER = 1
/** Stands inside a word, between letters: "don't", "x-ray". */
export const JOINT = 2
/** Ends a sentence. */
export const END = 3
export const COMMA = 4

const JOINTS = "'’´`-"
const ENDS = '.!?;:\n'
const IS_LETTER = /^[\p{L}\p{N}]$/u
/** From here on a letter may be written in two units. */
const FIRST_OF_TWO = 0xd800

/** By unit, for those that nearly all texts are written in. */
const KINDS = Uint8Array.from({ length: 0x250 }, (_, unit) => kindOf(String.fromCharCode(unit)))

function kindOf(letter: string): number {
  if (IS_LETTER.test(letter)) return LETTER
  if (JOINTS.includes(letter)) return JOINT
  return ENDS.includes(letter) ? END : letter === ',' ? COMMA : OTHER
}

/** What stands at a place of a text; `OTHER` behind its end. */
export function kindAt(text: string, at: number): number {
  if (at >= text.length) return OTHER
  const unit = text.charCodeAt(at)
  return unit < KINDS.length ? (KINDS[unit] as number) : kindOf(letterAt(text, at))
}

/** Where the word ends that begins at a place: letters, and what joins them. */
export function endOfWord(text: string, from: number): number {
  let end = endOfLetters(text, from)
  while (kindAt(text, end) === JOINT && kindAt(text, end + 1) === LETTER) end = endOfLetters(text, end + 1)
  return end
}

function endOfLetters(text: string, from: number): number {
  let at = from
  while (kindAt(text, at) === LETTER) at += text.charCodeAt(at) < FIRST_OF_TWO ? 1 : letterAt(text, at).length
  return at
}

const letterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0)
