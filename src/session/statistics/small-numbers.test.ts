import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { putTogether, SMALLEST, withheld } from './small-numbers.ts'

const counts = (...numbers: number[]) => numbers.map((count, at) => ({ count, name: `group ${at}` }))
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0)

describe('groups that are too small', () => {
  test('are put together', () => {
    const { shown, together } = putTogether(counts(20, 3, 9, 4))
    expect(shown.map(({ count }) => count)).toEqual([20, 9])
    expect(together.map(({ count }) => count)).toEqual([3, 4])
  })

  test('take the next larger one with them while the total less the rest would tell of few', () => {
    expect(putTogether(counts(20, 3, 9)).together.map(({ count }) => count)).toEqual([3, 9])
    expect(putTogether(counts(20, 1, 1, 9)).together.map(({ count }) => count)).toEqual([1, 1, 9])
    expect(putTogether(counts(20, 1)).shown).toEqual([])
    expect(putTogether(counts(20, 9)).together).toEqual([])
  })

  test('are never shown, nor are they what remains', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 9 }), (numbers) => {
        const { shown, together } = putTogether(counts(...numbers))
        expect(shown.length + together.length).toBe(numbers.length)
        for (const { count } of shown) expect(count).toBeGreaterThanOrEqual(SMALLEST)
        if (shown.length > 0 && together.length > 0) {
          expect(together.length).toBeGreaterThan(1)
          expect(sumOf(together.map(({ count }) => count))).toBeGreaterThanOrEqual(SMALLEST)
        }
      }),
    )
  })
})

describe('parts of a known sum', () => {
  test('that are small are withheld, with as many of the others as it takes', () => {
    expect(withheld([20, 6, 2])).toEqual([20, null, null])
    expect(withheld([20, 1, 0])).toEqual([null, null, 0])
    expect(withheld([20, 5, 0])).toEqual([20, 5, 0])
    expect(withheld([20, 3, 4])).toEqual([20, null, null])
    expect(withheld([3, 0, 0])).toEqual([null, null, null])
  })

  test('cannot be worked out: a small part could always be another number', () => {
    fc.assert(
      fc.property(fc.tuple(fc.nat(15), fc.nat(15), fc.nat(15)), (parts) => {
        const told = withheld(parts)
        const hidden = parts.filter((_part, at) => told[at] === null)
        for (const [at, part] of parts.entries()) if (part > 0 && part < SMALLEST) expect(told[at]).toBeNull()
        if (hidden.length > 0) expect(hidden.length).toBeGreaterThan(1)
        if (hidden.length > 0 && sumOf(parts) >= SMALLEST) expect(sumOf(hidden)).toBeGreaterThanOrEqual(SMALLEST)
      }),
    )
  })
})
