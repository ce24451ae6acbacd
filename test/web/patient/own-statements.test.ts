import { afterAll, beforeAll, expect } from 'vitest'
import { closeAccess } from '../../../src/account/access.ts'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
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

test('the clinic says itself why it is closed, in the reader’s language, and where its statements are', async () => {
  const clinic = await world.clinic({
    closedMessage: { en: 'Closed for the holiday.', fi: 'Suljettu juhlapyhän vuoksi.' },
    privacyUrl: 'https://clinic.example.org/privacy',
    accessibilityUrl: 'https://clinic.example.org/accessibility',
  })
  const visitor = await Visitor.arrives(chromium, world, { language: 'fi' })
  await visitor.open(clinic)
  await visitor.sees('.welcome .statements')
  await visitor.isAccessible()
  await closeAccess(world.app.core, clinic.accountId, 'test', 'Other', null)
  await visitor.open(clinic)
  await visitor.sees('.closed')
  expect(await visitor.page.locator('.closed').innerText()).toContain('Suljettu juhlapyhän vuoksi.')
  const links = await visitor.page.locator('.statements a').evaluateAll((all) => all.map((a) => a.getAttribute('href')))
  expect(links).toEqual(['https://clinic.example.org/privacy', 'https://clinic.example.org/accessibility'])
  await visitor.isAccessible()
  await visitor.picture('closed-message')
  await visitor.open(clinic, '?lang=sv') // not written in this language: what we say ourselves is enough
  await visitor.sees('.closed')
  expect(await visitor.page.locator('.closed').innerText()).not.toContain('juhlapyhän')
  await visitor.leaves()
})
