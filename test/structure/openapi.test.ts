import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type World } from '../world/world.ts'

const FILE = new URL('../../docs/openapi.json', import.meta.url)

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

test('docs/openapi.json is what the routes say (write it anew: node scripts/openapi.ts)', async () => {
  const served = await fetch(`${world.url}/api/openapi.json`).then((reply) => reply.json())
  const kept = JSON.parse(readFileSync(FILE, 'utf8'))
  expect({ ...served, servers: [] }).toEqual({ ...kept, servers: [] })
})

test('the OpenAPI document passes every recommended rule', () => {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const lint = spawnSync('redocly', ['lint', 'docs/openapi.json'], { encoding: 'utf8', env })
  expect(`${lint.stdout}${lint.stderr}`).toMatch(/is valid/)
  expect(lint.status).toBe(0)
})
