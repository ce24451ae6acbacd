import { expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import type { Value } from '../content.ts'
import { interview } from '../interview.ts'

const { content } = await realContent()

/** What the screen after the complaint asks of a woman of 29 who has ticked these. */
function asked(ticked: Record<string, boolean>): string[] {
  const said: Record<string, Value> = { for_whom: 'other', age: 29, sex: 'female', matter: '', issue_type: 'regular' }
  const all = Object.entries({ ...said, complaints: ['headache'], ...ticked })
  const step = interview(
    content,
    all.map(([question, value]) => ({ question, value })),
  )
  return step.kind === 'ask' ? step.questions.map(({ id }) => id) : []
}

test('a sign of the core that hangs on another is asked once that is ticked, whatever complaint was named', () => {
  expect(asked({ confused_or_hard_to_wake: true })).toContain('birth_last_year')
  expect(asked({})).not.toContain('birth_last_year')
  expect(asked({ confused_or_hard_to_wake: false })).not.toContain('birth_last_year')
})
