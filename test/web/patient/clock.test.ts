// @module-tag thorough
import { afterAll, beforeAll, expect } from 'vitest'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { integrator } from '../../world/stage.ts'
import { Visitor } from '../../world/visitor.ts'
import { newWorld, type World } from '../../world/world.ts'

let world: World
let chromium: Chromium
beforeAll(async () => {
  ;[world, chromium] = await Promise.all([newWorld(), launchChromium()])
})
afterAll(async () => {
  await chromium?.close()
  await world?.close()
})

const DAY_MS = 86_400_000
const ADMIN = { age: '40', sex: 'male', issue_type: 'admin' }

for (const [words, days] of [
  ['behind', -1],
  ['ahead', 1],
] as const)
  test(`A58: a browser whose clock is a day ${words} enters, answers, comes back and reads its result`, async () => {
    const clinic = await world.clinic({ type: 'INVITED' })
    const { url } = await integrator({ world, urls: [world.url] }, clinic).post('/session')
    const visitor = await Visitor.arrives(chromium, world)
    await visitor.page.clock.install({ time: Date.now() + days * DAY_MS })
    await visitor.page.goto(String(url))
    expect(Math.round(((await visitor.page.evaluate(() => Date.now())) - Date.now()) / DAY_MS)).toBe(days)
    await visitor.start()
    await visitor.goes('issue_type', ADMIN)
    await visitor.page.reload()
    await visitor.sees('issue_type')
    await visitor.goes('.review', ADMIN)
    await visitor.press('.review .primary')
    await visitor.sees('.result')
    expect(visitor.complaints).toEqual([])
    await visitor.leaves()
  })
