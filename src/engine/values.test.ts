import { describe, expect, test } from 'vitest'
import type { Question, Value } from './content.ts'
import { normalised, refuseValue } from './kinds.ts'

const question = (kind: Question['kind'], more: Partial<Question> = {}): Question => ({
  id: 'q',
  kind,
  section: 'findings',
  dontKnow: true,
  ...more,
})
const OPTIONS = ['a', 'b', 'none']
const many = question('many', { options: OPTIONS.map((id) => ({ id })) })
const degrees = question('number', { min: 30, max: 43, step: 0.1 })
const since = question('duration', { units: ['hours', 'days'] })
const age = question('number', { unit: 'years', units: ['years', 'months', 'weeks', 'days'], min: 0, max: 130 })

describe('what is offered is taken', () => {
  test.each<[Question, Value]>([
    [question('yesno'), true],
    [question('one', { options: OPTIONS.map((id) => ({ id })) }), 'a'],
    [many, ['b', 'a']],
    [many, ['none']],
    [degrees, 38.6],
    [degrees, 30],
    [age, 34],
    [age, 0],
    [age, 0.1],
    [age, { amount: 5, unit: 'weeks' }],
    [age, { amount: 0, unit: 'days' }],
    [question('scale', { min: 0, max: 10, step: 1 }), 10],
    [since, { amount: 0.5, unit: 'hours' }],
    [question('date'), '2024-02-29'],
    [question('text', { maxLength: 5 }), 'words'],
    [question('text'), ''],
    [question('photo'), []],
    [question('complaints'), ['a', 'b']],
    [question('yesno'), null],
  ])('%j %j', (asked, value) => {
    expect(refuseValue(asked, value, OPTIONS)).toBeUndefined()
  })
})

describe('what is not offered is refused', () => {
  test.each<[Question, Value]>([
    [question('yesno'), 'yes'],
    [question('yesno', { dontKnow: false }), null],
    [question('one', { options: [] }), 'c'],
    [question('one', { options: [] }), ['a']],
    [many, []],
    [many, 'a'],
    [many, ['a', 'none']],
    [many, ['a', 'a']],
    [many, ['c']],
    [degrees, 29.9],
    [degrees, 43.1],
    [degrees, 38.65],
    [degrees, Number.NaN],
    [degrees, Number.POSITIVE_INFINITY],
    [degrees, '38'],
    [degrees, { amount: 38, unit: 'days' }],
    [age, { amount: 5, unit: 'hours' }],
    [age, { amount: 900, unit: 'years' }],
    [question('scale', { min: 0, max: 10, step: 1 }), 7.5],
    [since, { amount: 2, unit: 'weeks' }],
    [since, { amount: -1, unit: 'days' }],
    [since, { amount: 1e9, unit: 'days' }],
    [since, 3],
    [question('date'), '2023-02-29'],
    [question('date'), '29.2.2024'],
    [question('text', { maxLength: 5 }), 'longer'],
    [question('text'), 5],
    [question('photo'), ['1', '2', '3', '4']],
    [question('complaints'), []],
    [question('complaints'), ['a', 'b', 'none', 'c']],
    [question('complaints'), ['elsewhere']],
  ])('%j %j', (asked, value) => {
    expect(refuseValue(asked, value, OPTIONS)).toMatch(/\w/)
  })
})

test('a choice of many always reads in the order of the question', () => {
  expect(normalised(many, ['b', 'a'])).toEqual(['a', 'b'])
  expect(normalised(question('text'), 'as it is')).toBe('as it is')
})

test('an age in a smaller unit is kept in years', () => {
  expect(normalised(age, { amount: 5, unit: 'weeks' })).toBeCloseTo(35 / 365.25, 4)
  expect(normalised(age, { amount: 18, unit: 'months' })).toBe(1.5)
  expect(normalised(age, 34)).toBe(34)
})
