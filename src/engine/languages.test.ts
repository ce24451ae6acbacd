import { expect, test } from 'vitest'
import { decimalText, LANGUAGES, languageTagged, perLanguage, tagOf } from './languages.ts'

test('Norwegian is `no` in the interface and bokmål to the world; nynorsk readers are given it too', () => {
  expect(tagOf('no')).toBe('nb')
  expect(['nb', 'nn', 'no'].map(languageTagged)).toEqual(['no', 'no', 'no'])
})

test('every language is found by its own tag, and no other tag finds one', () => {
  for (const language of LANGUAGES) expect(languageTagged(tagOf(language))).toBe(language)
  expect(['de', 'NB', 'constructor', ''].map(languageTagged)).toEqual([undefined, undefined, undefined, undefined])
})

test('something for every language is made once for each, in order', () => {
  expect(Object.entries(perLanguage((language) => language))).toEqual(LANGUAGES.map((one) => [one, one]))
})

test('numbers are written as the readers of the language write them', () => {
  expect(perLanguage((language) => decimalText(38.5, language))).toEqual({
    en: '38.5',
    fi: '38,5',
    no: '38,5',
    sv: '38,5',
  })
})
