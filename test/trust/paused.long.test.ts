import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../world/webhook-scene.ts'
import { newWorld, type World } from '../world/world.ts'

const TURN = 0x7f_00_00_01

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

test('a node that is paused, its connections open: its turn at what only one does passes to others', async () => {
  const { db } = world.app.core
  const program = fileURLToPath(new URL('./turn-holder.mjs', import.meta.url))
  const holder = spawn('node', [program, world.databaseUrl, String(TURN)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((done) => holder.stdout.once('data', done))
  expect(await db.exclusively(TURN, async () => 'mine')).toBeNull()
  holder.kill('SIGSTOP')
  await eventually(
    () => db.exclusively(TURN, async () => 'mine'),
    (got) => got === 'mine',
  )
  const ended = new Promise((done) => holder.once('exit', done))
  holder.kill('SIGTERM')
  holder.kill('SIGCONT')
  expect(await ended).toBe(0)
})
