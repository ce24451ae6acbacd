import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/engine/content.ts'
import { FONTS } from '../../src/session/handoff/pdf/fonts.ts'
import { lettersOf, NOT_SHOWN } from '../../src/session/handoff/pdf/letters.ts'
import { HANDOFF_WORDS } from '../../src/session/handoff/words.ts'
import { realContent } from '../world/content.ts'
import { endedSession, picture, THROAT } from '../world/handoff.ts'
import { isFullyMarked, type ReadPdf, readPdf } from '../world/pdf-reading.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

/** Clinic and session, the page's number, and the notice. */
const FEET = 3

const LONG = Array.from({ length: 190 }, (_, at) => `sana${at}`)
  .join(' ')
  .slice(0, 1_990)

/** Czech, Ukrainian, Greek, Northern and Skolt Sami, and signs; then what the fonts do not have. */
const SHOWN = 'Štěpán: дочка не їсть. Ο πυρετός ≥ 39 °C → φάρμακο. Čáhci, Ŋ Đ Ŧ, Ǩ − ½ „fi“'
const MANY_LETTERS = `${SHOWN} 🤒 日本`

let world: World
let clinic: Clinic
let throat: string
let infant: string
let long: string

beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic({ name: 'Esimerkkiklinikka Åsa' })
  throat = await endedSession(world, clinic, {
    language: 'fi',
    story: THROAT,
    files: [
      ['nielu.jpg', await picture(1600, 1200, 40)],
      ['kaula.jpg', await picture(900, 1600, 90)],
    ],
  })
  infant = await endedSession(world, clinic, {
    story: { for_whom: 'other', age: 0.1, complaints: ['child-fever'], matter: MANY_LETTERS },
  })
  const pictures = [...Array(10).keys()].map(
    async (at): Promise<[string, Buffer]> => [`kuva-${at}.jpg`, await picture(1600, 800 + at * 80, at * 13)],
  )
  long = await endedSession(world, clinic, {
    language: 'fi',
    story: { ...THROAT, complaints: ['sore-throat', 'chest-pain', 'abdominal-pain'], matter: LONG },
    files: await Promise.all(pictures),
  })
})
afterAll(() => world.close())

async function fetched(id: string, language = 'en'): Promise<{ bytes: Buffer; headers: Headers }> {
  const url = `${world.url}/api/v1/session/${id}/pdf?language=${language}`
  const reply = await fetch(url, { headers: { 'x-service-api-key': clinic.key } })
  expect(reply.status).toBe(200)
  return { bytes: Buffer.from(await reply.arrayBuffer()), headers: reply.headers }
}

const read = async (id: string, language?: string): Promise<ReadPdf> => readPdf((await fetched(id, language)).bytes)

/** The pages as running text, as someone who listens to them would hear it: without what is repeated at their feet. */
const heard = ({ text }: ReadPdf): string =>
  text
    .map((page) => page.split('\n').slice(0, -FEET).join('\n'))
    .join('\n')
    .replace(/(?<=[\p{L}\d][–-])\n(?=[\p{L}\d])/gu, '') // a line may end after a dash: "131–150"
    .replace(/\s+/g, ' ')

