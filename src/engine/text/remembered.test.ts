import { expect, test } from 'vitest'
import { remembered } from './remembered.ts'

test('what was worked out is not worked out again, also when it is nothing', () => {
  const worked: string[] = []
  const find = remembered(10, (word: string) => {
    worked.push(word)
    return word === 'known' ? word.length : undefined
  })
  expect(['known', 'unknown', 'known', 'unknown'].map(find)).toEqual([5, undefined, 5, undefined])
  expect(worked).toEqual(['known', 'unknown'])
})

test('what is asked for again stays, and what is not makes room', () => {
  const worked: number[] = []
  const find = remembered(2, (number: number) => {
    worked.push(number)
    return number
  })
  for (const number of [1, 2, 3, 1, 4, 1, 5, 1, 2]) expect(find(number)).toBe(number)
  expect(worked).toEqual([1, 2, 3, 4, 5, 2])
})
