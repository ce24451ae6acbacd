import type { Level } from '../../../engine/content.ts'
import type { Evidence } from '../../picture/clinical-words.ts'
import { said } from '../evidence-words.ts'
import type { FlagState, Sheet } from '../sheet.ts'
import {
  ACCENT,
  type Doc,
  INK,
  LINE,
  PAGE,
  type Pen,
  QUIET,
  type Run,
  type Style,
  TEXT_LEFT,
  TEXT_WIDTH,
  TONES,
  type Tone,
} from './pen.ts'

const FULL_WIDTH = PAGE.width - PAGE.left - PAGE.right
const LABEL_WIDTH = 132
const BODY: Style = { size: 9.5 }
const SMALL: Style = { size: 8.5, color: QUIET }

const TONE_OF: Record<Level, Tone> = {
  Level1: TONES.emergency,
  Level2: TONES.emergency,
  Level3: TONES.emergency,
  Level4: TONES.warning,
  Level5: TONES.care,
  Level6: TONES.care,
  Level7: TONES.care,
  Level8: TONES.selfcare,
}

/** Whose document it is, and what. */
export function masthead(pen: Pen, { clinic, word }: Sheet): void {
  const { y } = pen
  pen.write('P', clinic, { size: 10, font: 'bold', color: ACCENT, x: PAGE.left, width: FULL_WIDTH * 0.6 })
  const below = pen.y
  pen.y = y
  const title = word('title')
  const style: Style = { size: 10, color: QUIET, x: PAGE.left, width: FULL_WIDTH }
  pen.write('H1', title, { ...style, x: PAGE.left + FULL_WIDTH - pen.width(title, style) - 1 })
  pen.y = Math.max(below, pen.y)
  pen.space(8)
}

/** The first thing to see: the urgency, its time frame, and the flag. Never by colour alone. */
export function urgencyBlock(pen: Pen, { urgency, remark, card, word }: Sheet): void {
  const tone = toneOf(urgency.level)
  const flag = urgency.flag === 'red' ? word('redFlag') : urgency.flag === 'warning' ? word('warningFlag') : null
  const kicker = [word('urgency'), urgency.level && `${word('level')} ${urgency.level.slice(-1)}`, flag]
    .filter(Boolean)
    .join('  ·  ')
  tonedBlock(pen, tone, [
    ['P', kicker, { size: 9, font: 'bold' }],
    ['H2', urgency.title, { size: 20, font: 'bold', gap: 0 }],
    ['P', urgency.time ?? '', { size: 12.5 }],
    ['P', remark ?? '', { size: 9.5 }],
    ['P', card ? `${word('card')}: ${card}` : '', { size: 9.5 }],
  ])
}

export const toneOf = (level: Level | null): Tone => (level ? TONE_OF[level] : TONES.plain)

/** Lines in a box of their tone. */
export function tonedBlock(pen: Pen, tone: Tone, lines: readonly [type: string, text: string, style: Style][]): void {
  const pad = 13 * pen.scale
  const inside = { x: PAGE.left + pad + 6, width: FULL_WIDTH - 2 * pad - 6, color: tone.ink }
  const said = lines
    .filter(([, text]) => text !== '')
    .map(([type, text, style]) => [type, text, { ...style, ...inside }] as const)
  const height = said.reduce(
    (sum, [, text, style]) => sum + pen.height(text, style) + 2 * pen.scale,
    2 * pad - 5 * pen.scale,
  )
  const { y } = pen
  pen.draw((doc) => {
    doc.roundedRect(PAGE.left, y, FULL_WIDTH, height, 7).fill(tone.surface)
    doc.roundedRect(PAGE.left, y, 12, height, 7).fill(tone.line)
    doc.rect(PAGE.left + 5, y, 8, height).fill(tone.surface)
  })
  pen.y = y + pad
  for (const [type, text, style] of said) {
    pen.write(type, text, style)
    pen.space(2)
  }
  pen.y = y + height
  pen.space(7)
}

/** A line of warning across the page. */
export function noticeBlock(pen: Pen, text: string): void {
  const tone = TONES.warning
  const style: Style = { size: 8.5, font: 'bold', color: tone.ink, x: PAGE.left + 14, width: FULL_WIDTH - 28 }
  const height = pen.height(text, style) + 9 * pen.scale
  pen.ensure(height)
  const { y } = pen
  pen.draw((doc) => doc.roundedRect(PAGE.left, y, FULL_WIDTH, height, 5).fill(tone.surface))
  pen.y = y + 6.5 * pen.scale
  pen.write('P', text, style)
  pen.y = y + height
  pen.space(4)
}

/** A section: its heading stands beside the text, under a hairline. */
export function section(pen: Pen, title: string, body: () => void): void {
  const heading: Style = { size: 9.5, font: 'bold', color: ACCENT, x: PAGE.left, width: PAGE.side - 12 }
  pen.ensure(Math.max(pen.height(title, heading), 24) + 10)
  const start = pen.y
  pen.draw((doc) =>
    doc
      .moveTo(PAGE.left, start)
      .lineTo(PAGE.width - PAGE.right, start)
      .lineWidth(0.6)
      .strokeColor(LINE)
      .stroke(),
  )
  pen.space(6)
  const top = pen.y
  const page = pen.pages
  pen.write('H2', title, heading)
  const below = pen.y
  pen.y = top
  body()
  if (pen.pages === page) pen.y = Math.max(pen.y, below)
  pen.space(6)
}

