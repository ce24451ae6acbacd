import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { load } from 'js-yaml'
import { beforeAll, describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { type CompiledRelease, LANGUAGES, type Language } from '../content.ts'
import type { Content } from '../load.ts'
import { hear } from './hear.ts'
import { propose, search } from './propose.ts'
import { LANGUAGE_RULES } from './rules.ts'

interface Phrase {
  readonly say: string
  readonly is: string | readonly string[]
  readonly danger?: 'either'
}

let content: Content
const phrases = new Map<Language, readonly Phrase[]>()
beforeAll(async () => {
  content = (await realContent()).content
  for (const language of LANGUAGES) {
    phrases.set(
      language,
      (load(await readFile(`content/phrases/${language}.yaml`, 'utf8')) as { phrases: Phrase[] }).phrases,
    )
  }
}, 60_000)

const everything = () => true
const first = (text: string, language: Language) => propose(content, text, language).complaints[0]?.id
const isDangerous = (text: string, language: Language) => propose(content, text, language).danger

describe.each(LANGUAGES)('the phrases in %s', (language) => {
  const all = () => phrases.get(language) ?? []
  const heard = ({ say }: Phrase) => propose(content, say, language, everything)

  test('there are at least eighty, and they name complaints that exist', () => {
    const known = new Set([...content.complaints.keys(), 'danger', 'harmless'])
    expect(all().length).toBeGreaterThanOrEqual(80)
    expect(
      all()
        .flatMap(({ is }) => is)
        .filter((id) => !known.has(id)),
    ).toEqual([])
  })

  test('at least 95 of 100 are understood at the first proposal', () => {
    const rest = all().filter(({ is }) => is !== 'danger' && is !== 'harmless')
    const wrong = rest.filter(
      (phrase) =>
        !isUnderstood(
          phrase,
          heard(phrase).complaints.map(({ id }) => id),
        ),
    )
    expect(wrong.length, wrong.map(({ say }) => say).join(' | ')).toBeLessThanOrEqual(rest.length * 0.05)
  })
})

function isUnderstood({ is }: Phrase, proposed: readonly string[]): boolean {
  const wanted = [is].flat()
  return wanted.includes(proposed[0] ?? '') && wanted.every((id) => proposed.includes(id))
}

describe('what is denied', () => {
  test.each([
    ['en', 'my throat hurts, no chest pain', 'chest-pain'],
    ['fi', 'kurkku on kipeä, rintakipua ei ole', 'chest-pain'],
    ['no', 'vondt i halsen, ikke vondt i brystet', 'chest-pain'],
    ['sv', 'ont i halsen, inte ont i bröstet', 'chest-pain'],
  ] as const)('is not proposed (%s)', (language, text, denied) => {
    const { danger, complaints } = propose(content, text, language)
    expect(complaints.map(({ id }) => id)).toContain('sore-throat')
    expect(complaints.map(({ id }) => id)).not.toContain(denied)
    expect(danger).toBe(false)
  })

  test.each([
    ['en', 'no chest pain but I cannot breathe'],
    ['fi', 'ei kuumetta, en saa henkeä'],
    ['no', 'ingen feber, får ikke puste'],
    ['sv', 'ingen feber, får inte luft'],
  ] as const)('does not hide the danger beside it (%s)', (language, text) => {
    expect(isDangerous(text, language)).toBe(true)
  })

  test('ends where someone new begins, at a contrast and after a list', () => {
    expect(isDangerous('she is not bleeding she had a stroke', 'en')).toBe(true)
    expect(first('no fever, cough or rash. My stomach hurts', 'en')).toBe('abdominal-pain')
    expect(isDangerous('no seizure, stroke or heart attack', 'en')).toBe(false)
  })
})

describe('words as people write them', () => {
  test.each([
    ['sv', 'bröstsmärta', 'smärta i bröstet', 'chest-pain'],
    ['no', 'brystsmerter', 'vondt i brystet', 'chest-pain'],
    ['fi', 'vatsakipuja', 'kipua vatsassani', 'abdominal-pain'],
    ['en', 'stomachache', 'my stomach aches', 'abdominal-pain'],
  ] as const)('a compound is the same as its parts (%s)', (language, compound, apart, complaint) => {
    expect(first(compound, language)).toBe(complaint)
    expect(first(apart, language)).toBe(complaint)
  })

  test.each(['kurkku', 'kurkun', 'kurkkua', 'kurkussa', 'kurkkuuni', 'kurkkunsa', 'kurkkusi'])(
    'every form of a Finnish word counts: %s',
    (form) => {
      expect(first(`${form} kipeä`, 'fi')).toBe('sore-throat')
    },
  )

  test('letters without their dots and rings are understood', () => {
    expect(first('brostsmarta', 'sv')).toBe('chest-pain')
    expect(first('sar hals', 'no')).toBe('sore-throat')
  })

  test('the words that led to a proposal are given back as written', () => {
    expect(propose(content, 'My THROAT really hurts', 'en').complaints[0]?.matched).toEqual(['THROAT', 'hurts'])
  })

  test('another language than that of the page is understood, danger included', () => {
    expect(first('minulla on kurkku kipeä', 'sv')).toBe('sore-throat')
    expect(isDangerous('jag får ingen luft', 'fi')).toBe(true)
    expect(isDangerous('en saa henkeä', 'en')).toBe(true)
    expect(isDangerous('I am not suicidal, my throat hurts', 'fi')).toBe(false)
  })
})

test.each(LANGUAGES)('a word that stands for another in phrases of danger is not led with alone (%s)', (language) => {
  const alone = LANGUAGE_RULES[language].alikeInDanger.flat()
  const led = alone.filter((word) =>
    hear(content.release, word, language, everything).dangers.some(({ sureness }) => sureness === 'lead'),
  )
  expect(led).toEqual([])
})

test.each([
  ['en', 'an hour'],
  ['en', 'stable'],
  ['fi', 'magneettikuvaus'],
  ['fi', 'verikokeen tulos'],
  ['no', 'jeg har spurt om det'],
  ['no', 'livlig'],
  ['no', 'ujevn puls'],
  ['sv', 'en fråga'],
  ['sv', 'en kräm'],
  ['sv', 'förlängning'],
] as const)('an everyday word that resembles a word of danger raises no alarm (%s: %s)', (language, text) => {
  expect(isDangerous(text, language)).toBe(false)
})

describe('what is proposed', () => {
  test('text that matches nothing leads to the general complaint', () => {
    for (const language of LANGUAGES) expect(first('zzz qqq xxx', language)).toBe('general')
    expect(first('', 'en')).toBe('general')
    expect(propose(content, '', 'en').complaints[0]?.score).toBe(0)
  })

  test('at most five complaints, none twice, none that does not hold for the patient', () => {
    const text = 'sore throat, chest pain, stomach ache, fever of my baby, prescription, sick note, appointment, bill'
    const ids = propose(content, text, 'en', everything).complaints.map(({ id }) => id)
    expect(ids).toHaveLength(5)
    expect(new Set(ids).size).toBe(5)
    const adult = propose(content, text, 'en', (id) => id !== 'child-fever').complaints.map(({ id }) => id)
    expect(adult).not.toContain('child-fever')
  })

  test('what is heard faintly is heard: its score is above 0', () => {
    for (const text of ['sore throt sinse monday', 'my toe hurts'])
      expect(propose(content, text, 'en').complaints[0]?.score).toBeGreaterThan(0)
  })

  test('only medical complaints, unless the caller says otherwise', () => {
    expect(first('renew my prescription', 'en')).toBe('general')
    expect(propose(content, 'renew my prescription', 'en', everything).complaints[0]?.id).toBe('prescription')
  })

  test('a new complaint is found by its terms alone', () => {
    const release = withComplaint(content.release, 'knee', {
      en: ['knee pain'],
      fi: ['polvikipu', 'polvi kipeä'],
      no: ['vondt i kneet'],
      sv: ['knäsmärta', 'ont i knät'],
    })
    const asks: [Language, string][] = [
      ['en', 'my knees hurt'],
      ['fi', 'polveni on kipeä'],
      ['no', 'knesmerter, vondt i kneet'],
      ['sv', 'smärta i knät'],
    ]
    for (const [language, text] of asks) {
      expect(propose({ release }, text, language, notOfTheLimbs).complaints[0]?.id).toBe('knee')
    }
  })

  test('a compound that no term lists is found by its parts', () => {
    const release = withComplaint(content.release, 'elbow', {
      en: ['elbow pain'],
      fi: ['kyynärpää kipeä'],
      no: ['vondt i albuen'],
      sv: ['ont i armbågen'],
    })
    const asks: [Language, string][] = [
      ['fi', 'kyynärpääkipua'],
      ['no', 'albuesmerter'],
      ['sv', 'armbågssmärta'],
    ]
    const found = (text: string, language: Language) =>
      propose({ release }, text, language, notOfTheLimbs).complaints[0]
    for (const [language, text] of asks) expect(found(text, language)).toMatchObject({ id: 'elbow', matched: [text] })
    expect(found('armbågssmärta', 'sv')?.score).toBeGreaterThan(found('armbågskudde', 'sv')?.score ?? 0)
  })

  test('very long text is read, and danger in it is heard', () => {
    const long = `${'I went to the shop and then home again. '.repeat(40)}Now I cannot breathe.`
    expect(isDangerous(long, 'en')).toBe(true)
    expect(first(`${'a'.repeat(100_000)} sore throat`, 'en')).toBe('general')
  })

  test('any text gets an answer, the same one every time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.constantFrom(...LANGUAGES), (text, language) => {
        const answer = propose(content, text, language)
        expect(answer.complaints.length).toBeGreaterThan(0)
        expect(propose(content, text, language)).toEqual(answer)
      }),
      { numRuns: 200 },
    )
  }, 60_000)
})

