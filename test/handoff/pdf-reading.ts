import { inflateSync } from 'node:zlib'

/** A PDF as far as the tests look into it: its objects in plain, and the text of its pages in the order it is written. */
export type ReadPdf = {
  pages: number
  plain: string
  /** The content streams, unpacked. */
  contents: string[]
  /** What each page shows, one piece of text per line. */
  text: string[]
  structure: string[]
  pictures: { width: number; height: number }[]
}

/** The places 80 to 9f of the fonts' encoding. */
const CP1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

export function readPdf(bytes: Buffer): ReadPdf {
  const plain = bytes.toString('latin1')
  if (!plain.startsWith('%PDF-1.7') || !plain.trimEnd().endsWith('%%EOF')) throw new Error('This is no whole PDF 1.7.')
  const contents = contentsOf(bytes, plain)
  return {
    pages: [...plain.matchAll(/\/Type \/Page\n/g)].length,
    plain,
    contents,
    text: contents.filter((content) => /\bBT\b/.test(content)).map(textOf),
    structure: [...plain.matchAll(/\/S \/([A-Z]\w*)\n/g)].map(([, type = '']) => type),
    pictures: [...plain.matchAll(/\/Subtype \/Image[^>]*?\/Width (\d+)\n\/Height (\d+)/g)].map(([, width, height]) => ({
      width: Number(width),
      height: Number(height),
    })),
  }
}

const contentsOf = (bytes: Buffer, plain: string): string[] =>
  [...plain.matchAll(/<<[^<>]*\/Length (\d+)[^<>]*\/Filter \/FlateDecode[^<>]*>>\s*stream\n/g)].map((found) => {
    const start = found.index + found[0].length
    return inflateSync(bytes.subarray(start, start + Number(found[1]))).toString('latin1')
  })

const textOf = (content: string): string =>
  [...content.matchAll(/\[((?:<[0-9a-f]*>\s*-?[\d.]*\s*)+)\] TJ/g)]
    .map(([, parts = '']) => [...parts.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => shown(hex)).join(''))
    .join('\n')

const shown = (hex: string): string =>
  [...Buffer.from(hex, 'hex')]
    .map((byte) => (byte >= 0x80 && byte < 0xa0 ? (CP1252[byte - 0x80] ?? '') : String.fromCharCode(byte)))
    .join('')

/** Whether everything shown is marked as part of the text or as decoration, and every mark is closed. */
export const isFullyMarked = ({ contents }: ReadPdf): boolean =>
  contents.every((content) => {
    let depth = 0
    for (const [token] of content.matchAll(/\b(BDC|BMC|EMC|TJ|Do)\b|(?<=\s)f\n/g)) {
      if (token === 'BDC' || token === 'BMC') depth++
      else if (token === 'EMC') depth--
      else if (depth === 0) return false
      if (depth < 0) return false
    }
    return depth === 0
  })
