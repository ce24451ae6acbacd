import { expect, test } from 'vitest'
import { sweepFaults } from './fault-sweep.ts'

test('F04 an error at every step of the database, from creating a session to erasing it, loses and doubles nothing', async () => {
  expect(await sweepFaults((faults) => faults)).toBeGreaterThan(50)
})
