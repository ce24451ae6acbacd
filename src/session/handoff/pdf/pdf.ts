import type { Language } from '../../../engine/content.ts'
import { tagOf } from '../../../engine/languages.ts'
import type { Core } from '../../../events/core.ts'
import type { Objects } from '../../../store/objects.ts'
import type { Handoff } from '../handoff.ts'
import { type Sheet, sheetOf } from '../sheet.ts'
import {
  evidenceRuns,
  flagRows,
  masthead,
  noticeBlock,
  ownWords,
  pairs,
  paragraph,
  reasonBlock,
  remark,
  section,
  urgencyBlock,
} from './blocks.ts'
import { fontsForOne } from './fonts.ts'
import {
  type About,
  INK,
  LIGHT,
  LINE,
  PAGE,
  Pen,
  QUIET,
  type Run,
  type Style,
  TEXT_LEFT,
  TEXT_WIDTH,
  TONES,
} from './pen.ts'
import { type SmallPicture, smallPictures } from './pictures.ts'

/** From comfortable to small. Slightly smaller is worth it for one page, much smaller only for two. */
const SMALLER_SCALES = [0.94, 0.88, 0.82, 0.76]
const SMALLEST_FOR_ONE_PAGE = 0.88
const MOST_PAGES = 2

/** The session as a PDF of one or two pages: the same session and language always give the same bytes. */
export async function pdfOf(core: Core, objects: Objects | null, handoff: Handoff): Promise<Buffer> {
  const sheet = sheetOf(handoff)
  const pictures = await smallPictures(core, objects, handoff)
  const about: About = {
    title: `${sheet.word('title')}: ${sheet.urgency.title}`,
    author: sheet.clinic,
    subject: handoff.session.row.id,
    language: tagOf(handoff.language),
    at: handoff.asOf,
  }
  const fonts = fontsForOne()
  const pen = fitted((scale) => written(new Pen(about, fonts, scale), sheet, pictures))
  furnish(pen, sheet, handoff.session.row.id)
  return pen.bytes()
}

function fitted(write: (scale: number) => Pen): Pen {
  let best = write(1)
  for (const scale of SMALLER_SCALES) {
    const isTooLong = best.pages > MOST_PAGES
    if (best.pages === 1 || (!isTooLong && scale < SMALLEST_FOR_ONE_PAGE)) break
    if (!best.mightFit(isTooLong ? MOST_PAGES : 1, scale)) continue
    const pen = write(scale)
    if (pen.pages < best.pages) best = pen
  }
  return best
}

function written(pen: Pen, sheet: Sheet, pictures: readonly SmallPicture[]): Pen {
  const { word } = sheet
  masthead(pen, sheet)
  urgencyBlock(pen, sheet)
  if (sheet.reviewNotice) noticeBlock(pen, sheet.reviewNotice)
  section(pen, word('patient'), () => {
    const [age, sex, ...rest] = sheet.patient.map(
      ({ label, value }, at) => (at < 2 && value) || `${label}: ${value ?? word('unknown')}`,
    )
    paragraph(pen, [{ text: `${age}, ${sex}`, font: 'bold' }], { size: 12 })
    remark(pen, rest.join(', '))
    if (sheet.contact.length > 0) paragraph(pen, factRuns(sheet.contact))
  })
  section(pen, word('matter'), () => {
    if (sheet.matter?.trim()) ownWords(pen, sheet.matter)
    else remark(pen, word('noWords'))
    pen.space(3)
    if (sheet.complaints.length > 0)
      paragraph(pen, [
        { text: `${word('complaint')}: `, color: QUIET },
        { text: sheet.complaints.join('; '), font: 'bold' },
      ])
  })
  section(pen, word('why'), () => {
    for (const reason of sheet.reasons) reasonBlock(pen, reason, sheet)
    if (sheet.reasons.length === 0) remark(pen, word('noReason'))
    if (sheet.alsoTrue.length > 0)
      remark(pen, `${word('alsoTrue')}: ${sheet.alsoTrue.map(({ label }) => label).join('; ')}`)
  })
  section(pen, word('redFlags'), () => {
    const [opening, closing] = QUOTES[sheet.language]
    for (const words of sheet.unconfirmed)
      paragraph(pen, [{ text: `${word('unconfirmed')}: `, font: 'bold' }, { text: `${opening}${words}${closing}` }])
    if (sheet.redFlags.some(({ labels }) => labels.length > 0)) flagRows(pen, sheet)
    else remark(pen, word('noRedFlags'))
  })
  for (const part of sheet.history) section(pen, part.heading, () => historySection(pen, part, sheet))
  if (sheet.considerations.length > 0) section(pen, word('considerations'), () => considerations(pen, sheet))
  if (pictures.length > 0) section(pen, word('files'), () => pictureRows(pen, pictures))
  section(pen, word('session'), () => {
    const [id, ...facts] = sheet.facts.toReversed() // the id has a line of its own, so that it is never broken
    paragraph(pen, factRuns(facts.reverse()), { size: 8.5 })
    if (id) paragraph(pen, factRuns([id]), { size: 8.5 })
    remark(pen, word('proposal'))
    if (pen.isLossy) remark(pen, word('unreadable'))
  })
  return pen
}

