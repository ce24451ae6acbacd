import { expect, test } from 'vitest'
import { type KnownWord, NO_ROLE } from './known.ts'
import { noted } from './noted.ts'

const word = (number: number): KnownWord => ({
  form: `word${number}`,
  stem: 'word',
  weight: 'meaning',
  role: NO_ROLE,
  smallIn: [],
  number,
  hits: [],
  hitless: 0,
})

test('what was worked out of a word is not worked out again until another takes its place', () => {
  const worked: number[] = []
  const note = noted(3, ({ number }) => {
    worked.push(number)
    return number * 10
  })
  const [none, two, five] = [word(0), word(2), word(5)]
  expect([two, none, two, five, two, none].map(note)).toEqual([20, 0, 20, 50, 20, 0])
  expect(worked).toEqual([2, 0, 5, 2])
})

test('a word that was read anew is another, whatever its number', () => {
  let works = 0
  const note = noted(3, () => ++works)
  expect([word(1), word(1)].map(note)).toEqual([1, 2])
})
