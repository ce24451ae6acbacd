import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

test('1. Create session: an empty body makes a session whose status can be read', async () => {
  const { key } = await world.clinic()
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' }
  const created = await fetch(`${world.url}/api/v1/session`, { method: 'POST', headers })
  expect(created.status).toBe(201)
  const { sessionId } = await created.json()
  const status = await fetch(`${world.url}/api/v1/session/${sessionId}/status`, { headers })
  expect(await status.json()).toEqual({ sessionStatus: 'Created' })
  expect((await fetch(`${world.url}/api/v1/session/${sessionId}`, { headers })).status).toBe(200)
})
