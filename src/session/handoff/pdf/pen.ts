import PDFDocument from 'pdfkit'
import { type Fonts, LARGER, TOO_LOW, TOO_TALL } from './fonts.ts'
import { lettersOf } from './letters.ts'

/** The colours of the pages, as `web/ui/tokens.css` has them. */
export const INK = '#12242d'
export const QUIET = '#4b5d66'
export const LINE = '#d8d6cc'
export const ACCENT = '#0b5b78'
export const LIGHT = '#f2b134'
export type Tone = { surface: string; line: string; ink: string }
export const TONES = {
  emergency: { surface: '#fdecea', line: '#b3261e', ink: '#8c1d18' },
  warning: { surface: '#fdf3e1', line: '#9a6a12', ink: '#6b4708' },
  care: { surface: '#e8f1f7', line: '#2f6f94', ink: '#1c4f6d' },
  selfcare: { surface: '#eaf4ec', line: '#3b7d4a', ink: '#245a31' },
  plain: { surface: '#f2f0e8', line: '#8a979d', ink: '#12242d' },
} as const satisfies Record<string, Tone>

/** A4 in points, with a heading column beside the text. */
export const PAGE = { width: 595.28, height: 841.89, left: 44, right: 44, top: 44, bottom: 54, side: 108 }
export const TEXT_LEFT = PAGE.left + PAGE.side
export const TEXT_WIDTH = PAGE.width - TEXT_LEFT - PAGE.right
const FLOOR = PAGE.height - PAGE.bottom
/** The most space left blank at the foot of a page to keep the next piece together. */
const MOST_LEFT_BLANK = 90

export type Run = { text: string; font?: keyof Fonts; color?: string }
export type Style = {
  size: number
  x?: number
  width?: number
  font?: keyof Fonts
  color?: string
  /** Extra space between lines, in points before scaling. */
  gap?: number
}
export type Doc = PDFKit.PDFDocument
type Element = PDFKit.PDFStructureElement

/** The document's metadata. Moments come from the session, so that the same session gives the same bytes. */
export type About = { title: string; author: string; subject: string; language: string; at: Date }

/** Writes tagged text from top to bottom, at one scale. */
export class Pen {
  readonly doc: Doc
  readonly scale: number
  readonly #root: Element
  #isLossy = false

  constructor({ title, author, subject, language, at }: About, fonts: Fonts, scale: number) {
    this.scale = scale
    this.doc = new PDFDocument({
      size: 'A4',
      margins: { top: PAGE.top, bottom: PAGE.bottom, left: PAGE.left, right: PAGE.right },
      pdfVersion: '1.7',
      tagged: true,
      lang: language,
      displayTitle: true,
      bufferPages: true,
      info: {
        Title: title,
        Author: author,
        Subject: subject,
        Creator: 'Fyr',
        Producer: 'Fyr',
        CreationDate: at,
        ModDate: at,
      },
    })
    for (const [name, font] of Object.entries(fonts)) this.doc.registerFont(name, font)
    this.#root = this.doc.struct('Document')
    this.doc.addStructure(this.#root)
  }

  /** Whether some character could not be shown. */
  get isLossy(): boolean {
    return this.#isLossy
  }

  get y(): number {
    return this.doc.y
  }

  set y(y: number) {
    this.doc.y = y
  }

  space(points: number): void {
    this.doc.y += points * this.scale
  }

  /** Starts a new page if this height does not fit any more. */
  ensure(height: number): void {
    if (this.doc.y + height > FLOOR) this.doc.addPage()
  }

  height(text: string, style: Style): number {
    this.#set(style)
    return this.doc.heightOfString(lettersOf(text).text, this.#options(style))
  }

  width(text: string, style: Style): number {
    this.#set(style)
    return this.doc.widthOfString(lettersOf(text).text)
  }

  /** A structure element; `children` writes its parts. */
  group(type: string, children: (inside: Element) => void, within: Element = this.#root): void {
    const element = this.doc.struct(type)
    within.add(element)
    children(element)
    element.end()
  }

  /** One piece of text as an element of its own; runs follow each other on the line. */
  write(type: string, runs: string | readonly Run[], style: Style, within: Element = this.#root): void {
    const list = (typeof runs === 'string' ? [{ text: runs }] : runs).filter(({ text }) => text !== '')
    if (list.length === 0) return
    const { doc } = this
    const x = style.x ?? TEXT_LEFT
    const lift = style.size * this.scale * TOO_LOW
    within.add(
      doc.struct(type, {}, () => {
        list.forEach(({ text, font, color }, at) => {
          const letters = lettersOf(text)
          if (letters.isLost) this.#isLossy = true
          this.#set({ ...style, ...(font && { font }), ...(color && { color }) })
          if (letters.isChanged) doc.markContent('Span', { actual: text })
          const options = { ...this.#options(style), continued: at < list.length - 1 }
          if (at === 0) doc.text(letters.text, x, doc.y - lift, options)
          else doc.text(letters.text, options)
          if (letters.isChanged) doc.endMarkedContent()
        })
      }),
    )
    doc.y += lift
  }

  figure(picture: Buffer, alt: string, at: { x: number; y: number; width: number; height: number }): void {
    const options = { alt, bbox: [at.x, at.y, at.x + at.width, at.y + at.height] }
    this.#root.add(
      this.doc.struct('Figure', options, () => {
        this.doc.image(picture, at.x, at.y, { width: at.width, height: at.height })
      }),
    )
  }

  /** Draws lines, surfaces and marks, which screen readers skip. */
  draw(paint: (doc: Doc) => void): void {
    const { doc } = this
    const { y } = doc
    doc.save().markContent('Artifact', { type: 'Layout' })
    paint(doc)
    doc.endMarkedContent().restore()
    doc.y = y
  }

  /** Calls back for each page at the end, for elements repeated on every one. */
  onEveryPage(paint: (doc: Doc, page: number, pages: number) => void): void {
    const { start, count } = this.doc.bufferedPageRange()
    for (let page = 0; page < count; page++) {
      this.doc.switchToPage(start + page)
      this.doc.page.margins.bottom = 0 // text below the margin must not start a new page
      this.draw((doc) => paint(doc, page + 1, count))
    }
  }

  get pages(): number {
    return this.doc.bufferedPageRange().count
  }

  /** Whether it might fit this many pages at another scale: type half as large takes no less than a quarter of the space. */
  mightFit(pages: number, scale: number): boolean {
    const page = FLOOR - PAGE.top
    const written = (this.pages - 1) * (page - MOST_LEFT_BLANK) + this.y - PAGE.top
    return written * (scale / this.scale) ** 2 <= pages * page
  }

  bytes(): Promise<Buffer> {
    const chunks: Buffer[] = []
    return new Promise((done, failed) => {
      this.doc.on('data', (chunk: Buffer) => chunks.push(chunk))
      this.doc.on('end', () => done(Buffer.concat(chunks)))
      this.doc.on('error', failed)
      this.#root.end()
      this.doc.end()
    })
  }

  /** One line that belongs to the page, not to the text. */
  label(text: string, x: number, y: number, style: Style): void {
    this.#set(style)
    this.doc.text(lettersOf(text).text, x, y - style.size * this.scale * TOO_LOW, { lineBreak: false })
  }

  #set({ font = 'regular', size, color = INK }: Style): void {
    this.doc
      .font(font)
      .fontSize(size * this.scale * LARGER)
      .fillColor(color)
  }

  #options({ size, width = TEXT_WIDTH, gap = 1.5 }: Style) {
    return { width, lineGap: (gap - size * TOO_TALL) * this.scale }
  }
}
