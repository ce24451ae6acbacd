import { expect, test } from 'vitest'
import { isTest, sourcesBelow, withoutComments } from './sources.ts'

/** A switch from its line to the brace that closes it; the formatter puts both at the same depth. */
const SWITCH = /^( *)switch \([\s\S]*?\n\1\}$/gm

/**
 * A switch over a closed set has no default, so that the compiler names a new member that nobody thought of. It does so only
 * where something is given back in every case: a case left by `break` or a bare `return` may be missing without a word.
 */
function canMissACase(block: string): boolean {
  if (/^ *default:/m.test(block)) return false
  return /\bbreak\b|\breturn\n/.test(block) || !/\breturn\b/.test(block)
}

test('a switch without a default gives something back in every case, so that the compiler sees one that is missing', () => {
  const found = sourcesBelow('src', 'web')
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, text }) => [...withoutComments(text).matchAll(SWITCH)].map(([block]) => ({ path, block })))
  expect(found.length).toBeGreaterThan(10)
  expect(found.filter(({ block }) => canMissACase(block))).toEqual([])
})

test('this test sees a switch that could miss a case', () => {
  const made = (inner: string) => canMissACase(`switch (kind) {\n  case 'one':\n    ${inner}\n}`)
  expect(made('paint()')).toBe(true)
  expect(made('paint()\n    break')).toBe(true)
  expect(made('paint()\n    return\n  case 2:\n    return 1')).toBe(true)
  expect(made('return 1')).toBe(false)
  expect(made('paint()\n  default:\n    wipe()')).toBe(false)
})
