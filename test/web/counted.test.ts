import { expect, test } from 'vitest'
import { counting } from '../../web/ui/counted.ts'

test('things are counted in the plural forms of the language, none in words of its own', () => {
  const pictures = counting('en-GB')({ none: 'No pictures', one: '# picture', other: '# pictures' })
  expect([0, 1, 2, 11].map(pictures)).toEqual(['No pictures', '1 picture', '2 pictures', '11 pictures'])
  const days = counting('pl')({ one: '# dzień', few: '# dni', other: '# dni (wiele)' })
  expect([1, 3, 5].map(days)).toEqual(['1 dzień', '3 dni', '5 dni (wiele)'])
})
