import { expect, test } from 'vitest'
import { sweepCrashes } from './crash.ts'

test('F03: a node killed at every step between the ending and the delivery loses no event and doubles no id', async () => {
  const points = await sweepCrashes((messages) => Array.from({ length: messages }, (_, at) => at + 1))
  expect(points).toBeGreaterThan(20)
})
