import { expect, test } from 'vitest'
import { writtenAt } from './written-at.ts'

test('a moment is what the clock of the clinic shows', () => {
  const at = new Date('2026-10-11T21:30:00Z')
  expect(writtenAt(at, 'UTC')).toEqual({ weekday: 6, month: 10, hour: 21 })
  expect(writtenAt(at, 'Europe/Helsinki')).toEqual({ weekday: 0, month: 10, hour: 0 })
})
