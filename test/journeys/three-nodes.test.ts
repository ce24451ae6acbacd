// @module-tag thorough
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brokenInvariants } from '../world/invariants.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { newWorld, type World } from '../world/world.ts'
import { STORIES } from './stories.ts'

let world: World
let nodes: Node[]
beforeAll(async () => {
  world = await newWorld()
  const environment = {
    DATABASE_URL: world.databaseUrl,
    MASTER_KEY: world.masterKey.toString('base64'),
    PUBLIC_URL: world.url.replace('127.0.0.1', 'localhost'),
    REQUESTS_PER_SECOND_PER_KEY: '0',
    REQUESTS_PER_SECOND_PER_USER: '0',
    LOOKS_PER_SECOND_PER_ADDRESS: '0',
    INVALID_KEYS_PER_MINUTE: '0',
  }
  nodes = await Promise.all([1, 2, 3].map(() => spawnNode(environment)))
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await world.close()
})

describe('journeys over three nodes, each request to a random one', () => {
  for (const [sentence, story] of Object.entries(STORIES))
    test(sentence, () => story({ world, urls: nodes.map(({ url }) => url) }))

  test('I2, I3, I4, I5 and I6 hold after all of them', async () => {
    expect(await brokenInvariants(world)).toEqual([])
  })
})