/** Label and value side by side, as items of one list. */
export function pairs(pen: Pen, rows: readonly { label: string; value: Run[] }[], style: Style = BODY): void {
  if (rows.length === 0) return
  const label: Style = { ...style, color: QUIET, x: TEXT_LEFT, width: LABEL_WIDTH - 10 }
  const value: Style = { ...style, x: TEXT_LEFT + LABEL_WIDTH, width: TEXT_WIDTH - LABEL_WIDTH }
  pen.group('L', (list) => {
    for (const row of rows) {
      const text = row.value.map((run) => run.text).join('')
      pen.ensure(Math.min(Math.max(pen.height(row.label, label), pen.height(text, value)), 60))
      const { y, pages } = pen
      pen.group(
        'LI',
        (item) => {
          pen.write('Lbl', row.label, label, item)
          const below = pen.y
          pen.y = y
          pen.write('LBody', row.value, value, item)
          if (pen.pages === pages) pen.y = Math.max(pen.y, below)
        },
        list,
      )
      pen.space(1.5)
    }
  })
}

export const paragraph = (pen: Pen, runs: string | Run[], style: Style = BODY): void => pen.write('P', runs, style)
export const remark = (pen: Pen, runs: string | Run[]): void => pen.write('P', runs, SMALL)

/** The patient's own words, untouched, set apart by a line at their side. */
export function ownWords(pen: Pen, text: string): void {
  const { y, pages } = pen
  pen.write('BlockQuote', text, { size: 11, x: TEXT_LEFT + 11, width: TEXT_WIDTH - 11, gap: 2.5 })
  if (pen.pages !== pages) return
  const bottom = pen.y
  pen.draw((doc) => doc.rect(TEXT_LEFT, y - 1, 2.2, bottom - y).fill(ACCENT))
}

/** Why: the rule, then the answers behind it, then where it comes from. */
export function reasonBlock(
  pen: Pen,
  { label, unsure, answers, sources }: Sheet['reasons'][number],
  sheet: Sheet,
): void {
  pen.ensure(30 * pen.scale)
  paragraph(pen, label, { ...BODY, size: 10.5, font: 'bold' })
  if (answers.length > 0) paragraph(pen, evidenceRuns(answers, sheet))
  if (unsure) remark(pen, sheet.word('unsureRule'))
  if (sources.length > 0) remark(pen, `${sheet.word('source')}: ${sources.map(({ title }) => title).join('; ')}`)
  pen.space(4)
}

export const evidenceRuns = (all: readonly Evidence[], sheet: Sheet): Run[] =>
  all.map((one, at) => ({
    text: `${said(one, sheet)}${at < all.length - 1 ? '; ' : ''}`,
    color: one.state === 'present' ? INK : QUIET,
  }))

/** Red flags by state, each with a mark of its own shape; denied ones run on across the whole width. */
export function flagRows(pen: Pen, { redFlags }: Sheet): void {
  pen.group('L', (list) => {
    for (const { state, heading, labels } of redFlags.filter((one) => one.labels.length > 0)) {
      const { size, color, font } = FLAG_STYLES[state]
      const style: Style = { size, color, x: TEXT_LEFT + 14, width: TEXT_WIDTH - 14 }
      const text = labels.join('; ')
      pen.ensure(Math.min(pen.height(`${heading}: ${text}`, style), 4 * size * pen.scale))
      mark(pen, state, TEXT_LEFT + 4, pen.y + (size * pen.scale) / 2 - 0.5)
      const item = [
        { text: `${heading}: `, font: 'bold' as const },
        { text, font },
      ]
      pen.write('LI', item, style, list)
      pen.space(3)
    }
  })
}

const FLAG_STYLES: Record<FlagState, { size: number; color: string; font: 'bold' | 'regular' }> = {
  present: { size: 10.5, color: TONES.emergency.ink, font: 'bold' },
  unsure: { size: 9.5, color: INK, font: 'regular' },
  'not-asked': { size: 9, color: INK, font: 'regular' },
  denied: { size: 8.5, color: QUIET, font: 'regular' },
}

/** Filled diamond, half disc, ring, dash: four states that differ without colour. */
const MARKS: Record<FlagState, (doc: Doc, x: number, y: number, r: number) => void> = {
  present: (doc, x, y, r) =>
    doc.polygon([x, y - r - 1], [x + r + 1, y], [x, y + r + 1], [x - r - 1, y]).fill(TONES.emergency.line),
  unsure: (doc, x, y, r) => {
    doc.circle(x, y, r).stroke()
    doc.path(`M ${x} ${y - r} A ${r} ${r} 0 0 1 ${x} ${y + r} Z`).fill(QUIET)
  },
  'not-asked': (doc, x, y, r) => doc.circle(x, y, r).dash(1.6, { space: 1.4 }).stroke().undash(),
  denied: (doc, x, y, r) =>
    doc
      .moveTo(x - r, y)
      .lineTo(x + r, y)
      .stroke(),
}

function mark(pen: Pen, state: FlagState, x: number, y: number): void {
  pen.draw((doc) => MARKS[state](doc.lineWidth(1).strokeColor(QUIET), x, y, 3.4 * pen.scale))
}
