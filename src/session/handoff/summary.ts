import { type Evidence, whole } from '../picture/clinical-words.ts'
import type { SectionView } from '../picture/history.ts'
import type { Handoff } from './handoff.ts'
import { type Sheet, sheetOf } from './sheet.ts'
import { HANDOFF_WORDS } from './words.ts'

type Section = { heading: string; lines: string[] }

/** The session as plain text: headings and `Label: value` lines. Same answers and language, same text. */
export function summaryOf(handoff: Handoff): string {
  const sheet = sheetOf(handoff)
  const sections: Section[] = [
    { heading: sheet.word('patient'), lines: patientLines(sheet) },
    { heading: sheet.word('urgency'), lines: urgencyLines(sheet) },
    { heading: sheet.word('redFlags'), lines: flagLines(sheet) },
    ...sheet.history.map((section) => ({ heading: section.heading, lines: historyLines(sheet, section) })),
    { heading: sheet.word('considerations'), lines: considerationLines(sheet) },
    { heading: sheet.word('files'), lines: handoff.files.map(({ name, mimeType }) => `${name}: ${mimeType}`) },
    { heading: sheet.word('session'), lines: sheet.facts.map(({ label, value }) => `${label}: ${value}`) },
  ]
  const body = [{ heading: sheet.word('matter'), lines: matterLines(sheet) }, ...sections]
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, lines }) => [heading.toUpperCase(), ...lines.map(asOneLine)].join('\n'))
  const head = [`${sheet.word('title')}: ${sheet.clinic}`, ...(sheet.reviewNotice ? [sheet.word('notReviewed')] : [])]
  return `${[head.join('\n'), ...body].join('\n\n')}\n`
}

/** What people wrote stays on its line, whatever breaks lines or turns the direction of writing in it. */
const asOneLine = (line: string): string =>
  line.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trimEnd()

/** The headings and labels of a summary in any language, with what opens a line besides. */
const OURS = new Set(
  Object.values(HANDOFF_WORDS)
    .flatMap((words) => Object.values(words))
    .map((word) => word.toLowerCase()),
)

/** The patient's own words, untouched but for line ends; a line that looks like a heading or a label of ours is set in, so that nobody takes it for one. */
function matterLines({ matter, complaints, word }: Sheet): string[] {
  const isLikeOurs = (line: string) => {
    const [opening = ''] = line.replace(/\p{C}/gu, '').split(':')
    return OURS.has(opening.trim().toLowerCase())
  }
  const lines = (matter ?? word('noWords')).split(/\r\n?|[\n\p{Zl}\p{Zp}]/u)
  const own = matter === null ? lines : lines.map((line) => (isLikeOurs(line) ? `  ${line}` : line))
  return complaints.length > 0 ? [...own, `${word('complaint')}: ${complaints.join('; ')}`] : own
}

const patientLines = ({ patient, word }: Sheet): string[] =>
  patient.map(({ label, value }) => `${label}: ${value ?? word('unknown')}`)

function urgencyLines({ urgency, remark, card, reasons, alsoTrue, word }: Sheet): string[] {
  const level =
    urgency.level === null
      ? urgency.title
      : `${word('level')} ${urgency.level.slice(-1)}, ${urgency.title} (${urgency.time ?? ''})`
  const flag = urgency.flag && word(urgency.flag === 'red' ? 'redFlag' : 'warningFlag')
  const told = (reason: Sheet['reasons'][number]) => {
    const because = reason.answers.map(evidenceWords).join('; ')
    return `${reason.label}${because ? ` (${because})` : ''}${reason.unsure ? `; ${word('unsureRule')}` : ''}`
  }
  return [
    `${word('urgency')}: ${level}`,
    ...(flag ? [`${word('flag')}: ${flag}`] : []),
    ...(remark ? [`${word('interview')}: ${remark}`] : []),
    ...(card ? [`${word('card')}: ${card}`] : []),
    ...reasons.map((reason) => `${word('why')}: ${told(reason)}`),
    ...alsoTrue.map((reason) => `${word('alsoTrue')}: ${told(reason)}`),
  ]
}

const evidenceWords = (one: Evidence): string =>
  one.value === null && one.state === 'denied' ? `– ${whole(one)}` : whole(one)

function flagLines({ redFlags, unconfirmed, word }: Sheet): string[] {
  const flags = redFlags
    .filter(({ labels }) => labels.length > 0)
    .map(({ heading, labels }) => `${heading}: ${labels.join('; ')}`)
  return [...unconfirmed.map((words) => `${word('unconfirmed')}: ${words}`), ...flags]
}

/** What is there, then what was denied, then what is not known. */
function historyLines({ word }: Sheet, { present, denied, unknown }: SectionView): string[] {
  return [
    ...present.map(({ label, values }) => (values.length > 0 ? `${label}: ${values.join('; ')}` : label)),
    ...(denied.length > 0 ? [`${word('denied')}: ${denied.join('; ')}`] : []),
    ...(unknown.length > 0 ? [`${word('unsure')}: ${unknown.join('; ')}`] : []),
  ]
}

function considerationLines({ considerations, word }: Sheet): string[] {
  if (considerations.length === 0) return []
  const list = (name: 'for' | 'against', facts: readonly Evidence[]) =>
    facts.length > 0 ? [`${word(name)}: ${facts.map(evidenceWords).join('; ')}`] : []
  return [
    word('considerationsNote'),
    ...considerations.map((one) => [one.label, ...list('for', one.for), ...list('against', one.against)].join('. ')),
  ]
}