describe('the document', () => {
  test('is tagged from its first heading to its last picture, and nothing is shown outside the tags', async () => {
    const pdf = await read(throat)
    expect(pdf.plain).toMatch(/\/MarkInfo \d+ 0 R/)
    expect(pdf.plain).toMatch(/\/Marked true/)
    expect(pdf.plain).toMatch(/\/StructTreeRoot \d+ 0 R/)
    expect(pdf.structure.slice(0, 4)).toEqual(['P', 'H1', 'P', 'H2'])
    for (const type of ['BlockQuote', 'L', 'LI', 'Lbl', 'LBody', 'Figure', 'Caption', 'Document'])
      expect(pdf.structure).toContain(type)
    expect(isFullyMarked(pdf)).toBe(true)
  })

  test('has its language, its title shown, and moments of the session, so that the same session gives the same bytes', async () => {
    for (const [language, tag] of [
      ['en', 'en'],
      ['fi', 'fi'],
      ['no', 'nb'],
      ['sv', 'sv'],
    ] as const)
      expect((await read(throat, language)).plain).toContain(`/Lang (${tag})`)
    const [first, , second] = [await fetched(throat), await fetched(infant), await fetched(throat)]
    expect(first.bytes.equals(second.bytes)).toBe(true)
    const { plain } = readPdf(first.bytes)
    expect(plain).toContain('/DisplayDocTitle true')
    expect(plain).toContain('\n(Triage summary: Emergency care without delay)\n')
    const [row] = await world.sql(
      `select to_char(completed_at at time zone 'UTC', 'YYYYMMDDHH24MISS') as ended from sessions where id = $1`,
      [throat],
    )
    expect(plain).toContain(`\n(D:${String(row?.ended)}Z)\n`)
  })

  test('is handed over as a download that no page of this service runs', async () => {
    const { headers } = await fetched(throat)
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="triage-[0-9a-f]{8}\.pdf"$/)
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

describe('what it says', () => {
  test('how urgent, who, what the patient says, why, and the flags come first and in this order', async () => {
    const text = heard(await read(throat))
    const places = [
      'Esimerkkiklinikka Åsa',
      'Level 2',
      'Emergency care without delay',
      'within 10 minutes',
      'have not been reviewed by clinicians',
      '34 years, Female',
      'Kurkku on niin kipeä, etten saa nieltyä mitään. Toinen puoli on turvoksissa – "kuin kuuma peruna suussa".',
      'Why this urgency',
      'NICE NG84',
      'Present: Trismus; Muffled voice',
      'Not asked: ',
      'Denied: ',
      'Findings',
      '39.2 °C',
      'Timing and course',
      'History',
      'Medicines Not sure: Medicines',
      'Allergies Denied: Allergy',
      'Conditions to consider',
      'Peritonsillar abscess',
      'nielu.jpg',
      throat,
    ].map((part) => [part, text.indexOf(part)] as const)
    expect(places.filter(([, at]) => at < 0)).toEqual([])
    expect(places.map(([, at]) => at)).toEqual(places.map(([, at]) => at).sort((a, b) => a - b))
  })

  test('every page says that the content is not clinically reviewed, which session it is, and which page', async () => {
    const { text, pages } = await read(throat)
    expect(pages).toBe(2)
    text.forEach((page, at) => {
      for (const part of ['Not clinically reviewed', throat, `Page ${at + 1} of 2`]) expect(page).toContain(part)
    })
  })

  test('two pages are enough for three complaints, the longest matter and ten pictures, and nothing is left out', async () => {
    const pdf = await read(long, 'fi')
    expect(pdf.pages).toBe(2)
    expect(pdf.pictures).toHaveLength(10)
    const text = heard(pdf)
    expect(text).toContain(LONG)
    const summary = await fetch(`${world.url}/api/v1/session/${long}/summary?language=fi`, {
      headers: { 'x-service-api-key': clinic.key },
    }).then((reply) => reply.json())
    const { denied, notAsked } = HANDOFF_WORDS.fi
    for (const heading of [denied, notAsked]) {
      const [, listed = ''] = new RegExp(`^${heading}: (.*)$`, 'm').exec(String(summary.data)) ?? []
      expect(listed.length).toBeGreaterThan(100)
      expect(text).toContain(lettersOf(listed).text)
    }
  })

  test('a short session takes one page', async () => {
    const short = await endedSession(world, clinic, { story: { issue_type: 'prescription' } })
    expect((await read(short)).pages).toBe(1)
  })
})

describe('pictures', () => {
  test('are small, written anew, and named for those who do not see them', async () => {
    const { bytes } = await fetched(throat)
    const pdf = readPdf(bytes)
    expect(pdf.pictures.map(({ width, height }) => Math.max(width, height))).toEqual([420, 420])
    expect(pdf.plain).toContain('/Alt (nielu.jpg)')
    expect(bytes.length).toBeLessThan(150_000)
  })

  test('one that cannot be read any more is told by its name, and the page goes out', async () => {
    const id = await endedSession(world, clinic, { story: {}, files: [['tumma.jpg', await picture(60, 60, 1)]] })
    await world.sql('update uploads set sealed_bytes = null where session_id = $1', [id])
    const pdf = await read(id)
    expect(pdf.pictures).toEqual([])
    expect(heard(pdf)).toContain('tumma.jpg')
  })
})

describe('letters', () => {
  test('every word of the content and of the hand-off can be shown in all four languages', async () => {
    const { content } = await realContent()
    for (const language of LANGUAGES) {
      const words = [...Object.values(content.release.words[language]), ...Object.values(HANDOFF_WORDS[language])]
      expect(words.filter((word) => lettersOf(word).isLost)).toEqual([])
    }
  })

  test('letters of Europe and typographic signs stay as they are, each also in bold', () => {
    for (const text of ['ÅÄÖØÆåäöøæ Šš Žž éü', 'ČčĐđŊŋŠšŦŧŽž ǤǥǦǧƷʒǮǯ', 'Ґґ Єє Її Ёё', 'Ωμέγα ϊ ΰ', 'a\nb'])
      expect(lettersOf(text)).toEqual({ text, isChanged: false, isLost: false })
    for (const text of ['“ ” „ ‘ ’ – — … • « »', '≥ ≤ ≠ ≈ → ← − × ½ ² € ✓ ☐'])
      expect(lettersOf(text)).toEqual({ text, isChanged: false, isLost: false })
    expect(FONTS.bold.characterSet).toEqual(FONTS.regular.characterSet)
  })

  test('others are written by the same letter, by a letter and its marks or in their plain form, or marked as not shown', () => {
    expect(lettersOf('e\u0301 \u00a0x')).toEqual({ text: 'é  x', isChanged: false, isLost: false })
    expect(lettersOf('5 \u00b5g co\u2011op')).toEqual({ text: '5 μg co-op', isChanged: true, isLost: false })
    expect(lettersOf('Ǩ ﬁ ２')).toEqual({ text: 'K\u030c fi 2', isChanged: true, isLost: false })
    expect(lettersOf('ab 👩‍⚕️ עב')).toEqual({
      text: `ab ${NOT_SHOWN} ${NOT_SHOWN}${NOT_SHOWN}`,
      isChanged: true,
      isLost: true,
    })
    expect(lettersOf(`a${'\u0301'.repeat(500)}`)).toEqual({ text: NOT_SHOWN, isChanged: true, isLost: true })
  })

  test('a document carries its letters, no more of them than it uses', async () => {
    const { bytes } = await fetched(throat)
    const { fonts } = readPdf(bytes)
    expect(fonts.toSorted()).toEqual([
      expect.stringMatching(/^[A-Z]{6}\+SourceSans3-Bold$/),
      expect.stringMatching(/^[A-Z]{6}\+SourceSans3-Regular$/),
    ])
    const short = await endedSession(world, clinic, { story: { issue_type: 'prescription' } })
    expect((await fetched(short)).bytes.length).toBeLessThan(40_000)
  })

  test('B11 words in any letters of Europe are shown and copied as they were written', async () => {
    const aMarkIsItsOwnPiece = / (?=\p{M})/gu
    expect(
      heard(await read(infant))
        .replace(aMarkIsItsOwnPiece, '')
        .normalize('NFC'),
    ).toContain(SHOWN)
  })

  test('what cannot be shown is said to be so, and goes along for copying and reading aloud', async () => {
    const pdf = await read(infant)
    const text = heard(pdf)
    expect(text).toContain(`„fi“ ${NOT_SHOWN} ${NOT_SHOWN}${NOT_SHOWN}`)
    expect(text).toContain('Characters this document has no letters for')
    const hidden = Buffer.from('🤒 日本', 'utf16le').swap16().toString('latin1')
    expect(pdf.contents.some((content) => content.includes(hidden))).toBe(true)
    expect(heard(await read(throat))).not.toContain('Characters this document')
  })
})