describe('the search box', () => {
  test('finds names and everyday words by their beginning', () => {
    expect(search(content, 'sor', 'en')[0]).toBe('sore-throat')
    expect(search(content, 'tonsil', 'en')).toEqual(['sore-throat', 'after-care'])
    expect(search(content, 'RINTA', 'fi')).toContain('chest-pain')
    expect(search(content, 'brost', 'sv')).toContain('chest-pain')
  })

  test.each(LANGUAGES)('finds the complaints of the words that the box itself names (%s)', (language) => {
    const named = { en: ['cough', 'fever'], fi: ['yskä', 'kuume'], no: ['hoste', 'feber'], sv: ['hosta', 'feber'] }
    const [cough, fever] = named[language]
    expect(search(content, cough ?? '', language)).toContain('cough-cold')
    expect(search(content, fever ?? '', language)).toEqual(expect.arrayContaining(['fever-adult', 'child-fever']))
  })

  test('takes misspelt words when nothing begins like them', () => {
    expect(search(content, 'tonsillitus', 'en')).toEqual(['sore-throat'])
    expect(search(content, 'xyzzy', 'en')).toEqual([])
  })

  test('shows every medical complaint while nothing is typed, and only those the caller accepts', () => {
    const medical = content.release.complaints.filter(({ kind }) => kind === 'complaint' || kind === 'general')
    expect(search(content, '', 'no').sort()).toEqual(medical.map(({ id }) => id).sort())
    expect(search(content, ' ', 'no', (id) => id === 'chest-pain')).toEqual(['chest-pain'])
  })
})

test.each<[Language, string]>([
  ['sv', 'ont i tån'],
  ['sv', 'tån'],
  ['en', 'big toe'],
  ['no', 'stortåa gjør vondt'],
  ['fi', 'varpaassa kipua'],
])('what no term is, or what begins another word, is found as own words are: %s %s', (language, typed) => {
  expect(search(content, typed, language)[0]).toBe('joint-limb-pain')
  expect(search(content, 'qwerty', language)).toEqual([])
})

/** What a clinic offers that has no complaint for joints and limbs in general. */
const notOfTheLimbs = (id: string) => id !== 'joint-limb-pain' && id !== 'limb-injury'

/** The release with one more complaint that has nothing but search terms. */
function withComplaint(release: CompiledRelease, id: string, terms: Record<Language, string[]>): CompiledRelease {
  const pattern = release.complaints.find(({ kind }) => kind === 'complaint')
  if (!pattern) throw new Error('The content has no complaint.')
  const search = { ...release.search }
  for (const language of LANGUAGES) search[language] = { ...release.search[language], [id]: terms[language] }
  return { ...release, complaints: [...release.complaints, { ...pattern, id }], search }
}
