import { expect, test } from 'vitest'
import type { Language } from '../content.ts'
import { formatMessage, parseMessage, variablesIn } from './icu.ts'

const say = (text: string, variables = {}, language: Language = 'en') =>
  formatMessage(parseMessage(text), variables, language)

test('select reads right for oneself and for someone else', () => {
  const text = '{who, select, self {Do you} other {Does the patient}} have a fever?'
  expect(say(text, { who: 'self' })).toBe('Do you have a fever?')
  expect(say(text, { who: 'other' })).toBe('Does the patient have a fever?')
})

test('plural takes the forms of the language, and # is the number in the language’s way', () => {
  const text = '{n, plural, one {# day} other {# days}}'
  expect(say(text, { n: 1 })).toBe('1 day')
  expect(say(text, { n: 2.5 })).toBe('2.5 days')
  expect(say(text, { n: 2.5 }, 'sv')).toBe('2,5 days')
  expect(say(text, { n: 1 }, 'no')).toBe('1 day')
  expect(say('{n, plural, =0 {none} one {one} other {#}}', { n: 0 }, 'fi')).toBe('none')
})

test('apostrophes are text, quotes around braces keep them', () => {
  expect(say("don't, it's '{'quoted'}'")).toBe("don't, it's {quoted}")
  expect(say("two '' are one")).toBe("two ' are one")
})

test('selects nest', () => {
  expect(say('{a, select, x {{b, select, y {xy} other {x?}}} other {?}}', { a: 'x', b: 'y' })).toBe('xy')
})

test('variables and their cases are found wherever they stand', () => {
  const found = variablesIn(parseMessage('{who, select, self {Call {emergencyNumber}} other {Wait}}'))
  expect([...found.keys()]).toEqual(['who', 'emergencyNumber'])
  expect([...(found.get('who') ?? [])]).toEqual(['self', 'other'])
})

test.each([
  ['Open {who', /brace|comma|"}"/i],
  ['Too many }', /too many/],
  ['{who, choose, a {b}}', /select or plural/],
  ['{who, select, self {a}}', /needs the case "other"/],
  ['{who, select, self a}', /stands in braces/],
])('%s is refused with a sentence', (text, says) => {
  expect(() => parseMessage(text)).toThrow(says)
})
