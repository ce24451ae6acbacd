// @module-tag thorough
import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Blow, sweepBlows } from './kill-sweep.ts'

/** `BLOW` is one that a run told of, to see it again; `SEED` chooses the same slice as a run before. */
const { BLOW, SEED = String(randomInt(1_000_000)) } = process.env

const KINDS: ((blow: Blow) => boolean)[] = [
  (blow) => blow.how === 'killed' && blow.when === 'before',
  (blow) => blow.how === 'killed' && blow.when === 'after',
  (blow) => blow.how === 'cut off' && blow.when === 'before',
  (blow) => blow.how === 'cut off' && blow.when === 'after',
  (blow) => blow.how === 'cut',
  (blow) => blow.how === 'unanswered',
]

test('F04 (a slice): a node is killed, or cut off from its database or its user, at a step from creating a session to erasing it; nothing is lost or doubled', async () => {
  if (!BLOW) console.info(`kill sweep with SEED=${SEED}`)
  const tried = await sweepBlows((blows) =>
    BLOW
      ? [JSON.parse(BLOW)]
      : KINDS.flatMap((isOfKind) => {
          const ofKind = blows.filter(isOfKind)
          return ofKind.slice(Number(SEED) % ofKind.length).slice(0, 1)
        }),
  )
  expect(tried).toBe(BLOW ? 1 : KINDS.length)
})
