import { inflateSync } from 'node:zlib'

/** A PDF as far as the tests look into it: its objects in plain, and the text of its pages in the order it is written. */
export type ReadPdf = {
  pages: number
  plain: string
  /** The content streams, unpacked. */
  contents: string[]
  /** What each page shows, one piece of text per line. */
  text: string[]
  /** The fonts it carries. */
  fonts: string[]
  structure: string[]
  pictures: { width: number; height: number }[]
}

export function readPdf(bytes: Buffer): ReadPdf {
  const plain = bytes.toString('latin1')
  if (!plain.startsWith('%PDF-1.7') || !plain.trimEnd().endsWith('%%EOF')) throw new Error('This is no whole PDF 1.7.')
  const streamOf = (object: string) => unpacked(bytes, plain, object)
  const contents = [...plain.matchAll(/\/Contents (\d+) 0 R/g)].map(([, object = '']) => streamOf(object))
  const fonts = new Map(
    [...plain.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', object = '']) => {
      const [, letters = ''] = /\/ToUnicode (\d+) 0 R/.exec(objectOf(plain, object)) ?? []
      return [name, lettersOf(streamOf(letters))]
    }),
  )
  return {
    pages: [...plain.matchAll(/\/Type \/Page\n/g)].length,
    plain,
    contents,
    text: contents.map((content) => textOf(content, fonts)),
    fonts: [...plain.matchAll(/\/FontName \/(\S+)/g)].map(([, name = '']) => name),
    structure: [...plain.matchAll(/\/S \/([A-Z]\w*)\n/g)].map(([, type = '']) => type),
    pictures: [...plain.matchAll(/\/Subtype \/Image[^>]*?\/Width (\d+)\n\/Height (\d+)/g)].map(([, width, height]) => ({
      width: Number(width),
      height: Number(height),
    })),
  }
}

function objectOf(plain: string, object: string): string {
  const start = plain.indexOf(`\n${object} 0 obj\n`)
  return plain.slice(start, plain.indexOf('endobj', start))
}

function unpacked(bytes: Buffer, plain: string, object: string): string {
  const start = plain.indexOf(`\n${object} 0 obj\n`)
  const [head = '', length = ''] = /.*?\/Length (\d+).*?stream\n/s.exec(plain.slice(start)) ?? []
  const from = start + head.length
  return inflateSync(bytes.subarray(from, from + Number(length))).toString('latin1')
}

type LetterTable = readonly string[]

/** What each letter of a font says when it is copied, by its number. */
const lettersOf = (table: string): LetterTable =>
  [...table.matchAll(/\[([^\]]*)\]/g)].flatMap(([, all = '']) =>
    [...all.matchAll(/<([0-9a-f ]*)>/g)].map(([, hex = '']) =>
      Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
    ),
  )

function textOf(content: string, fonts: ReadonlyMap<string, LetterTable>): string {
  const pieces: string[] = []
  let font: LetterTable = []
  for (const [, name, parts] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[((?:<[0-9a-f]*>\s*-?[\d.]*\s*)+)\] TJ/g)) {
    if (name) font = fonts.get(name) ?? []
    else
      pieces.push(
        [...(parts ?? '').matchAll(/<([0-9a-f]*)>/g)]
          .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
          .map((letter) => font[Number.parseInt(letter, 16)] ?? '')
          .join(''),
      )
  }
  return pieces.join('\n')
}

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
