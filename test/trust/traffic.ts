import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { send } from '../world/call.ts'
import { type ClinicWithWebhook, eventually } from '../world/webhook-scene.ts'
import type { World } from '../world/world.ts'
import { expectNothingLost, insistentPatients } from './insistent.ts'
import { createSessions, lostOf } from './load.ts'

/** Everything that a service does all day: sessions made, asked for and answered to their end, and events sent. */
export type Traffic = {
  /** How much was acknowledged so far. */
  acknowledged: () => number
  /** Ends it; not one request was refused or failed, and nothing that was acknowledged is missing. */
  endUnharmed: () => Promise<void>
}

/** Starts it, spread over the nodes. */
export function startTraffic(
  { world }: { world: Pick<World, 'sql'> },
  { key, slug }: Pick<ClinicWithWebhook, 'key' | 'slug'>,
  urls: readonly string[],
): Traffic {
  const people = insistentPatients(urls, slug)
  const creators = urls.map((url) => createSessions(url, key, { keepAlive: true }))
  const statuses = new Map<number, number>()
  let isOver = false
  const asking = urls.map(async (url, at) => {
    while (!isOver) {
      const id = creators[at]?.acknowledged.at(-1)
      const status = id ? (await send(`${url}/api/v1/session/${id}/status`, 'GET', { key })).status : 200
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await wait(20)
    }
  })
  return {
    acknowledged: () => people.acknowledged.size + creators.reduce((sum, one) => sum + one.acknowledged.length, 0),
    endUnharmed: async () => {
      isOver = true
      await Promise.all([...asking, people.stop(), ...creators.map((one) => one.stop())])
      for (const { refusals, failures } of creators)
        expect({ refusals, failures }).toEqual({ refusals: [], failures: [] })
      expect([...statuses.keys()]).toEqual([200])
      expect(people.refusals()).toBe(0)
      await expectNothingLost(world, people)
      for (const { acknowledged } of creators) expect(await lostOf(urls[0] ?? '', key, acknowledged)).toEqual([])
      const sessions = [...people.finished]
      const told = `select from webhook_deliveries where session_id = any($1) and state = 'delivered'`
      await eventually(
        () => world.sql(told, [sessions]),
        (rows) => rows.length === sessions.length,
      )
    },
  }
}
