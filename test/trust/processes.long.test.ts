import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../world/call.ts'
import { spawnNode } from '../world/nodes.ts'
import { newWorld, type World } from '../world/world.ts'
import { childrenOf } from './started.ts'

let world: World
beforeAll(async () => {
  world = await newWorld({ WEBHOOK_CONCURRENCY: '0' })
})
afterAll(() => world.close())

test('a process that hangs is ended and started again; the metrics of the others are seen meanwhile', async () => {
  const node = await spawnNode({
    DATABASE_URL: world.databaseUrl,
    MASTER_KEY: world.masterKey.toString('base64'),
    PROCESSES: '2',
  })
  const metrics = async () => (await fetch(`http://127.0.0.1:${node.metricsPort}/metrics`)).text()
  const twoServe = () => expect.poll(metrics, { timeout: 120_000, interval: 500 }).toMatch(/^fyr_processes 2$/m)
  await twoServe()
  const [stuck = 0] = childrenOf(node.process.pid ?? 0)
  process.kill(stuck, 'SIGSTOP')
  expect(await metrics()).toMatch(/^fyr_process_resident_memory_bytes\{process="\d"\}/m)
  await expect.poll(node.log, { timeout: 90_000, interval: 500 }).toContain('a process is stuck; it is ended')
  await twoServe()
  expect(childrenOf(node.process.pid ?? 0)).not.toContain(stuck)
  for (let look = 0; look < 10; look++) expect((await send(`${node.url}/healthz`, 'GET')).status).toBe(200)
  expect(await node.stop()).toBe(0)
})
