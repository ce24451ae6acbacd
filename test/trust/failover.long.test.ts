import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/store/database/migrate.ts'
import { send } from '../world/call.ts'
import { brokenInvariants } from '../world/invariants.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { type ClinicWithWebhook, eventually, newScene, passTheWait, type Scene } from '../world/webhook-scene.ts'
import { hasHaproxy, startHaproxy } from './haproxy.ts'
import { expectNothingLost, insistentPatients } from './insistent.ts'
import { type Replicated, startReplicated } from './replicated.ts'

const isInstalled = hasHaproxy('a database failover behind a proxy (F04)')

describe.skipIf(!isInstalled && process.env.CI !== 'true')(
  'three nodes behind a proxy, on two database servers',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'fyr-failover-nodes-'))
    let servers: Replicated
    let scene: Scene
    let clinic: ClinicWithWebhook
    let nodes: Node[]
    let proxy: Awaited<ReturnType<typeof startHaproxy>>

    beforeAll(async () => {
      servers = await startReplicated(folder)
      await migrate(servers.url)
      scene = await newScene({ WEBHOOK_CONCURRENCY: '0' }, { url: servers.url, drop: async () => {} })
      clinic = await scene.clinic('told')
      const environment = {
        ...scene.environment,
        WEBHOOK_CONCURRENCY: '10', // the nodes alone tell the clinic
        REQUESTS_PER_SECOND_PER_KEY: '0',
        REQUESTS_PER_SECOND_PER_USER: '0',
        LOOKS_PER_SECOND_PER_ADDRESS: '0',
      }
      nodes = await Promise.all([1, 2, 3].map(() => spawnNode(environment)))
      proxy = await startHaproxy(nodes.map(({ url }) => Number(new URL(url).port)))
    })
    afterAll(async () => {
      proxy.stop()
      await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
      await scene.close()
      servers.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('F04 the primary is lost under load and the standby promoted: all three find it by themselves, nothing acknowledged is lost or doubled, and every end is told', async () => {
      const people = insistentPatients([proxy.url], clinic.slug)
      const more = (count: number) => {
        const before = people.finished.size
        return eventually(() => people.finished.size >= before + count || people.unforeseen.length > 0)
      }
      await more(10)
      servers.primary.lose()
      await eventually(() => people.refusals() > 0)
      await servers.promote()
      for (const { url } of nodes)
        await eventually(
          () => send(`${url}/readyz`, 'GET'),
          ({ status }) => status === 200,
        )
      await more(10)
      await people.stop()
      await expectNothingLost(scene.world, people)
      expect(nodes.map(({ process }) => process.exitCode)).toEqual([null, null, null])

      await passTheWait(scene, clinic) // what was being sent when the primary was lost
      await eventually(
        () => scene.world.sql(`select count(*)::int as n from webhook_deliveries where state <> 'delivered'`),
        ([row]) => row?.n === 0,
      )
      const ids = Map.groupBy(scene.receiver.arrived('told'), ({ body }) => JSON.parse(body).sessionId)
      expect([...ids.keys()].sort()).toEqual([...people.finished].sort())
      for (const [session, told] of ids)
        expect(new Set(told.map(({ headers }) => headers['webhook-id'])).size, session).toBe(1)
      expect(await brokenInvariants(scene.world)).toEqual([])
    })
  },
)
