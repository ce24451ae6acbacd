import type { Language, Level } from '../../../engine/content.ts'
import { tagOf } from '../../../engine/languages.ts'
import { type Speech, speechFor } from '../../interview/speech.ts'
import type { User } from '../../interview/user.ts'
import { outcomeView } from '../../interview/view.ts'
import { momentWords } from '../sheet.ts'
import { noticeBlock, paragraph, remark, section, tonedBlock, toneOf } from './blocks.ts'
import { fontsForOne } from './fonts.ts'
import { ACCENT, LIGHT, LINE, PAGE, Pen, QUIET, type Style, TEXT_LEFT, TEXT_WIDTH } from './pen.ts'

type Heading =
  | 'say'
  | 'first'
  | 'because'
  | 'next'
  | 'advice'
  | 'until'
  | 'sooner'
  | 'reference'
  | 'call'
  | 'page'
  | 'of'

const WORDS: Record<Language, Record<Heading, string>> = {
  en: {
    call: 'Call',
    say: 'What to say',
    first: 'Do this first',
    because: 'Because you told us',
    next: 'What happens next',
    advice: 'What you can do now',
    until: 'Until help is there',
    sooner: 'When to seek help sooner',
    reference: 'Reference',
    page: 'Page',
    of: 'of',
  },
  fi: {
    call: 'Soita',
    say: 'Mitä puhelimessa kannattaa kertoa',
    first: 'Tee ensin tämä',
    because: 'Koska kerroit',
    next: 'Mitä seuraavaksi tapahtuu',
    advice: 'Mitä voit tehdä nyt',
    until: 'Kunnes apu on paikalla',
    sooner: 'Milloin apua pitää hakea aiemmin',
    reference: 'Viite',
    page: 'Sivu',
    of: '/',
  },
  no: {
    call: 'Ring',
    say: 'Hva du skal si',
    first: 'Gjør dette først',
    because: 'Fordi du fortalte',
    next: 'Hva som skjer nå',
    advice: 'Hva du kan gjøre nå',
    until: 'Til hjelpen er på plass',
    sooner: 'Når du bør søke hjelp tidligere',
    reference: 'Referanse',
    page: 'Side',
    of: 'av',
  },
  sv: {
    call: 'Ring',
    say: 'Vad du ska säga',
    first: 'Gör det här först',
    because: 'För att du berättade',
    next: 'Vad som händer nu',
    advice: 'Vad du kan göra nu',
    until: 'Tills hjälpen är framme',
    sooner: 'När du ska söka hjälp tidigare',
    reference: 'Referens',
    page: 'Sida',
    of: 'av',
  },
}

const BODY: Style = { size: 10.5, gap: 1.5 }

/** The result for its patient to keep: what the result page shows, and nothing else. The same result always gives the same bytes. */
export async function resultPdfOf({ session, interview }: User): Promise<Buffer> {
  const speech = speechFor(session, interview)
  const { language } = speech
  const outcome = outcomeView(session, interview, speech)
  const words = WORDS[language]
  const { name } = session.configuration
  const at = session.row.completed_at ?? session.row.created_at
  const reference = referenceOf(session.row.id)
  const about = { title: outcome.title, author: name, subject: reference, language: tagOf(language), at }
  const pen = new Pen(about, fontsForOne(), 1)
  pen.write('P', name, {
    size: 10,
    font: 'bold',
    color: ACCENT,
    x: PAGE.left,
    width: PAGE.width - PAGE.left - PAGE.right,
  })
  pen.space(8)
  tonedBlock(pen, toneOf(outcome.level), [
    ['H1', outcome.title, { size: 20, font: 'bold', gap: 0 }],
    ['P', outcome.text, { size: 11 }],
    [
      'P',
      numbersFor(outcome.level, speech)
        .map((number) => `${words.call} ${number}`)
        .join('  ·  '),
      { size: 13, font: 'bold' },
    ],
  ])
  const list = (heading: string, items: readonly string[]) => {
    if (items.length > 0) section(pen, heading, () => points(pen, items))
  }
  const { say } = outcome
  if (say) section(pen, words.say, () => paragraph(pen, say, BODY))
  list(words.first, outcome.firstActions)
  section(pen, words.because, () => {
    points(pen, outcome.because)
    for (const reason of outcome.reasons) paragraph(pen, reason, BODY)
  })
  list(words.next, outcome.next)
  list(words.advice, outcome.advice)
  list(outcome.flag === 'red' ? words.until : words.sooner, outcome.safetyNet)
  section(pen, words.reference, () => {
    paragraph(pen, reference, { size: 13, font: 'bold' })
    remark(pen, momentWords(at, language, session.timeZone))
  })
  if (outcome.reviewNotice) noticeBlock(pen, outcome.reviewNotice)
  furnish(pen, `${name}  ·  ${reference}`, words)
  return pen.bytes()
}

/** The session as people say it on the phone: the first eight signs of its id. */
const referenceOf = (id: string): string => `${id.slice(0, 4)} ${id.slice(4, 8)}`.toUpperCase()

/** Whom to call, the first one first. */
function numbersFor(level: Level | null, { emergencyNumber, clinicPhone, adviceNumber }: Speech): string[] {
  const soon = clinicPhone ?? adviceNumber
  if (level === 'Level1' || level === 'Level2') return [emergencyNumber]
  return [...(soon ? [soon] : []), ...(level === 'Level3' ? [emergencyNumber] : [])]
}

/** One item a line, each with a small mark at its side. */
function points(pen: Pen, items: readonly string[]): void {
  pen.group('L', (list) => {
    for (const item of items) {
      const style: Style = { ...BODY, x: TEXT_LEFT + 12, width: TEXT_WIDTH - 12 }
      pen.ensure(Math.min(pen.height(item, style), 60))
      const y = pen.y + 6
      pen.draw((doc) => doc.circle(TEXT_LEFT + 3, y, 1.6).fill(QUIET))
      pen.write('LI', item, style, list)
      pen.space(3)
    }
  })
}

function furnish(pen: Pen, foot: string, words: Record<Heading, string>): void {
  const [left, right, bottom] = [PAGE.left, PAGE.width - PAGE.right, PAGE.height - PAGE.bottom + 14]
  pen.onEveryPage((doc, page, pages) => {
    doc.rect(0, 0, PAGE.width, 5).fill(doc.linearGradient(0, 0, PAGE.width, 0).stop(0, LIGHT).stop(1, '#fdf3dc'))
    doc.moveTo(left, bottom).lineTo(right, bottom).lineWidth(0.6).strokeColor(LINE).stroke()
    const quiet: Style = { size: 7.5, color: QUIET }
    const number = `${words.page} ${page} ${words.of} ${pages}`
    pen.label(foot, left, bottom + 6, quiet)
    pen.label(number, right - pen.width(number, quiet), bottom + 6, quiet)
  })
}
