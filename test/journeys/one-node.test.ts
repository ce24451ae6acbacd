import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brokenInvariants } from '../world/invariants.ts'
import { newWorld, type World } from '../world/world.ts'
import { STORIES } from './stories.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

describe('journeys on one node', () => {
  for (const [sentence, story] of Object.entries(STORIES)) test(sentence, () => story({ world, urls: [world.url] }))

  test('I2, I3, I4, I5 and I6 hold after all of them', async () => {
    expect(await brokenInvariants(world)).toEqual([])
  })
})
