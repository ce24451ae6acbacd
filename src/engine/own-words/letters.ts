/** What a letter or mark is to the words of a text. */
export const OTHER = 1
export const LETTER = 2
/** Stands inside a word, between letters: "don't", "x-ray". */
const JOINT = 3
/** Ends a sentence. */
export const END = 4
export const COMMA = 5

const JOINTS = "'’´`-"
const ENDS = '.!?;:\n'
const IS_LETTER = /^[\p{L}\p{N}]$/u
/** From here on a letter may be written in two units. */
export const FIRST_OF_TWO = 0xd800

/** By unit, once one was met; 0 before, and where a letter is written in two. */
const KINDS = new Uint8Array(0x10000)

function kindOf(letter: string): number {
  if (IS_LETTER.test(letter)) return LETTER
  if (JOINTS.includes(letter)) return JOINT
  return ENDS.includes(letter) ? END : letter === ',' ? COMMA : OTHER
}

/** What stands at a place of a text; `OTHER` behind its end. */
export function kindAt(text: string, at: number): number {
  if (at >= text.length) return OTHER
  const unit = text.charCodeAt(at)
  return KINDS[unit] || noteKind(text, at, unit)
}

function noteKind(text: string, at: number, unit: number): number {
  const kind = kindOf(letterAt(text, at))
  if (unit < FIRST_OF_TWO) KINDS[unit] = kind
  return kind
}

/** Whether a word that reaches up to a place goes on there: letters, and what joins them. */
export function goesOn(text: string, at: number): boolean {
  const kind = kindAt(text, at)
  return kind === LETTER || (kind === JOINT && kindAt(text, at + 1) === LETTER)
}

/** How many units the letter at a place is written in. */
export const unitsAt = (text: string, at: number): number =>
  text.charCodeAt(at) < FIRST_OF_TWO ? 1 : letterAt(text, at).length

const letterAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0)
