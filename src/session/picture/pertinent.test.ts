import { expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import type { Answer } from '../../engine/content.ts'
import { outcomeSoFar } from '../../engine/deciding/conclude.ts'
import { interview } from '../../engine/interview.ts'
import { toldOnce } from './pertinent.ts'

const ABOUT: readonly Answer[] = [
  { question: 'for_whom', value: 'self' },
  { question: 'age', value: 60 },
  { question: 'sex', value: 'male' },
  { question: 'issue_type', value: 'regular' },
  { question: 'complaints', value: ['chest-pain'] },
]

test('a red flag that only follows from another is told once; one that was said as well stays', async () => {
  const { content } = await realContent()
  const told = (...signs: string[]) => {
    const answers = [...ABOUT, ...signs.map((question) => ({ question, value: true }))]
    const flags = outcomeSoFar(content, answers).redFlags.filter(({ state }) => state === 'present')
    const once = toldOnce({ content, step: interview(content, answers) }, flags)
    return [flags, once].map((some) => some.map(({ question }) => question).toSorted())
  }
  expect(told('pale_cold_sweat')).toEqual([['cold_sweat', 'pale_cold_sweat'], ['pale_cold_sweat']])
  expect(told('pale_cold_sweat', 'cold_sweat')[1]).toEqual(['cold_sweat', 'pale_cold_sweat'])
})
