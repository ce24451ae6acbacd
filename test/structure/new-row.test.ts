import { expect, test } from 'vitest'
import { faultsWith, PRETEND, placesOf } from './new-row.ts'

const rows = Object.values(PRETEND)

/** A slice: only the places themselves are compiled. new-row.long.test.ts compiles everything and finds no others. */
test('a new question kind, language or event does not compile until each of its places has decided about it', () => {
  const faults = faultsWith(
    rows,
    rows.flatMap(({ places }) => places),
  )
  for (const [what, row] of Object.entries(PRETEND)) expect(placesOf(row, faults), what).toEqual(row.places)
}, 300_000)
