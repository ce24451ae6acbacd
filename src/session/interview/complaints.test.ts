import { expect, test } from 'vitest'
import { isFirstLikely } from './complaints.ts'

test('a guess is chosen beforehand when it is likely and stands before the next, not when both are weak', () => {
  expect(isFirstLikely([0.92, 0.3])).toBe(true)
  expect(isFirstLikely([0.42, 0.3])).toBe(true)
  expect(isFirstLikely([0.4])).toBe(true)
  expect(isFirstLikely([0.4, 0.36])).toBe(false) // "poisoning" for whoever named a tablet, low mood right behind it
  expect(isFirstLikely([0.62, 0.48])).toBe(false)
  expect(isFirstLikely([0.39])).toBe(false)
  expect(isFirstLikely([])).toBe(false)
})
