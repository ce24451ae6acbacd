import { beforeAll, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { LANGUAGES } from '../content.ts'
import type { Content } from '../load.ts'
import { say } from '../text/words.ts'
import { laterThanVerdict } from './check-net.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

test('no line of a safety net tells a later time than the verdict beside it', () => {
  expect(content.release.complaints.flatMap((complaint) => laterThanVerdict(content, complaint))).toEqual([])
})

test('a line that says "the same day" is told at once where the verdict is a matter of hours', () => {
  const path = 'safetyNet.child-fever.same-day'
  const said = (haste: string) => LANGUAGES.map((language) => say(content, language, path, { who: 'other', haste }))
  for (const [at, expected] of ['at once if', 'heti, jos', 'straks hvis', 'genast om'].entries())
    expect(said('now')[at]).toContain(expected)
  for (const [at, expected] of ['the same day if', 'samana päivänä', 'samme dag', 'samma dag'].entries())
    expect(said('day')[at]).toContain(expected)
})

test('a line that would be later is told, with its language', () => {
  const fever = content.complaints.get('child-fever')?.complaint
  const rare = fever?.safetyNet.find(({ id }) => id === 'vaccine-worse')
  if (!fever || !rare) throw new Error('Child fever has no such line.')
  const found = laterThanVerdict(content, { ...fever, safetyNet: [{ ...rare, levels: ['Level4'] }] })
  expect(found).toHaveLength(LANGUAGES.length)
  expect(found[0]).toContain('"vaccine-worse" (en)')
})
