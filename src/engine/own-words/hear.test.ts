import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { load } from 'js-yaml'
import { beforeAll, describe, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { type CompiledRelease, LANGUAGES, type Language } from '../content.ts'
import { hear } from './hear.ts'

let release: CompiledRelease
beforeAll(async () => {
  release = (await realContent()).content.release
}, 60_000)

const everything = () => true
const heardIn = (text: string, language: Language = 'en') => hear(release, text, language, everything)
const kinds = (text: string, language?: Language) => heardIn(text, language).dangers.map(({ kind }) => kind)

describe('danger', () => {
  test.each([
    ['en', 'I cannot breathe', 'breathing'],
    ['en', 'crushing pain in my chest going down my left arm, sweating', 'heart'],
    ['fi', 'haluan kuolla', 'suicide'],
    ['fi', 'suupieli roikkuu eikä puhe selviä', 'stroke'],
    ['no', 'får ikke puste', 'breathing'],
    ['sv', 'jag vill inte leva längre', 'suicide'],
    ['sv', 'ena sidan av ansiktet hänger', 'stroke'],
  ] as const)('is heard with its kind (%s: %s)', (language, text, kind) => {
    expect(kinds(text, language)).toContain(kind)
  })

  test('is explained by a piece of the text', () => {
    for (const text of ['Hello, since lunch I CANNOT BREATHE at all.', 'my dad collapsed and is not waking up']) {
      const [danger] = heardIn(text).dangers
      expect(danger?.words).not.toBe('')
      expect(text).toContain(danger?.words)
    }
  })

  test.each([
    ['en', 'my grandfather had a stroke ten years ago, should I be worried'],
    ['en', 'as a child I had seizures'],
    ['fi', 'isälläni oli sydäninfarkti kymmenen vuotta sitten, pitäisikö minun käydä tarkastuksessa'],
    ['sv', 'min morfar hade stroke för tjugo år sedan'],
  ] as const)('of long ago is not led with (%s: %s)', (language, text) => {
    expect(heardIn(text, language).dangers.filter(({ sureness }) => sureness === 'lead')).toEqual([])
  })

  test.each([
    ['en', 'I want to kill myself, throat sore for three days', 'suicide'],
    ['fi', 'haluan kuolla, kurkku ollut kipeä kolme päivää', 'suicide'],
    ['no', 'jeg vil dø, og så har jeg vondt i halsen på tredje dagen', 'suicide'],
    ['sv', 'jag vill inte leva längre, och halsen är öm sedan tre dagar', 'suicide'],
  ] as const)('told in listed words leads, whatever stands beside it (%s: %s)', (language, text, kind) => {
    expect(heardIn(text, language).dangers).toContainEqual(expect.objectContaining({ kind, sureness: 'lead' }))
  })

  test.each([
    ['en', 'pressure on my chest going down the arm, had a stent in 2019'],
    ['en', 'had a heart attack in 2019, pressure on my chest going down the arm'],
    ['en', 'the same crushing pain in my chest as in 2019'],
    ['en', 'Our daughter at uni has a fever, stiff neck and purple spots that do not fade under a glass'],
    ['fi', 'puristaa rintaa ja säteilee käteen, pallolaajennus tehtiin vuonna 2019'],
    ['no', 'trykk i brystet som stråler ut i armen, fikk stent i 2019'],
    ['sv', 'tryck över bröstet som strålar ut i armen, fick stent i fjol'],
  ] as const)('is heard beside what was long ago (%s: %s)', (language, text) => {
    expect(heardIn(text, language).dangers).not.toEqual([])
  })

  const BEFORE: Readonly<Record<Language, readonly string[]>> = {
    en: [
      'My wife had a stroke last year so I worry.',
      'We were on holiday with the children and all was well until this morning.',
    ],
    fi: [
      'Vaimolla oli viime vuonna aivoinfarkti joten pelottaa.',
      'Oltiin lomalla lasten kanssa ja kaikki oli hyvin tähän aamuun asti.',
    ],
    no: ['Kona hadde slag i fjor, så jeg er redd.', 'Vi var på ferie med barna og alt var bra helt til i morges.'],
    sv: [
      'Min fru fick en stroke förra året så jag är orolig.',
      'Vi var på semester med barnen och allt var bra tills i morse.',
    ],
  }
  /** Of plain dangers this share is asked about at least, whatever the sentence before it tells. */
  const STILL_ASKED = 0.9

  test.each(LANGUAGES)('is heard after a sentence about something else (%s)', async (language) => {
    const lines = (await readFile(`evaluation/own-words/${language}/dangers-plain.tsv`, 'utf8')).split('\n')
    const dangers = lines.flatMap((line, at) => (at % 5 === 0 ? (line.split('\t')[1] ?? []) : []))
    const texts = BEFORE[language].flatMap((before) => dangers.map((danger) => `${before} ${danger}`))
    const heard = texts.filter((text) => heardIn(text, language).dangers.length > 0)
    expect(heard.length / texts.length).toBeGreaterThan(STILL_ASKED)
  })

  test('told in a sentence of its own after others is asked about at least', () => {
    expect(kinds('I have had a cold and a runny nose for a week and slept badly. Now I cannot breathe.')).toContain(
      'breathing',
    )
  })

  test('every kind that is heard is one that the release knows, with its signs', () => {
    const known = new Set(release.dangers.map(({ id }) => id))
    for (const text of ['took 40 paracetamol', 'he is unconscious', 'blood everywhere']) {
      expect(kinds(text).length).toBeGreaterThan(0)
      expect(kinds(text).filter((kind) => !known.has(kind))).toEqual([])
    }
  })

  test('small words of one language are not words of danger of another', () => {
    // "not … and" is no "nötter … andas".
    const untrained = { ...release, readers: {} }
    const dangers = (text: string, language: Language) => hear(untrained, text, language, everything).dangers
    expect(dangers('the cream is not helping it and now it itches', 'en')).toEqual([])
    expect(dangers('nötter, andas konstigt', 'sv')).not.toEqual([])
  })

  test('a denial that stands before a word in another clause does not deny it', () => {
    const untrained = { ...release, readers: {} }
    const dangers = (text: string) => hear(untrained, text, 'no', everything).dangers
    expect(dangers('får ikke sove, våkner tidlig')).toEqual([])
    expect(dangers('hun våkner ikke')).not.toEqual([])
  })

  test.each([
    ['en', 'tooth is murder since friday and painkillers arent touching it'],
    ['no', 'våkner hver natt og får ikke sove igjen'],
    ['sv', 'konstiga blåmärken på benen'],
  ] as const)('whose kind the words do not tell is of no kind that they are foreign to (%s: %s)', (language, text) => {
    const foreign = ['testicle', 'suicide', 'anaphylaxis', 'choking', 'pregnancy']
    expect(kinds(text, language).filter((kind) => foreign.includes(kind))).toEqual([])
  })

  test('without a trained reader the lists are what is heard', () => {
    const untrained = { ...release, readers: {} }
    expect(hear(untrained, 'I cannot breathe', 'en', everything).dangers[0]).toMatchObject({ sureness: 'lead' })
    expect(hear(untrained, 'a sore throat', 'en', everything).dangers).toEqual([])
  })
})

describe('what the lists of phrases held', () => {
  type Phrase = { say: string; is: string | string[]; danger?: 'either' }
  test.each(LANGUAGES)('is still heard (%s)', async (language) => {
    const { phrases } = load(await readFile(`content/phrases/${language}.yaml`, 'utf8')) as { phrases: Phrase[] }
    const heard = phrases.map((phrase) => ({ phrase, dangers: heardIn(phrase.say, language).dangers }))
    const missed = heard.filter(({ phrase, dangers }) => phrase.is === 'danger' && dangers.length === 0)
    expect(missed.map(({ phrase }) => phrase.say)).toEqual([])
    const harmless = heard.filter(({ phrase }) => phrase.is !== 'danger' && phrase.danger !== 'either')
    const led = harmless.filter(({ dangers }) => dangers.some(({ sureness }) => sureness === 'lead'))
    expect(led.length, led.map(({ phrase }) => phrase.say).join(' | ')).toBeLessThanOrEqual(harmless.length * 0.02)
    const asked = harmless.filter(({ dangers }) => dangers.length > 0)
    expect(asked.length, asked.map(({ phrase }) => phrase.say).join(' | ')).toBeLessThanOrEqual(harmless.length * 0.08)
  })
})

describe('complaints', () => {
  test('are proposed the likeliest first', () => {
    const heard = heardIn('sore throat, headache and a runny nose since Monday').complaints
    expect(heard.length).toBeGreaterThanOrEqual(3)
    expect(heard.map(({ score }) => score)).toEqual(heard.map(({ score }) => score).sort((a, b) => b - a))
  })

  test.each([
    ['en', 'my throat has been sore since Monday and it hurts to swallow', 'sore-throat'],
    ['fi', 'korvavaikku, korva tukossa', 'ear'],
    ['no', 'vepsestikk på armen, klør og er hoven', 'sting-allergy'],
    ['sv', 'getingstick på armen, kliar och svullet', 'sting-allergy'],
  ] as const)('that stand far behind the likeliest are not proposed (%s: %s)', (language, text, id) => {
    const heard = heardIn(text, language).complaints.map((one) => one.id)
    expect(heard[0]).toBe(id)
    expect(heard.length).toBeLessThan(3)
  })

  test.each([
    ['en', 'hello, I need help'],
    ['fi', 'hei, tarvitsen apua'],
    ['no', 'hei, jeg trenger hjelp'],
    ['sv', 'hej, jag behöver hjälp'],
  ] as const)('are not guessed from words that say nothing (%s: %s)', (language, text) => {
    expect(heardIn(text, language).complaints.map(({ id, score }) => [id, score])).toEqual([['general', 0]])
  })
})

test.each([
  ['en', 'bad cough, no fever', 'no fever'],
  ['fi', 'Nuha ja yskä, ei oo kuumetta', 'ei oo kuumetta'],
  ['no', 'hoster mye, har ikke feber', 'ikke feber'],
  ['sv', 'hostar men ingen feber', 'ingen feber'],
] as const)('what was denied is quoted with its denial (%s: %s)', (language, text, words) => {
  expect(heardIn(text, language).facts).toContainEqual({ question: 'fever', value: 'no', words })
})

describe('the kind of matter', () => {
  test.each([
    ['en', 'renew my prescription please', 'prescription'],
    ['sv', 'jag behöver förnya mitt recept', 'prescription'],
    ['fi', 'tarvitsen sairauslomatodistuksen', 'certificate'],
    ['no', 'kan jeg flytte timen min', 'admin'],
    ['en', 'my throat hurts', undefined],
  ] as const)('%s: %s', (language, text, matter) => {
    expect(heardIn(text, language).matter).toBe(matter)
  })
})

test('any text gets the same hearing every time, and only pieces of itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.constantFrom(...LANGUAGES), (text, language) => {
      const heard = heardIn(text, language)
      expect(heardIn(text, language)).toEqual(heard)
      expect(heard.complaints.length).toBeLessThanOrEqual(5)
      for (const { words } of [...heard.dangers, ...heard.facts]) expect(text).toContain(words)
    }),
    { numRuns: 100 },
  )
}, 60_000)
