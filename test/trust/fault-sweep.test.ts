import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { sweepFaults } from './fault-sweep.ts'

/** `FAULT` is one that a run told of, to see it again; `SEED` chooses the same slice as a run before. */
const { FAULT, SEED = String(randomInt(1_000_000)) } = process.env
const SLICE = 8

test('F04 (a slice): an error at a step of the database, from creating a session to erasing it, loses and doubles nothing', async () => {
  if (!FAULT) console.info(`fault sweep with SEED=${SEED}`)
  const tried = await sweepFaults((faults) => {
    if (FAULT) return [JSON.parse(FAULT)]
    const apart = Math.floor(faults.length / SLICE)
    return Array.from({ length: SLICE }, (_, at) => faults[at * apart + (Number(SEED) % apart)]).filter(
      (fault) => fault !== undefined,
    )
  })
  expect(tried).toBe(FAULT ? 1 : SLICE)
})
