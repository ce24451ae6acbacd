import { afterAll, beforeAll, describe, test } from 'vitest'
import { newWorld, type World } from '../world/world.ts'
import { STORIES } from './stories.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

describe('journeys on one node', () => {
  for (const [sentence, story] of Object.entries(STORIES)) test(sentence, () => story({ world, urls: [world.url] }))
})
