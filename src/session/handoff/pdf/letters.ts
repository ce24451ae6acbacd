/**
 * The standard fonts of PDF have the letters of Western Europe and nothing else. What they lack is shown by its plain
 * equivalent or by a sign that stands for "not shown", and the true text goes along for copying and reading aloud.
 */
const BEYOND_LATIN_1 = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ')

const EQUIVALENTS: Record<string, string> = {
  '≥': '>=',
  '≤': '<=',
  '≠': '/=',
  '≈': '~',
  '→': '->',
  '←': '<-',
  '−': '–',
  '‐': '-',
  '‑': '-',
  '‒': '–',
  '―': '—',
  '′': "'",
  '″': '"',
  '‟': '“',
  '‛': '‘',
  '☐': '[ ]',
}

/** Stands for a character that the fonts have no letter for. */
export const NOT_SHOWN = '¤'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const isShowable = (char: string): boolean => /^[\n\x20-\x7e\xa1-\xff]$/.test(char) || BEYOND_LATIN_1.has(char)

export type Letters = { text: string; isChanged: boolean; isLost: boolean }

/** A text in the letters of the fonts, and whether something of it could not be shown. */
export function lettersOf(given: string): Letters {
  const source = given
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]/g, ' ')
    .replace(/(?!\n)[\p{Cc}]|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]/gu, '')
  let [text, isChanged, isLost] = ['', false, false]
  for (const { segment } of graphemes.segment(source)) {
    if ([...segment].every(isShowable)) {
      text += segment
      continue
    }
    isChanged = true
    const equivalent = EQUIVALENTS[segment] ?? compatible(segment)
    if (equivalent === null) isLost = true
    text += equivalent ?? NOT_SHOWN
  }
  return { text, isChanged, isLost }
}

/** Ligatures, wide forms, super- and subscripts have a plain form that means the same. Another letter never does. */
function compatible(segment: string): string | null {
  const plain = segment.normalize('NFKC').replace(/\u200c|\u200d|[\ufe00-\ufe0f]/g, '')
  return plain !== segment && [...plain].every(isShowable) ? plain : null
}
