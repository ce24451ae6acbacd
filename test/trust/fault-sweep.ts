import { expect } from 'vitest'
import { brokenInvariants } from '../world/invariants.ts'
import { newScene } from '../world/webhook-scene.ts'
import { type Fault, FaultyDatabase } from './faults.ts'
import { journey } from './journey.ts'

/** Steps of the service itself, taken whenever their time has come and not because of the journey. */
export const BY_THE_CLOCK = /^(ping|turn_|node_|master_key|room_|audit_checkpoint)/

/**
 * A journey from creating a session to erasing it, once for each chosen fault in a step of the database. Whatever is not
 * acknowledged is sent again; afterwards everything happened once. `choose` is told the steps of an undisturbed journey.
 */
export async function sweepFaults(choose: (faults: readonly Fault[]) => readonly Fault[]): Promise<number> {
  const database = new FaultyDatabase()
  const scene = await newScene({}, undefined, (db) => database.around(db))
  try {
    const clinic = await scene.clinic('sweep')
    await journey(scene, clinic) // caches are filled as in a service that runs
    database.plant(null)
    await journey(scene, clinic)
    const faults = database.steps
      .filter(({ statement }) => !BY_THE_CLOCK.test(statement))
      .flatMap((step) => [{ ...step, how: 'refused' } as const, { ...step, how: 'unanswered' } as const])
    const chosen = choose(faults)
    for (const fault of chosen) {
      database.plant(fault)
      const name = `${fault.statement} (${fault.time}) ${fault.how}`
      try {
        await journey(scene, clinic)
        expect(await brokenInvariants(scene.world)).toEqual([])
      } catch (error) {
        throw new Error(`with the fault FAULT='${JSON.stringify(fault)}'`, { cause: error })
      }
      if (!database.hasFailed) console.warn(`not met this time: ${name}`)
    }
    return chosen.length
  } finally {
    database.plant(null)
    await scene.close()
  }
}
