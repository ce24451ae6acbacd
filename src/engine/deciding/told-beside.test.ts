import { beforeAll, expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { denyAll } from '../../../test/world/denying.ts'
import type { Answer, Heard, Value } from '../content.ts'
import type { Content } from '../load.ts'

let content: Content
beforeAll(async () => {
  content = (await realContent()).content
})

const told = (kind: string, sureness: 'lead' | 'ask'): Heard => ({
  complaints: [],
  facts: [],
  dangers: [{ kind, sureness, words: 'black' }],
})

/** The screens of someone of 68 whose words tell of something else than the complaint they choose. */
function screensOf(complaint: string, heard: Heard | undefined): string[][] {
  const said: Record<string, Value> = { for_whom: 'self', age: 68, sex: 'male' }
  const answers: Answer[] = [
    ...Object.entries(said).map(([question, value]) => ({ question, value })),
    { question: 'matter', value: 'words', ...(heard && { heard }) },
    { question: 'issue_type', value: 'regular' },
  ]
  return denyAll(content, answers, { complaints: [complaint] }).screens
}

test.each(['lead', 'ask'] as const)('what words tell of is asked whatever complaint is chosen: %s', (sureness) => {
  const screens = screensOf('mouth-tooth', told('inner-bleeding', sureness))
  const menu = screens.findIndex((screen) => screen.includes('complaints'))
  expect(screens.findIndex((screen) => screen.includes('told_inner_bleeding'))).toBe(menu + 1)
  expect(screensOf('eye', told('faint', sureness)).flat()).toContain('told_fainted')
})

test('nobody else is asked it, nor whose complaint asks it', () => {
  expect(screensOf('mouth-tooth', undefined).flat()).not.toContain('told_inner_bleeding')
  expect(screensOf('bowel', told('inner-bleeding', 'lead')).flat()).not.toContain('told_inner_bleeding')
  expect(screensOf('dizziness-faint', told('faint', 'lead')).flat()).not.toContain('told_fainted')
})
