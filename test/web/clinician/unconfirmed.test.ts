import { afterAll, beforeAll, expect } from 'vitest'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { Desk } from '../../world/desk.ts'
import { interviewed } from '../../world/handoff.ts'
import { eventually } from '../../world/visitor.ts'
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

test('danger that was written and denied in the questions stands among the red flags, in the patient’s words', async () => {
  const clinic = await world.clinic()
  const story = { matter: 'I want to kill myself', complaints: ['sore-throat'] }
  const patient = await interviewed(world, clinic, { story })
  await patient.finish()
  const desk = await Desk.at(chromium)
  await desk.open(world, clinic, patient.now.sessionId)
  const flags = desk.page.locator('section:has(#red-flags)')
  await eventually(() => flags.innerText()).toMatch(/Unconfirmed, from own words\s+.*kill myself/i)
  expect(await desk.faults()).toEqual([])
  if (process.env.FYR_PICTURES) await flags.screenshot({ path: `${process.env.FYR_PICTURES}/unconfirmed.png` })
  await desk.page.context().close()
})
