import { expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { checkContent } from './check-content.ts'
import { isNoticed, mutantsOf } from './mutate.ts'

test('raising, lowering or removing any rule breaks at least one worked case', async () => {
  const { content, cases } = await realContent()
  const missed: string[] = []
  for (const complaint of content.release.complaints) {
    for (const mutant of mutantsOf(content.release, complaint)) {
      if (!isNoticed(mutant, cases)) missed.push(`${mutant.complaint}/${mutant.rule} ${mutant.what}`)
    }
  }
  expect(missed).toEqual([])
})

test('the safety rules hold for many made-up patients of every complaint', async () => {
  const { content, cases } = await realContent()
  expect(checkContent(content, cases, { walks: 600, turned: 150 })).toEqual([])
})
