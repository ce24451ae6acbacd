import { describe, expect, test } from 'vitest'
import { days, factsOf, THURSDAY, weeks } from '../../../../test/world/facts.ts'
import type { Language } from '../../content.ts'

/** How old somebody is whose age is told in days, weeks or months: that is not how long it has lasted. */
const YOUNG: readonly (readonly [Language, string, number])[] = [
  ['en', 'my baby (8 days) has a fever', 0.02],
  ['en', "newborn of 8 days, won't feed", 0.02],
  ['en', 'baby aged 3 weeks with a cough', 0.06],
  ['en', '3 months baby, rash on tummy', 0.25],
  ['en', 'he is just 2 weeks, not feeding', 0.04],
  ['en', 'born 8 days ago and now yellow', 0.02],
  ['en', 'My baby, 12 days, is not feeding', 0.03],
  ['en', 'Sniffles. Our baby 6 weeks has a blocked nose', 0.11],
  ['fi', 'vauva 8 päivää, ei syö', 0.02],
  ['fi', 'Hän on vasta 5 päivää ja kellertää', 0.01],
  ['fi', '2 viikkoa sitten syntynyt tyttö, nuhainen', 0.04],
  ['fi', 'vauva iältään 3 viikkoa, rohisee', 0.06],
  ['fi', 'vauvamme on nyt 6 viikkoa ja itkee iltaisin', 0.11],
  ['fi', '5 kk vauvalla ihottumaa', 0.42],
  ['fi', 'vastasyntynyt 8 pv, keltainen', 0.02],
  ['fi', 'kaksiviikkoinen nuhainen', 0.04],
  ['fi', 'kolmikuisella yskä', 0.25],
  ['no', 'baby (8 dager) vil ikke spise', 0.02],
  ['no', 'nyfødt på 8 dager er gul', 0.02],
  ['no', 'hun er bare 2 uker og spiser ikke', 0.04],
  ['no', 'født for 8 dager siden, gul', 0.02],
  ['no', 'for 8 dager siden født, gul', 0.02],
  ['no', 'Babyen vår 5 uker, gulper mye', 0.1],
  ['no', '3 ukers baby med utslett', 0.06],
  ['sv', 'bebis (8 dagar) vill inte äta', 0.02],
  ['sv', '5 månaders bebis med utslag', 0.42],
  ['sv', 'nyfödd 8 dagar gul', 0.02],
  ['sv', 'Hon är nu 3 veckor och kräks', 0.06],
  ['sv', 'hon är bara 2 veckor, äter inte', 0.04],
]

/** So long it has lasted, or since then something else is so: no age. */
const NO_AGE: readonly (readonly [Language, string, unknown])[] = [
  ['en', 'my baby has had a cough for 8 days', days(8)],
  ['en', 'my son was born 6 days ago and I have a headache', undefined],
  ['en', 'my daughter had her birthday six days ago and has a cough', undefined],
  ['en', 'Baby (5 days with fever), vomiting since yesterday', null],
  ['en', 'Baby (3 days of fever)', days(3)],
  ['en', 'She is now 3 days with a fever', days(3)],
  ['en', 'Fever and cough in baby, 3 days.', days(3)],
  ['en', 'Cough in our baby 2 weeks now', weeks(2)],
  ['fi', 'Kuumetta 3 päivää vauvalla, oksentanut eilisestä', null],
  ['fi', 'Hän on nyt 3 päivää ollut kuumeessa', days(3)],
  ['fi', 'Hän on vain 2 viikkoa ollut kipeä', weeks(2)],
  ['fi', 'Kuumetta vauvalla, 3 päivää', days(3)],
  ['fi', '3 päivää vauva ollut kuumeessa', days(3)],
  ['fi', '2 viikkoa vauvalla yskää', weeks(2)],
  ['fi', 'kaksiviikkoinen yskä ei helpota', undefined],
  ['fi', 'eilen syntynyt vauva, ei ime', undefined],
  ['no', 'Feber baby, 2 dager', days(2)],
  ['no', 'Hun er nå 3 dager uten mat', days(3)],
  ['sv', 'feber i 3 dagar bebisen kräks', days(3)],
  ['sv', 'bebis (4 dagar feber)', days(4)],
  ['fi', 'vauva yskinyt 8 päivää', days(8)],
  ['fi', 'vauvalla 3 päivää kuumetta', days(3)],
  ['fi', 'oli synttärit 6 päivää sitten ja nyt yskä', undefined],
  ['no', 'babyen har hostet i 8 dager', days(8)],
  ['no', 'hadde bursdag for seks dager siden og hoster nå', undefined],
  ['sv', 'bebisen har hostat i 8 dagar', days(8)],
  ['sv', 'fyllde år för sex dagar sen och hostar nu', undefined],
  ['no', 'nyrestein igjæn, hadd det for 20 år sia', undefined],
  ['no', 'eg fekk ei jente for sju veker sidan og er berre trøytt', undefined],
  ['sv', 'vi var i stugan för tre veckor sen, röd fläck sen en vecka', { amount: 1, unit: 'weeks' }],
  [
    'fi',
    'punainen läntti joka on tässä viikon aikana vaan kasvanut. Oltiin mökillä pari-kolme viikkoa sitten.',
    { amount: 1, unit: 'weeks' },
  ],
]

const told = (text: string, language: Language, asked: string) =>
  factsOf(text, language, THURSDAY).find(({ question }) => question === asked)?.value

describe('ages of the very young', () => {
  test.each(YOUNG)('%s: %s', (language, text, age) => {
    expect(told(text, language, 'age')).toBe(age)
    expect(told(text, language, 'for_whom')).toBe('other')
    expect(told(text, language, 'duration')).toBeUndefined()
  })

  test.each(NO_AGE)('%s: %s', (language, text, duration) => {
    expect(told(text, language, 'age')).toBeUndefined()
    expect(told(text, language, 'duration')).toEqual(duration)
  })
})

test('an age and a time beside it are two things', () => {
  for (const [language, text, age] of [
    ['fi', 'Yskää 2 viikkoa vauva 8 kk', 0.67],
    ['sv', 'hostat 2 veckor bebis 8 mån', 0.67],
    ['en', '3 months baby, 2 weeks of cough', 0.25],
  ] as const) {
    expect(told(text, language, 'age'), text).toBe(age)
    expect(told(text, language, 'duration'), text).toEqual(weeks(2))
  }
  expect(told('5 months old baby, 2 months of eczema', 'en', 'age')).toBe(0.42)
})

test('a birthday is no birth', () => {
  expect(told('my daughter had her birthday six days ago and has a cough', 'en', 'pregnancy')).toBeUndefined()
  expect(told('we had her six days ago and I am shivering', 'en', 'pregnancy')).toBe('recent')
})
