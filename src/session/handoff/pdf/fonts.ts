import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font, type GlyphRun } from 'fontkit'

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      /** Accepts a font that is already open. */
      registerFont(name: string, font: Font): this
    }
  }
}

const require = createRequire(import.meta.url)

/** Source Sans 3: Latin with the Sami letters, Greek and Cyrillic. Opened once; a document embeds only the letters it uses. */
export const FONTS = {
  regular: open(require.resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf')),
  bold: open(require.resolve('@expo-google-fonts/source-sans-3/700Bold/SourceSans3_700Bold.ttf')),
} as const

export type Fonts = Readonly<Record<keyof typeof FONTS, Font>>

/** The fonts for one document. It is tried at several scales, so the shaping of each word, the costly part, is cached. */
export const fontsForOne = (): Fonts => ({ regular: remembering(FONTS.regular), bold: remembering(FONTS.bold) })

function remembering(font: Font): Font {
  const runs = new Map<string, GlyphRun>()
  const layout: Font['layout'] = (text, features) => {
    const run = (!features && runs.get(text)) || font.layout(text, features)
    if (!features) runs.set(text, run)
    return { ...run, advanceWidth: run.advanceWidth, positions: run.positions.map((position) => ({ ...position })) }
  }
  return Object.create(font, { layout: { value: layout } })
}

/** Its letters are small for their size and its lines far apart: it is set larger, with closer lines, and begins higher. */
export const LARGER = 1.07
const LINE_HEIGHT = 1.16
const CAPITALS = 0.72
export const TOO_TALL: number = bodyOf(FONTS.regular).height * LARGER - LINE_HEIGHT
export const TOO_LOW: number = bodyOf(FONTS.regular).ascent * LARGER - CAPITALS

const LETTERS = claimLetters(FONTS.regular)
claimLetters(FONTS.bold)

/** The character that is written for this one: itself, or another that looks the same; undefined when the fonts have neither. */
export const letterFor = (char: string): string | undefined => LETTERS.get(char)

function open(path: string): Font {
  const font = create(readFileSync(path))
  if (!('characterSet' in font)) throw new Error(`${path} is a collection of fonts, not one.`)
  return font
}

function bodyOf({ ascent, descent, unitsPerEm }: Font): { ascent: number; height: number } {
  return { ascent: ascent / unitsPerEm, height: (ascent - descent) / unitsPerEm }
}

/**
 * The character that each one is written as. A glyph belongs to the first character that asks for it, and copied text
 * yields that one: so all ask here, in a fixed order, and no document depends on earlier ones. Ligatures are left to
 * the letters they join.
 */
function claimLetters(font: Font): ReadonlyMap<string, string> {
  const isPlain = (code: number) => String.fromCodePoint(code).normalize('NFKC') === String.fromCodePoint(code)
  const codes = font.characterSet.filter((code) => code < 0xfb00 || code > 0xfb06)
  const inOrder = [...codes.filter(isPlain), ...codes.filter((code) => !isPlain(code))]
  return new Map(
    inOrder.map((code) => [
      String.fromCodePoint(code),
      String.fromCodePoint(...font.glyphForCodePoint(code).codePoints),
    ]),
  )
}
