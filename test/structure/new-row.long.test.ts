import { expect, test } from 'vitest'
import { faultsWith, isAbout, PRETEND, placesOf } from './new-row.ts'

const rows = Object.values(PRETEND)

test('a new question kind, language or event stops the compiler in the places that must decide, and nowhere else', () => {
  const faults = faultsWith(rows)
  for (const [what, row] of Object.entries(PRETEND)) expect(placesOf(row, faults), what).toEqual(row.places)
  expect(faults.filter((fault) => !rows.some((row) => isAbout(row, fault)))).toEqual([])
})
