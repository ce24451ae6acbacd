import { describe, expect, test } from 'vitest'
import { days, factsOf, THURSDAY } from '../../../../test/world/facts.ts'
import type { Language } from '../../content.ts'

/** How old somebody is whose age is told in days, weeks or months: that is not how long it has lasted. */
const YOUNG: readonly (readonly [Language, string, number])[] = [
  ['en', 'my baby (8 days) has a fever', 0.02],
  ['en', "newborn of 8 days, won't feed", 0.02],
  ['en', 'baby aged 3 weeks with a cough', 0.06],
  ['en', '3 months baby, rash on tummy', 0.25],
  ['en', 'he is just 2 weeks, not feeding', 0.04],
  ['en', 'born 8 days ago and now yellow', 0.02],
  ['fi', 'vauva 8 päivää, ei syö', 0.02],
  ['fi', 'vauvamme on nyt 6 viikkoa ja itkee iltaisin', 0.11],
  ['fi', '5 kk vauvalla ihottumaa', 0.42],
  ['fi', 'vastasyntynyt 8 pv, keltainen', 0.02],
  ['fi', 'kaksiviikkoinen nuhainen', 0.04],
  ['fi', 'kolmikuisella yskä', 0.25],
  ['no', 'baby (8 dager) vil ikke spise', 0.02],
  ['no', 'nyfødt på 8 dager er gul', 0.02],
  ['no', 'hun er bare 2 uker og spiser ikke', 0.04],
  ['no', 'født for 8 dager siden, gul', 0.02],
  ['sv', 'bebis (8 dagar) vill inte äta', 0.02],
  ['sv', '5 månaders bebis med utslag', 0.42],
  ['sv', 'nyfödd 8 dagar gul', 0.02],
  ['sv', 'hon är bara 2 veckor, äter inte', 0.04],
]

/** So long it has lasted, or since then something else is so: no age. */
const NO_AGE: readonly (readonly [Language, string, unknown])[] = [
  ['en', 'my baby has had a cough for 8 days', days(8)],
  ['en', 'my son was born 6 days ago and I have a headache', undefined],
  ['en', 'my daughter had her birthday six days ago and has a cough', undefined],
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

test('a birthday is no birth', () => {
  expect(told('my daughter had her birthday six days ago and has a cough', 'en', 'pregnancy')).toBeUndefined()
  expect(told('we had her six days ago and I am shivering', 'en', 'pregnancy')).toBe('recent')
})
