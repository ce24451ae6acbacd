import { expect, test } from 'vitest'
import { sweepBlows } from './kill-sweep.ts'

test('F04 a node is killed, or cut off from its database or its user, at every step from creating a session to erasing it; nothing is lost or doubled', async () => {
  expect(await sweepBlows((blows) => blows)).toBeGreaterThan(200)
}, 7_200_000)
