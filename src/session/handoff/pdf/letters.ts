import { letterFor } from './fonts.ts'

/** Stands for a character that the fonts have no letter for. */
export const NOT_SHOWN = '□'

/** A letter with more marks than any language uses would be drawn over its neighbours. */
const MOST_MARKS = 2

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

export type Letters = { text: string; isChanged: boolean; isLost: boolean }

/** A text in the letters of the fonts, and whether some of it is shown differently or not at all. */
export function lettersOf(given: string): Letters {
  const source = given
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]/g, ' ')
    .replace(/(?!\n)[\p{Cc}]|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]/gu, '')
  let [text, isChanged, isLost] = ['', false, false]
  for (const { segment } of graphemes.segment(source)) {
    const letters = segment === '\n' ? segment : shown(segment)
    text += letters ?? NOT_SHOWN
    if (letters === undefined) isLost = true
    if (letters !== segment) isChanged = true
  }
  return { text, isChanged, isLost }
}

/**
 * A character as it is, as a letter and its marks, or in its plain form (ligatures, wide forms, super- and subscripts).
 * Never as another letter.
 */
function shown(segment: string): string | undefined {
  const own = letterFor(segment)
  if (own !== undefined) return own
  const plain = segment.normalize('NFKC').replace(/\u200c|\u200d|[\ufe00-\ufe0f]/g, '')
  for (const way of [segment.normalize('NFD'), plain]) {
    const letters = [...way].map(letterFor)
    const marks = way.match(/\p{M}/gu)?.length ?? 0
    if (letters.length > 0 && marks <= MOST_MARKS && !letters.includes(undefined)) return letters.join('')
  }
  return undefined
}
