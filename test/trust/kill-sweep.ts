import { expect } from 'vitest'
import { faultProxy, type RequestFault } from '../world/fault-proxy.ts'
import { brokenInvariants } from '../world/invariants.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { freePort } from '../world/ports.ts'
import { newScene } from '../world/webhook-scene.ts'
import { BY_THE_CLOCK } from './fault-sweep.ts'
import { journey } from './journey.ts'
import { stepProxy, type WireStep } from './step-proxy.ts'

/**
 * What goes wrong at a step: the node is killed (SIGKILL), or its connection to the database is cut, before or after
 * the step was carried out; or a request of the user's is cut in the middle, or its answer lost.
 */
export type Blow =
  | (WireStep & { how: 'killed' | 'cut off' })
  | { request: number; how: Extract<RequestFault, 'cut' | 'unanswered'> }

const blowsAt = (step: Omit<WireStep, 'when'>): Blow[] =>
  (['killed', 'cut off'] as const).flatMap((how) =>
    (['before', 'after'] as const).map((when) => ({ ...step, when, how })),
  )

/**
 * The journey of the fault sweep through a node that is a process of its own, once for each chosen blow. Whoever is
 * killed is started again. `choose` is told all blows of an undisturbed journey.
 */
export async function sweepBlows(choose: (blows: readonly Blow[]) => readonly Blow[]): Promise<number> {
  const scene = await newScene({ WEBHOOK_CONCURRENCY: '0' })
  const database = await stepProxy(scene.world.databaseUrl)
  const port = await freePort()
  const users = await faultProxy(port)
  const start = () =>
    spawnNode({
      ...scene.environment,
      WEBHOOK_CONCURRENCY: '10', // this node alone tells the clinic
      DATABASE_URL: database.url,
      REQUESTS_PER_SECOND_PER_KEY: '0',
      REQUESTS_PER_SECOND_PER_USER: '0',
      LOOKS_PER_SECOND_PER_ADDRESS: '0',
      PORT: String(port),
    })
  let node: Node = await start()
  let restarted: Promise<void> = Promise.resolve()
  const kill = () => {
    restarted = node.stop('SIGKILL').then(async () => {
      node = await start()
    })
  }
  try {
    const clinic = await scene.clinic('sweep')
    const through = () => journey(scene, clinic, { url: users.url, mayBreak: true })
    await through() // caches are filled as in a service that runs
    database.plant(null)
    users.plant(() => null)
    await through()
    const blows: Blow[] = [
      ...database.steps.filter(({ statement }) => !BY_THE_CLOCK.test(statement)).flatMap(blowsAt),
      ...Array.from({ length: users.seen() }, (_, request) => request).flatMap((request): Blow[] => [
        { request, how: 'cut' },
        { request, how: 'unanswered' },
      ]),
    ]
    const chosen = choose(blows)
    for (const blow of chosen) {
      try {
        let hasHappened = database.hasHappened
        if ('request' in blow) {
          hasHappened = () => users.seen() > blow.request
          users.plant((at) => (at === blow.request ? blow.how : null))
        } else database.plant(blow, blow.how === 'killed' ? kill : undefined)
        await through()
        await restarted
        expect(await brokenInvariants(scene.world)).toEqual([])
        if (!hasHappened()) console.warn(`not met this time: ${JSON.stringify(blow)}`)
      } catch (error) {
        throw new Error(`with the blow BLOW='${JSON.stringify(blow)}'`, { cause: error })
      }
      database.plant(null)
      users.plant(() => null)
    }
    return chosen.length
  } finally {
    database.plant(null)
    await restarted.catch(() => {})
    await node.stop('SIGKILL')
    await users.close()
    await scene.close()
    await database.close()
  }
}
