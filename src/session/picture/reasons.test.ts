import { expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import type { Change, Outcome, Value } from '../../engine/content.ts'
import { conclude } from '../../engine/deciding/conclude.ts'
import { speech } from '../interview/speech.ts'
import { changeViews } from './reasons.ts'

const NUMBERS = { emergencyNumber: '112', clinicPhone: null, adviceNumber: null, crisisLine: null, poisonLine: null }

test('a duration that would change the level is told in the unit that people count so much in', async () => {
  const { content } = await realContent()
  const change = (amount: number, unit: string): Change => ({
    question: 'throat_duration',
    value: { amount, unit } as Value,
    level: 'Level5',
    decided: true,
  })
  const outcome: Outcome = {
    ...conclude(content, []),
    level: 'Level6',
    changes: [change(505, 'hours'), change(120, 'hours'), change(5, 'days'), change(22, 'days')],
  }
  const said = new Map<string, Value>([['throat_duration', { amount: 3, unit: 'days' }]])
  const told = (language: 'en' | 'fi') =>
    changeViews(speech(content, language, 'self', NUMBERS), outcome, said).flatMap(({ alternatives }) =>
      alternatives.map(({ words }) => words),
    )
  expect(told('en')).toEqual(['5 days'])
  expect(told('fi')).toEqual(['5 päivää'])
})
