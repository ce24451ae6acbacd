import { expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { loadContent } from '../../engine/load.ts'
import { shareEqual } from './share-equal.ts'

/** How many different lists there are, each counted once however many hold it. */
function listsIn(value: unknown, seen = new Set<unknown>()): number {
  if (typeof value !== 'object' || value === null || seen.has(value)) return seen.size
  if (Array.isArray(value)) seen.add(value)
  for (const part of Object.values(value)) listsIn(part, seen)
  return seen.size
}

test('equal lists of a release become one, in a release that is in use too, and it reads as before', async () => {
  const { content: shared } = await realContent()
  const text = JSON.stringify(shared.release)
  const { release } = loadContent(JSON.parse(text))
  const before = listsIn(release)
  for (const _ of shareEqual(release));
  expect(listsIn(release)).toBeLessThan(before / 2)
  expect(JSON.stringify(release)).toBe(text)
})