const factRuns = (facts: Sheet['facts']): Run[] =>
  facts.flatMap(({ label, value }, at) => [
    { text: `${label}: `, color: QUIET },
    { text: `${value}${at < facts.length - 1 ? '  ·  ' : ''}` },
  ])

const QUOTES: Record<Language, readonly [string, string]> = {
  en: ['“', '”'],
  fi: ['”', '”'],
  no: ['«', '»'],
  sv: ['”', '”'],
}

function historySection(pen: Pen, part: Sheet['history'][number], { word, language }: Sheet): void {
  const { present, denied, unknown } = part
  const [opening, closing] = QUOTES[language]
  const quoted = (value: string) => `${opening}${value}${closing}`
  pairs(
    pen,
    present.map(({ label, values, words, redFlag }) => ({
      label,
      value: [
        {
          text: words ? values.map(quoted).join(' ') : values.join('; ') || word('present'),
          font: redFlag ? ('bold' as const) : ('regular' as const),
          color: redFlag ? TONES.emergency.ink : INK,
        },
      ],
    })),
  )
  const list = (heading: string, labels: readonly string[]): void => {
    if (labels.length > 0) remark(pen, [{ text: `${heading}: `, font: 'bold' }, { text: labels.join('; ') }])
  }
  list(word('denied'), denied)
  list(word('unsure'), unknown)
}

function considerations(pen: Pen, sheet: Sheet): void {
  for (const one of sheet.considerations) {
    pen.ensure(24 * pen.scale)
    paragraph(pen, one.label, { size: 9.5, font: 'bold' })
    const side = (heading: 'for' | 'against', all: typeof one.for): Run[] =>
      all.length > 0
        ? [{ text: `${sheet.word(heading)}: `, font: 'bold', color: QUIET }, ...evidenceRuns(all, sheet)]
        : []
    const [pro, con] = [side('for', one.for), side('against', one.against)]
    if (pro.length > 0) paragraph(pen, pro, { size: 8.5 })
    if (con.length > 0) paragraph(pen, con, { size: 8.5 })
    pen.space(2.5)
  }
  remark(pen, sheet.word('considerationsNote'))
}

/** Thumbnails in rows, each with its name; other files by name alone. */
function pictureRows(pen: Pen, pictures: readonly SmallPicture[]): void {
  const [tallest, gap] = [(pictures.length > 4 ? 62 : 84) * pen.scale, 8]
  const caption = { size: 7.5, color: QUIET }
  let x = TEXT_LEFT
  let top = pen.y
  let bottom = top
  for (const { name, bytes, width, height } of pictures) {
    if (!bytes) continue
    const shown = Math.min(tallest / height, 150 / width, 1)
    const box = { width: width * shown, height: height * shown }
    const step = Math.max(box.width, 64 * pen.scale)
    if (x > TEXT_LEFT && x + step > TEXT_LEFT + TEXT_WIDTH) {
      x = TEXT_LEFT
      top = bottom + 4
    }
    const tall = box.height + pen.height(name, { ...caption, width: step }) + 3
    pen.y = top
    if (x === TEXT_LEFT) pen.ensure(tallest + 14)
    if (pen.y < top) bottom = pen.y // a new page has begun
    top = pen.y
    pen.figure(bytes, name, { x, y: top, ...box })
    pen.draw((doc) => doc.rect(x, top, box.width, box.height).lineWidth(0.5).strokeColor(LINE).stroke())
    pen.y = top + box.height + 3
    pen.write('Caption', name, { ...caption, x, width: step })
    bottom = Math.max(bottom, top + tall, pen.y)
    x += step + gap
  }
  pen.y = bottom
  const others = pictures.filter(({ bytes }) => !bytes)
  if (others.length > 0) paragraph(pen, others.map(({ name }) => name).join('; '))
}

/** On every page: the beam of light at the top, and at the foot the document, the session and the page. */
function furnish(pen: Pen, { word, clinic, reviewNotice }: Sheet, sessionId: string): void {
  const [left, right, foot] = [PAGE.left, PAGE.width - PAGE.right, PAGE.height - PAGE.bottom + 14]
  pen.onEveryPage((doc, page, pages) => {
    const beam = doc.linearGradient(0, 0, PAGE.width, 0).stop(0, LIGHT).stop(1, '#fdf3dc')
    doc.rect(0, 0, PAGE.width, 5).fill(beam)
    doc.moveTo(left, foot).lineTo(right, foot).lineWidth(0.6).strokeColor(LINE).stroke()
    const quiet: Style = { size: 7.5 / pen.scale, color: QUIET } // the same size on every document
    const number = `${word('page')} ${page} ${word('of')} ${pages}`
    pen.label(`${clinic}  ·  ${sessionId}`, left, foot + 6, quiet)
    pen.label(number, right - pen.width(number, quiet), foot + 6, quiet)
    if (!reviewNotice) return
    const warning: Style = { ...quiet, font: 'bold', color: TONES.warning.ink }
    const notice = word('notReviewed')
    pen.label(notice, (PAGE.width + 120 - pen.width(notice, warning)) / 2, foot + 6, warning)
  })
}
